"""`key: value` blocks as tools print them: one record or many, nested by indentation, in sections; INI and .env."""

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from service.core.forms.depth import DEPTH
from service.core.forms.reading import Reading
from service.core.forms.sample import Sample
from service.core.forms.scalars import scalar

_KEY = r"[\"'*]{0,2}[A-Za-z0-9_$@./][^:=\n]{0,60}?[\"'*]{0,2}"
_COLON = re.compile(rf"(?:[-*•] +)?({_KEY})[ \t]*(?::(?:[ \t]+|$)|\t+)(.*)")
_EQUALS = re.compile(r"(?:export )?([A-Za-z0-9_.][\w.\[\]/ -]{0,80}?)[ \t]*=[ \t]*(.*)")
_SECTION = re.compile(r"\[+([^\]]{1,80})\]+\s*$")
_RULE = re.compile(r"[-=*_#]{3,}\s*$|-\[ RECORD \d+ \][-+]*\s*$|\*+ *\d+\. row *\*+$")
BLOCK = re.compile(r"\s*(?:(?:async )?def \w|class \w|(?:if|for|while|elif|function) [^:]*[\w)\]])[^:]*:\s*$")
_LOOKED, _WIDTH = 150, 100  # lines, and characters of each
_NESTED = 4  # columns a nested pair is set in; what is deeper continues a value
_COMMENT = re.compile(r"[#;]")
_WORDY = re.compile(r"\s{2}|(?:\S+\s){6}")  # no key: a sentence, or the cells of a table


class _Line(NamedTuple):
    indent: int
    key: str  # empty: no pair
    value: str


def looks_pairs(seen: Sample) -> bool:
    """Whether nearly all lines are pairs, belong to one, or head a section."""
    lines = [line[:_WIDTH] for line in _telling(seen.lines[:_LOOKED])]
    first = lines[:20]
    if len(lines) < 3 or (not _share(first, _COLON) and not _share(first, _EQUALS)) or _recipes(seen.lines[:_LOOKED]):
        return False
    colon = _share(lines, _COLON)
    return colon >= 0.6 or (_share(lines, _EQUALS) >= 0.8 and not _statements(lines))


def _recipes(lines: Iterable[str]) -> bool:
    """Whether the lines are blocks of code: headed by statements, or the recipes of a makefile."""
    bare = list(lines)
    tabbed = sum(line[0] == "\t" and not _COLON.match(line.strip()) for line in bare)
    return tabbed * 5 > len(bare) or any(BLOCK.match(line) for line in bare)


def _telling(lines: Iterable[str]) -> list[str]:
    """The lines that are neither blank nor a rule, a comment or the head of a section."""
    bare = (line for line in lines if line and not line.isspace())
    return [line for line in bare if not (_RULE.match(line) or _COMMENT.match(line) or _SECTION.match(line))]


def _share(lines: list[str], pattern: re.Pattern[str]) -> float:
    found = [pattern.match(line.strip()) for line in lines]
    good = sum(match is not None and not _WORDY.search(match[1]) for match in found)
    flat = sum(
        line[:1] not in (" ", "\t") and match is None and not _SECTION.match(line)
        for line, match in zip(lines, found, strict=True)
    )
    return 0.0 if flat * 8 > len(lines) else good / len(lines)


def _statements(lines: list[str]) -> bool:
    """Whether assignments call something: then they are code."""
    return sum(re.search(r"[({;]\s*$|\w\(|[)}];?$|==|=>", line) is not None for line in lines) * 4 > len(lines)


def read_pairs(text: str) -> Reading | None:
    """The pairs as one object, or as a list when records follow one another."""
    lines = text.expandtabs(4).replace("\r", "").split("\n")
    filled = _telling(lines)
    pattern = _COLON if _share(filled, _COLON) >= _share(filled, _EQUALS) else _EQUALS
    blocks = _blocks(lines, pattern)
    if blocks is None:
        return None
    records = [block for block in blocks if block]
    kind = "prose" if pattern is _COLON else "code"
    if not records or len(filled) < 3:
        return None
    if len(records) == 1:
        return Reading(kind, records[0], True)
    keys = set(records[0])
    alike = sum(len(keys & set(record)) * 2 >= min(len(keys), len(record)) for record in records)
    if alike >= 0.7 * len(records):
        return Reading(kind, records, True)
    return _joined(records, kind)


