"""Pairs placed by their indentation: what a deeper line belongs to, second values of a key, sections."""

import re
from typing import Any, NamedTuple

from service.core.forms.depth import DEPTH
from service.core.forms.scalars import scalar

SECTION = re.compile(r"\[+([^\]]{1,80})\]+\s*$")
_NESTED = 4  # columns a nested pair is set in; what is deeper continues a value


class Line(NamedTuple):
    """A line of pairs: how far it is set in, its key (empty: none), its value, and whether it is an item of a list."""

    indent: int
    key: str
    value: str
    item: bool = False


class PairTree:
    """A stack of the objects that deeper lines belong to."""

    def __init__(self) -> None:
        """Only the root is open."""
        self.root: dict[str, Any] = {}
        self.stack: list[tuple[int, Any, Any]] = []  # indent, the object (or list) and the key in it that is open
        self.section: dict[str, Any] | None = None
        self.base = 0  # how far the first line is set in
        self.more: dict[tuple[int, Any], tuple[Any, list[str]]] = {}  # by object and key: lines that go on with it

    @property
    def flat(self) -> bool:
        """Whether a blank line ends the block: not inside a section or below an open key."""
        return bool(self.root) and self.section is None and not any(isinstance(v, dict) for v in self.root.values())

    @property
    def value(self) -> dict[str, Any]:
        """What was placed."""
        for slot in list(self.more):
            self._settle(slot)
        return self.root

    def again(self, line: Line) -> bool:
        """Whether a line begins another record: its key was there before, and not just now."""
        if self.section is not None or line.indent > self.base or line.key not in self.root:
            return False
        return line.item or len(self.root) == 1 or line.key != next(reversed(self.root))

    def apart(self, line: Line, bare: str) -> bool:
        """Whether a line behind a gap, which is no pair and stands as far out as can be, begins another block."""
        return bool(self.root) and not line.key and not line.indent and not SECTION.match(bare)

    def add(self, line: Line, bare: str) -> bool:
        """Place one line; False when it belongs to nothing."""
        if not self.root:
            self.base = line.indent
        head = SECTION.match(bare)
        if head and line.indent == 0:
            self.section, self.stack = {}, []
            self.root[_free(self.root, head[1])] = self.section
            return True
        while self.stack and self.stack[-1][0] >= line.indent:
            self.stack.pop()
        if self.stack:
            return self._below(line, bare)
        top = self.section if self.section is not None else self.root
        if line.key:
            return self._put(top, line)
        last = next(reversed(top), None)
        if last is None or isinstance(top[last], dict | list):
            top[_free(top, bare)] = ""  # it belongs to nothing, and yet it was said
            return False
        empty = top[last] == "" and last != "#"
        self.more.setdefault((id(top), last), (top, []))[1].append(bare)
        return empty  # a text below its name

    def _below(self, line: Line, bare: str) -> bool:
        """A line that is set in below an open key: a pair of its own, or more of the value."""
        indent, owner, key = self.stack[-1]
        slot = (id(owner), key)
        if line.key and not isinstance(owner[key], dict) and slot not in self.more:
            if owner[key] in ("", None) and len(self.stack) < DEPTH // 4:
                owner[key] = {}
            elif line.indent - indent <= _NESTED:  # `State: Waiting` with a `Reason:` of its own below
                owner[key] = {str(line.key if isinstance(key, int) else key): owner[key]}
        if isinstance(owner[key], dict):
            place = owner[key]
            if line.key:
                return self._put(place, line)
            place[_free(place, bare)] = ""
        else:
            self.more.setdefault(slot, (owner, []))[1].append(bare)
        return True

    def _settle(self, slot: tuple[int, Any]) -> None:
        """Join a value with the lines that go on with it."""
        if slot in self.more:
            owner, lines = self.more.pop(slot)
            owner[slot[1]] = "\n".join([str(owner[slot[1]] or ""), *lines]).lstrip("\n")

    def _put(self, place: dict[str, Any], line: Line) -> bool:
        key, value = line.key, scalar(line.value)
        if key in place and next(reversed(place)) == key and not isinstance(place[key], dict):
            self._settle((id(place), key))
            if not isinstance(place[key], list):
                place[key] = [place[key]]
            place[key].append(value)
            self.stack.append((line.indent, place[key], len(place[key]) - 1))
            return True
        key = _free(place, key)
        place[key] = value
        self.stack.append((line.indent, place, key))
        return True


def _free(place: dict[str, Any], name: str) -> str:
    """A key that is not taken: a second one of the same name keeps its place under a longer name."""
    while name in place:
        name = f"{name} {len(place) + 1}"
    return name
