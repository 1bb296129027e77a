"""Path patterns (`**.user`, `*_url`, `items[].id`) compiled once to a tree; a machine walks it beside a value.

A list is transparent: `items.id` is the id of every item, so that a policy means the same for a list, for one of its
items, and for an object that holds the list. `*`, `[]` and an index name the elements themselves.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from service.core.paths import EACH, is_index, parse

ANY, DEEP = "*", "**"
Spot = tuple[int, int]  # pattern, segment


@dataclass(frozen=True, slots=True)
class Pattern:
    """One path with wildcards, what role it plays, and what it carries."""

    written: str
    segments: tuple[str | re.Pattern[str], ...]
    role: int = 1
    carries: str = ""

    def deep_before(self, position: int) -> bool:
        """Whether `**` stands at or before this segment: from there on the pattern can be anywhere."""
        return DEEP in self.segments[: position + 1]


def pattern(path: str, role: int = 1, carries: str = "", *, literal: bool = False) -> Pattern:
    """A compiled pattern; in a literal one (a request's field) no sign is a wildcard."""
    return Pattern(path, tuple(map(_letters if literal else _segment, parse(path))), role, carries)


def _letters(text: str) -> str | re.Pattern[str]:
    return re.compile(re.escape(text)) if text in (ANY, DEEP) else text


def _segment(text: str) -> str | re.Pattern[str]:
    if text in (ANY, DEEP) or ANY not in text:
        return text
    return re.compile(".*".join(re.escape(part) for part in text.split(ANY)), re.DOTALL)


@dataclass(frozen=True, slots=True)
class Tree:
    """Patterns that are walked together."""

    patterns: tuple[Pattern, ...] = ()

    def plus(self, others: Iterable[Pattern]) -> "Tree":
        """This tree with more patterns."""
        return Tree(self.patterns + tuple(others))

    def hits(self, segments: Iterable[str]) -> bool:
        """Whether a pattern names exactly this place; array positions are indices or `[]`."""
        return bool(Machine(self).at(segments).ends)


class State:
    """Where a walk stands in all patterns at once; the roles are bit sets."""

    __slots__ = ("each", "ends", "fates", "firm", "first", "indexed", "keys", "live", "spots")

    def __init__(self, tree: Tree, spots: tuple[Spot, ...]) -> None:
        self.spots = spots
        self.ends = self.live = self.firm = 0  # roles that end here, go on below, go on below at a known place
        self.first = -1  # the first pattern that ends here
        self.indexed = False  # an element's index decides
        self.keys: dict[str, State] = {}
        self.each: State | None = None
        self.fates: list[int] = []  # room for whoever walks to note what it decided here
        for number, position in spots:
            self._enter(tree.patterns[number], number, position)

    def _enter(self, one: Pattern, number: int, position: int) -> None:
        if position == len(one.segments):
            self.ends |= one.role
            self.first = number if self.first < 0 else self.first
            return
        segment = one.segments[position]
        self.live |= one.role
        self.firm |= 0 if one.deep_before(position) else one.role
        self.indexed = self.indexed or (isinstance(segment, str) and is_index(segment))


class Machine:
    """A walk over one tree: states are made when first met, so the work is done once per shape and not per row."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._states: dict[tuple[Spot, ...], State] = {}
        self.root = self._state([(number, 0) for number in range(len(tree.patterns))])

    def key(self, state: State, key: str) -> State:
        """The state below a key of an object."""
        found = state.keys.get(key)
        if found is None:
            found = state.keys[key] = self._state([s for spot in state.spots for s in self._below(spot, key)])
        return found

    def element(self, state: State, index: int) -> State:
        """The state of an element of an array."""
        if state.each is not None:
            return state.each
        found = self._state([s for spot in state.spots for s in self._inside(spot, index)])
        if not state.indexed:
            state.each = found
        return found

    def at(self, segments: Iterable[str]) -> State:
        """The state at a place; `[]` and indices are taken for elements, everything else for keys."""
        state = self.root
        for segment in segments:
            if segment == EACH or is_index(segment):
                index = int(segment) if segment != EACH else -1
                spots = {*self.element(state, index).spots, *self.key(state, segment).spots}
                state = self._state(sorted(spots))
            else:
                state = self.key(state, segment)
        return state

    def _state(self, spots: list[Spot]) -> State:
        closed = tuple(dict.fromkeys(s for spot in spots for s in self._closure(spot)))
        found = self._states.get(closed)
        if found is None:
            found = self._states[closed] = State(self.tree, closed)
        return found

    def _closure(self, spot: Spot) -> list[Spot]:
        number, position = spot
        segments, reached = self.tree.patterns[number].segments, [spot]
        while position < len(segments) and segments[position] == DEEP:
            position += 1
            reached.append((number, position))
        return reached

    def _below(self, spot: Spot, key: str) -> list[Spot]:
        number, position = spot
        segments = self.tree.patterns[number].segments
        if position == len(segments):
            return []
        segment = segments[position]
        if segment == DEEP:
            return [spot]
        fits = segment in (ANY, key) if isinstance(segment, str) else segment.fullmatch(key)
        return [(number, position + 1)] if fits else []

    def _inside(self, spot: Spot, index: int) -> list[Spot]:
        number, position = spot
        segments = self.tree.patterns[number].segments
        if position == len(segments):
            return []
        segment = segments[position]
        if segment in (ANY, EACH):
            return [(number, position + 1)]
        if isinstance(segment, str) and is_index(segment):
            return [(number, position + 1)] if int(segment) == index else []
        return [spot]