def _joined(records: list[dict[str, Any]], kind: str) -> Reading | None:
    """Blocks that are no records of one kind are parts of one object, unless their keys collide."""
    whole: dict[str, Any] = {}
    for record in records:
        if whole.keys() & record.keys():
            return Reading(kind, records, True)
        whole.update(record)
    return Reading(kind, whole, True)


def _blocks(lines: list[str], pattern: re.Pattern[str]) -> list[dict[str, Any]] | None:
    """One object per block of lines; None when too many lines belong to no pair."""
    blocks: list[dict[str, Any]] = [{}]
    tree, lost, total = _Tree(blocks[0]), 0, 0
    for line in lines:
        bare = line.strip()
        if not bare or _RULE.match(bare):
            if bare or tree.flat:
                blocks.append({})
                tree = _Tree(blocks[-1])
            continue
        total += 1
        if pattern is _EQUALS and _COMMENT.match(bare):
            continue
        parsed = _parse(line, bare, pattern)
        if parsed.indent == 0 and parsed.key in tree.root and not tree.section:
            blocks.append({})
            tree = _Tree(blocks[-1])
        lost += not tree.add(parsed, bare)
    return None if lost * 10 > total else blocks


def _parse(line: str, bare: str, pattern: re.Pattern[str]) -> _Line:
    indent = len(line) - len(line.lstrip())
    found = pattern.match(bare)
    if found is None or _WORDY.search(found[1]):
        return _Line(indent, "", bare)
    return _Line(indent, found[1].strip("\"'* "), found[2].strip())


class _Tree:
    """Pairs placed by their indentation: a stack of the objects that deeper lines belong to."""

    def __init__(self, root: dict[str, Any]) -> None:
        """Only the root is open."""
        self.root = root
        self.stack: list[tuple[int, dict[str, Any], str]] = []  # indent, the object, the key in it that is open
        self.section: dict[str, Any] | None = None

    @property
    def flat(self) -> bool:
        """Whether a blank line ends the block: not inside a section or below an open key."""
        return bool(self.root) and self.section is None and not any(isinstance(v, dict) for v in self.root.values())

    def add(self, line: _Line, bare: str) -> bool:
        """Place one line; False when it belongs to nothing."""
        head = _SECTION.match(bare)
        if head and line.indent == 0:
            self.section, self.stack, name = {}, [], head[1]
            while name in self.root:
                name = f"{name} {len(self.root) + 1}"
            self.root[name] = self.section
            return True
        while self.stack and self.stack[-1][0] >= line.indent:
            self.stack.pop()
        top = self.section if self.section is not None else self.root
        if not self.stack:
            return self._put(top, line)
        _, owner, key = self.stack[-1]
        if line.key and owner[key] in ("", None) and len(self.stack) < DEPTH // 4:
            owner[key] = {}
        if line.key and not isinstance(owner[key], dict) and line.indent - self.stack[-1][0] <= _NESTED:
            owner[key] = {key: owner[key]}  # `State: Waiting` with a `Reason:` of its own below
        if line.key and isinstance(owner[key], dict):
            return self._put(owner[key], line)
        owner[key] = (
            f"{owner[key]}\n{bare}".lstrip("\n") if not isinstance(owner[key], dict) else {**owner[key], bare: ""}
        )
        return True

    def _put(self, place: dict[str, Any], line: _Line) -> bool:
        if not line.key:
            return False
        key = line.key
        while key in place:  # a second one of the same name keeps its place under a longer name
            key = f"{key} {len(place) + 1}"
        place[key] = scalar(line.value)
        self.stack.append((line.indent, place, key))
        return True
