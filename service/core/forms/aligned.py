"""Tables whose columns are aligned with spaces: kubectl, docker, ps, df, ls."""

import re
from itertools import pairwise

from service.core.forms.columns import named, typed
from service.core.forms.cuts import Cut, cut
from service.core.forms.reading import Reading
from service.core.forms.sample import Sample

_CAPITALS = re.compile(r"\s*[A-Z%#][A-Z0-9%_()./#:+-]*(?<!:)(?:\s+[A-Z%#(/][A-Z0-9%_()./#:+-]*(?<!:))+\s*$")
_NAME = r"(?:[A-Za-z%#_(/](?:[\w%#@./()+-]|:(?=[A-Za-z]))*|1K-blocks)"
_NAMES = rf"{_NAME}(?: {_NAME}){{0,7}}"
_LABEL = r"(?:\d\d:\d\d:\d\d(?: [AP]M)?\s+(?=.*(?:%|/s))|[a-z-]+:\s+(?=%))?"  # sar, iostat: what the rows are of
_WORDS = re.compile(rf"\s*{_LABEL}{_NAMES}(?:\s{{2,}}{_NAMES})+\s*$")
_RULE = re.compile(r"\s*+(?:[-=~]{2,}+|\+\+\+(?=-))(?:\s++[-=~]{2,}+|[+-](?:={2,}+|~{2,}+))++\s*$|-{20,}+\s*$")
_GAPS = re.compile(r"\s{2,}")
_SURE = 5  # columns: with so many, one row is a table
_BANNER = 12  # lines before the names


def looks_aligned(seen: Sample) -> bool:
    """Whether there is a line of column names with rows set below it."""
    lines = seen.lines[: _BANNER + 1]
    if not any(is_header(pair) for pair in pairwise(lines)):
        return False
    return read_aligned("\n".join(seen.text.split("\n", 60)[:60])) is not None


def is_header(lines: tuple[str, str]) -> bool:
    """Whether the first of two lines names the columns of the second."""
    if _RULE.match(lines[1]) or _CAPITALS.match(lines[0]):
        return True
    if not _WORDS.match(lines[0]) or lines[0].startswith("# ") or not _GAPS.search(lines[1].strip()):
        return False
    names = _GAPS.split(lines[0].strip())
    return len(names) > 2 or " " not in names[-1]  # a word and a phrase: an entry of a list


def read_aligned(text: str) -> Reading | None:
    """The rows below the column names as objects."""
    lines = text.expandtabs(8).split("\n") if "\t" in text else text.split("\n")
    lines = [line.rstrip() for line in lines]
    filled = [at for at, line in enumerate(lines) if line]
    for skip in range(min(_BANNER, len(filled) - 1)):
        if is_header((lines[filled[skip]], lines[filled[skip + 1]])):
            begin = filled[skip]
            end = next((at for at in range(begin, len(lines)) if not lines[at]), len(lines))
            found = _table(lines[begin:end])
            if found is None or (end - begin) * 2 < len(filled):
                return None
            before, after = "\n".join(lines[:begin]).strip(), "\n".join(lines[end:]).strip()
            return Reading("tsv", typed(*found), True, before, after)
    return None


def _table(lines: list[str]) -> Cut | None:
    """Names and rows; None when the lines do not fit under the names."""
    header, rows = lines[0], lines[1:]
    rule = rows[0] if rows and _RULE.match(rows[0]) else ""
    rows = [row for row in rows if not _RULE.match(row)] if rule else rows
    found = cut(header, rows, rule) if rows else None
    if found is None or (len(rows) == 1 and not rule and not _CAPITALS.match(header) and len(found[0]) < _SURE):
        return None
    return (named(found[0], max(len(found[0]), *map(len, found[1]))), found[1])
