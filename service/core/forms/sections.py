"""A text of several parts, tables among them, each below a title: netstat, kubectl get all, iostat, ls -lR, nmap."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from service.core.forms.aligned import is_header, read_aligned
from service.core.forms.fields import listed
from service.core.forms.piped import read_piped
from service.core.forms.reading import Reading
from service.core.forms.sample import Sample

_TABLES = 0.6  # of the characters stand in tables, at least
_TITLE = 3  # lines
_SHORT = 160  # characters of a line that may be a title
_PLACE = re.compile(r"(?:\.{0,2}/|~|[A-Z]:\\|\.:$)\S*.*:$")  # the head of a listing
_DRAWN = re.compile(r"[\s|+│├┌┏╞┡╔╠]*[-─━═=]{2}")
_CODE = re.compile(r"\s*(?://|/\*|\* |import |from |package |#include|func |class )|.*[({;]$")
_GAP = re.compile(r"\S\s{2,}\S")


class _Part(NamedTuple):
    """Lines that belong together, what they say as rows, and the lines before them."""

    title: list[str]
    rows: list[Any] | None
    lines: list[str]


def looks_sections(seen: Sample) -> bool:
    """Whether the beginning has two tables, or one below words that make up little of it."""
    text = seen.text[:16384]
    text = seen.full if len(text) == len(seen.full) else text[: text.rfind("\n") + 1]
    return read_sections(text, 2 if text is seen.full else 1) is not None


def read_sections(text: str, least: int = 2) -> Reading | None:
    """The parts by their titles; None unless most of the text stands in tables, and so many at least."""
    blocks = list(_blocks(text))
    if sum(len(_heads(block)) or _begins_table(block) for block in blocks) < least:
        return None
    known = {tuple(block[at].split()) for block in blocks for at in _heads(block)}
    parts = [part for block in blocks for part in _parts(block, known)]
    told = sum(len(line) + 1 for part in parts if part.rows is not None for line in (*part.title, *part.lines))
    if sum(part.rows is not None for part in parts) < least or told < _TABLES * len(text):
        return None
    if any(_CODE.match(line) for part in parts if part.rows is not None for line in part.title):
        return None
    return _told(parts)


def _told(parts: list[_Part]) -> Reading:
    """The tables by their titles, with the text between them; what stands around all of them is around the value."""
    whole: dict[str, Any] = {}
    parts, before = _without_common(list(_titled(parts)))
    for part in parts[:-1] if parts[-1].rows is None else parts:
        if part.rows is not None:
            title = " ".join(line.strip() for line in part.title).strip("# :")
            whole[_free(whole, title or "table")] = part.rows
        elif whole:
            whole[_free(whole, "text")] = "\n".join(part.lines)
        else:
            before = [*before, *part.lines]
    after = parts[-1].lines if parts[-1].rows is None else []
    return Reading("tsv", whole, True, "\n".join(before), "\n".join(after))


def _titled(parts: list[_Part]) -> Iterator[_Part]:
    """The parts, a short text before a table made part of its title."""
    waiting: _Part | None = None
    for part in parts:
        if (
            waiting
            and part.rows is not None
            and len(waiting.lines) <= _TITLE
            and max(map(len, waiting.lines)) <= _SHORT
        ):
            part, waiting = part._replace(title=[*waiting.lines, *part.title]), None
        if waiting:
            yield waiting
        waiting = part if part.rows is None else None
        if part.rows is not None:
            yield part
    if waiting:
        yield waiting


def _without_common(parts: list[_Part]) -> tuple[list[_Part], list[str]]:
    """The parts without the lines that most titles share, and these lines."""
    seen = Counter(line for part in parts if part.rows is not None for line in set(part.title))
    tables = sum(part.rows is not None for part in parts)
    common = [line for line, count in seen.items() if count > max(1, tables // 2)]
    kept = [part._replace(title=[line for line in part.title if line not in common]) for part in parts]
    return kept, sorted(common)


def _free(whole: dict[str, Any], name: str) -> str:
    number, free = 2, name
    while free in whole:
        free, number = f"{name} ({number})", number + 1
    return free


def _blocks(text: str) -> Iterator[list[str]]:
    """Runs of lines that are not blank."""
    block: list[str] = []
    for line in text.split("\n"):
        line = line.rstrip()
        if line:
            block.append(line)
        elif block:
            yield block
            block = []
    if block:
        yield block


def _heads(block: list[str]) -> list[int]:
    """Where there are column names: one of the first lines, and each later line that begins like it."""
    start = next((at for at, pair in enumerate(pairwise(block[: _TITLE + 3])) if is_header(pair)), None)
    if start is None:
        return []
    first = block[start].split(None, 1)[0]
    later = (at for at in range(start + 2, len(block) - 1) if block[at].lstrip().startswith(first))
    return [start, *(at for at in later if is_header((block[at], block[at + 1])))]


def _begins_table(block: list[str]) -> bool:
    return _PLACE.match(block[0]) is not None or any(_DRAWN.match(line) for line in block[: _TITLE + 3])


def _parts(block: list[str], known: set[tuple[str, ...]]) -> Iterator[_Part]:
    """A block as one part, or as one for each of its headers."""
    heads = _heads(block)
    if not heads:
        empty = _Part(block[:-1], [], block[-1:]) if tuple(block[-1].split()) in known else None
        yield empty or _listing(block) or _box(block) or _Part([], None, block)
        return
    begin = 0
    for head, end in zip(heads, [*heads[1:], len(block)], strict=True):
        stop = end - 1 if end < len(block) and not _GAP.search(block[end - 1]) else end  # its title stands before
        yield _table(block[begin:head], block[head:stop])
        begin = stop


def _table(title: list[str], lines: list[str]) -> _Part:
    found = read_aligned("\n".join(lines))
    if found is None or found.before or found.after:
        return _Part([], None, [*title, *lines])
    return _Part(title, found.value, lines)


def _box(block: list[str]) -> _Part | None:
    """A table with bars."""
    if not any(_DRAWN.match(line) for line in block[: _TITLE + 3]):
        return None
    found = read_piped("\n".join(block))
    if found is None:
        return None
    title = found.before.split("\n") if found.before else []
    return _Part(title, found.value, block[len(title) :])


def _listing(block: list[str]) -> _Part | None:
    """What is in a folder, below its name."""
    if not _PLACE.match(block[0]):
        return None
    if all(line.startswith("total ") for line in block[1:]):
        return _Part(block, [], [])
    long = listed(block[1:])
    if long is not None:
        return _Part([block[0], long.before], long.value, block[1:])
    return None if any(map(_GAP.search, block[1:])) else _Part(block[:1], block[1:], block[1:])
