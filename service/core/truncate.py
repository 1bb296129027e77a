"""Truncate: a long string keeps its beginning and says how much is missing, all within the limit."""

import re
import unicodedata
from collections.abc import Callable
from typing import Any

from service.core.ledger import Ledger
from service.core.markers import MARK, cut_string
from service.core.paths import EACH, spell

SOFT = 0.7  # a sentence or word may end so far before the limit
_ENDS = (re.compile(r"[.!?…][\"')\]]*(?=\s)|[。！？]"), re.compile(r"(?=\s)"))
_JOINED = "\u200d\ufe0f"  # what ties code points into one sign
_MISSING = re.compile(r"… \[(\d+) more characters\]")
DEEPEST = 200

Change = Callable[[str], str]


def truncate(text: str, chars: int) -> str:
    """At most `chars` characters of a text, the marker included; cut at a sentence or a word where there is one."""
    if len(text) <= chars:
        return text
    room = max(0, chars - len(cut_string(len(text))) - 1)
    kept = text[: _boundary(text, room)].rstrip()
    marker = cut_string(len(text) - len(kept))
    return (f"{kept} {marker}" if kept else marker)[: max(chars, len(marker))]


def beginning(text: str, chars: int) -> str:
    """The same; of a text that may look like a marker nothing but how long it is."""
    return cut_string(len(text)) if len(text) > chars and MARK in text[:chars] else truncate(text, chars)


def _boundary(text: str, room: int) -> int:
    for ends in _ENDS:
        at = max((hit.end() for hit in ends.finditer(text, int(room * SOFT), room + 1) if hit.end() <= room), default=0)
        if at:
            return at
    while room and (text[room] in _JOINED or text[room - 1] in _JOINED or _follows(text[room])):
        room -= 1
    return room


def _follows(sign: str) -> bool:
    """Whether a code point belongs to the one before it."""
    return bool(unicodedata.combining(sign)) or 0x1F3FB <= ord(sign) <= 0x1F3FF


def each_text(value: Any, change: Change, kept: Callable[[tuple[str, ...]], bool], ledger: Ledger) -> Any:
    """The value with every string changed but those at places that must stay; what they lost goes to the ledger."""
    return _each(value, (), change, kept, ledger)


def _each(
    value: Any, path: tuple[str, ...], change: Change, kept: Callable[[tuple[str, ...]], bool], ledger: Ledger
) -> Any:
    if len(path) > DEEPEST:
        return value
    if isinstance(value, dict):
        return {key: _each(child, (*path, key), change, kept, ledger) for key, child in value.items()}
    if isinstance(value, list):
        return [_each(child, (*path, EACH), change, kept, ledger) for child in value]
    if not isinstance(value, str):
        return value
    changed = change(value)
    if changed == value or kept(path):
        return value
    left = max(0, len(value) - sum(map(int, _MISSING.findall(changed))))
    ledger.add(spell(path), "text", "policy", left, len(value), (len(value) - left) / 3.4)
    return changed
