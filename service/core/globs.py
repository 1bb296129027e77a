"""Path patterns (`**.user`, `*_url`, `items[].id`) compiled once to a tree; a machine walks it beside a value.

A list is transparent: `items.id` is the id of every item, so that a policy means the same for a list, for one of its
items, and for an object that holds the list. `*`, `[]` and an index name the elements themselves.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from service.core.paths import EACH, is_index, parse

ANY, DEEP = "*", "**"
_END = ""  # what ends at an array does not end again at its elements
Segment = str | re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Pattern:
    """One path with wildcards, what role it plays, and what it carries."""

    written: str
    segments: tuple[Segment, ...]
    role: int = 1
    carries: str = ""


def pattern(path: str, role: int = 1, carries: str = "", *, literal: bool = False) -> Pattern:
    """A compiled pattern; in a literal one (a request's field) no sign is a wildcard."""
    return Pattern(path, tuple(map(_letters if literal else _segment, parse(path))), role, carries)


def _letters(text: str) -> Segment:
    return re.compile(re.escape(text)) if text in (ANY, DEEP) else text


def _segment(text: str) -> Segment:
    if text in (ANY, DEEP) or ANY not in text:
        return text
    return re.compile(".*".join(re.escape(part) for part in text.split(ANY)), re.DOTALL)


@dataclass(slots=True)
class Node:
    """A place in the tree; never changed once the tree is built."""

    names: dict[str, int] = field(default_factory=dict)
    globs: list[tuple[re.Pattern[str], int]] = field(default_factory=list)
    any: int = -1
    each: int = -1
    beside: dict[str, int] = field(default_factory=dict)  # nodes that are entered together with this one
    deep: bool = False  # `**`: stays, whatever comes
    elements: bool = False  # `*`, `[]` or an index come next: it enters an array instead of looking through it
    enders: list[int] = field(default_factory=list)
    ends: int = 0  # roles that end here
    live: int = 0  # roles that go on below
    firm: int = 0  # roles that go on below at a known place


class Tree:
    """Patterns compiled to one tree, walked together."""

    __slots__ = ("nodes", "patterns")

    def __init__(self, patterns: Iterable[Pattern] = ()) -> None:
        self.patterns = tuple(patterns)
        self.nodes = [Node()]
        for number, one in enumerate(self.patterns):
            self._insert(number, one)

    def plus(self, others: Iterable[Pattern]) -> "Tree":
        """This tree with more patterns."""
        more = tuple(others)
        return Tree(self.patterns + more) if more else self

    def hits(self, segments: Iterable[str]) -> bool:
        """Whether a pattern names exactly this place; array positions are indices or `[]`."""
        return bool(Machine(self).at(segments).ends)

    def _insert(self, number: int, one: Pattern) -> None:
        here, firm = 0, True
        for segment in one.segments:
            firm = firm and segment != DEEP
            here = self._child(here, segment, one.role, firm=firm)
        node = self.nodes[self._beside(here, _END)]
        node.ends |= one.role
        node.enders.append(number)

    def _child(self, here: int, segment: Segment, role: int, *, firm: bool) -> int:
        """The node below a segment, made when it is new; `**` and elements are entered from beside."""
        place = isinstance(segment, str) and (segment in (ANY, EACH) or is_index(segment))
        if segment == DEEP or place:
            self._mark(here, role, firm=firm)
            here = self._beside(here, DEEP if segment == DEEP else EACH)
        self._mark(here, role, firm=firm)
        return here if segment == DEEP else self._next(self.nodes[here], segment)

    def _mark(self, here: int, role: int, *, firm: bool) -> None:
        node = self.nodes[here]
        node.live, node.firm = node.live | role, node.firm | (role if firm else 0)

    def _beside(self, here: int, kind: str) -> int:
        node = self.nodes[here]
        if kind not in node.beside:
            node.beside[kind] = self._new(deep=kind == DEEP, elements=kind == EACH)
        return node.beside[kind]

    def _new(self, *, deep: bool = False, elements: bool = False) -> int:
        self.nodes.append(Node(deep=deep, elements=elements))
        return len(self.nodes) - 1

    def _next(self, node: Node, segment: Segment) -> int:
        if isinstance(segment, re.Pattern):
            node.globs.append((segment, self._new()))
            return node.globs[-1][1]
        if segment == ANY:
            node.any = node.any if node.any >= 0 else self._new()
            return node.any
        if segment == EACH:
            node.each = node.each if node.each >= 0 else self._new()
            return node.each
        if segment not in node.names:
            node.names[segment] = self._new()
        return node.names[segment]


class State:
    """Where a walk stands in all patterns at once; the roles are bit sets."""

    __slots__ = ("each", "enders", "ends", "fates", "firm", "first", "indexed", "keys", "live", "nodes")

    def __init__(self, tree: Tree, nodes: tuple[int, ...]) -> None:
        self.nodes = nodes
        self.ends = self.live = self.firm = 0
        self.enders: list[int] = []  # patterns that end here
        self.indexed = False  # an element's index decides
        self.keys: dict[str, State] = {}
        self.each: State | None = None
        self.fates: list[int] = []  # room for whoever walks to note what it decided here
        for number in nodes:
            node = tree.nodes[number]
            self.ends, self.live, self.firm = self.ends | node.ends, self.live | node.live, self.firm | node.firm
            self.enders += node.enders
            self.indexed = self.indexed or (node.elements and bool(node.names))
        self.first = min(self.enders, default=-1)


class Machine:
    """A walk over one tree: states are made when first met, so the work is done once per shape and not per row."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._states: dict[tuple[int, ...], State] = {}
        self.root = self._state([0])

    def key(self, state: State, key: str) -> State:
        """The state below a key of an object."""
        found = state.keys.get(key)
        if found is None:
            found = state.keys[key] = self._state([n for number in state.nodes for n in self._below(number, key)])
        return found

    def element(self, state: State, index: int) -> State:
        """The state of an element of an array."""
        if state.each is not None:
            return state.each
        found = self._state(
            [n for number in state.nodes for n in self._inside(number, index)],
            [number for number in state.nodes if self._looks_through(number)],
        )
        if not state.indexed:
            state.each = found
        return found

    def at(self, segments: Iterable[str]) -> State:
        """The state at a place; `[]` and indices are taken for elements and for keys, everything else for keys."""
        state = self.root
        for segment in segments:
            if segment == EACH or is_index(segment):
                index = int(segment) if segment != EACH else -1
                state = self._state([], [*self.element(state, index).nodes, *self.key(state, segment).nodes])
            else:
                state = self.key(state, segment)
        return state

    def _state(self, numbers: list[int], stayed: Iterable[int] = ()) -> State:
        """The state of these nodes and those beside them; what stayed did not enter anything anew."""
        closed = dict.fromkeys(numbers)
        todo = list(closed)
        while todo:
            for beside in self.tree.nodes[todo.pop()].beside.values():
                if beside not in closed:
                    closed[beside] = None
                    todo.append(beside)
        nodes = tuple(sorted({*closed, *stayed}))
        found = self._states.get(nodes)
        if found is None:
            found = self._states[nodes] = State(self.tree, nodes)
        return found

    def _below(self, number: int, key: str) -> list[int]:
        node = self.tree.nodes[number]
        found = [below for regex, below in node.globs if regex.fullmatch(key)] if node.globs else []
        if key in node.names:
            found.append(node.names[key])
        if node.any >= 0:
            found.append(node.any)
        if key == EACH and node.each >= 0:
            found.append(node.each)
        if node.deep:
            found.append(number)
        return found

    def _inside(self, number: int, index: int) -> list[int]:
        node = self.tree.nodes[number]
        if not node.elements:
            return [number] if node.deep else []
        return [below for below in (node.any, node.each, node.names.get(str(index), -1)) if below >= 0]

    def _looks_through(self, number: int) -> bool:
        """Whether a list is transparent here: a key comes next."""
        node = self.tree.nodes[number]
        return not node.elements and bool(node.names or node.globs)
