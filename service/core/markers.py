"""Markers: how an answer says, in place, what it left out (DESIGN 2.2). Every endpoint writes and escapes them here.

A single … in one of these places is always ours: payload text that could be taken for a marker gets one more.
"""

import re
from collections.abc import Iterable
from typing import Any

MARK = "…"
NAMES = 60  # bytes that the names of left-out fields may take
_CUT = re.compile(r"(?<!…)… \[(\d+) more characters\]")
_FORGED = re.compile(r"…+ (?:\d+ more |object of |array of |\[\d+ more )")
_FORGED_TAIL = re.compile(r"…+(?= \[\d+ more characters\]\Z)")
_FORGED_LINE = re.compile(r"^(?=[ \t]*…+ (?:\d+ more |object of |array of |\[\d+ more ))", re.MULTILINE)


def array_gap(count: int, first: int, last: int) -> str:
    """Stands in an array where items `first` to `last` (from 0) were."""
    return f"{MARK} {count} more items ({first}-{last})"


def line_gap(count: int, first: int, last: int) -> str:
    """Stands in a text or table where lines `first` to `last` (from 1) were."""
    return f"{MARK} {count} more lines ({first}-{last})"


def object_gap(names: Iterable[str], count: int) -> str:
    """The value under the key … of an object that lost `count` fields; `names` are the first of them."""
    listed: list[str] = []
    room = NAMES
    for name in names:
        room -= len(name.encode("utf-8", "replace")) + 2
        if room < 0:
            break
        listed.append(name)
    return f"{count} more fields" + (f": {', '.join(listed)}" if listed else "")


def cut_string(count: int) -> str:
    """Ends a string that lost its last `count` characters."""
    return f"{MARK} [{count} more characters]"


def cut_characters(text: str) -> int:
    """How many characters the cuts in a text say they took."""
    return sum(int(count) for count in _CUT.findall(text))


def stand_in(value: Any) -> str:
    """Stands where a whole value was."""
    if isinstance(value, dict):
        return f"{MARK} object of {len(value)} fields"
    if isinstance(value, list | tuple):
        return f"{MARK} array of {len(value)} items"
    return cut_string(len(value if isinstance(value, str) else str(value)))


def escape(text: str) -> str:
    """Payload text as a string value: one more … where it could be taken for a marker."""
    if MARK not in text:
        return text
    if _FORGED.match(text):
        return MARK + text
    return _FORGED_TAIL.sub(lambda hit: hit[0] + MARK, text) if text.endswith(" more characters]") else text


def escape_key(key: str) -> str:
    """A payload key that consists of … alone gets one more."""
    return key + MARK if key.startswith(MARK) and not key.strip(MARK) else key


def escape_lines(text: str) -> str:
    """Payload text of many lines: one more … before every line that could be taken for a marker."""
    return _FORGED_LINE.sub(MARK, text) if MARK in text else text
