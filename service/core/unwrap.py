"""JSON inside string leaves, opened: what a tool wraps in text is the payload all the same."""

import re
from collections.abc import Iterator
from typing import Any

from service.core import values
from service.core.paths import opened

_OPENING = frozenset((str, dict, list))  # what can hold more
SHORTEST = 12  # characters; below, the quotes are all there is to win
ROWS = 1000  # of a list that are looked through at once
_OPENS = re.compile(rb'"(?: |\\[ntr])*+[{\[]')  # the start of a string that may hold JSON, in JSON
_CLOSES = re.compile(rb'(?:[^"\\]++|\\.)*+(?:(?<=[}\] ])|(?<=\\[ntr]))"')  # and its end


def unwrap(value: Any, depth: int = 0) -> Any:
    """The value with every string that holds an object or an array replaced by it; shares what did not change."""
    if isinstance(value, str):
        return _inside(value, depth)
    if depth > 40 or not isinstance(value, dict | list):
        return value
    places = value.items() if isinstance(value, dict) else enumerate(value)
    found = {
        place: inner
        for place, child in places
        if type(child) in _OPENING and (inner := unwrap(child, depth + 1)) is not child
    }
    if not found:
        return value
    return {**value, **found} if isinstance(value, dict) else [found.get(at, one) for at, one in enumerate(value)]


def _inside(text: str, depth: int) -> Any:
    if len(text) < SHORTEST:
        return text
    bare = text.strip() if text[0].isspace() or text[-1].isspace() else text
    if bare[:1] + bare[-1:] not in ("{}", "[]"):
        return text
    inner = opened(text)
    return unwrap(inner, depth + 1) if isinstance(inner, dict | list) else text


def unwrapped(value: Any) -> Any:
    """The value with the JSON in its strings opened, when there can be any."""
    quotes = holds = False
    for raw in _pieces(value):
        quotes, holds = quotes or b'\\"' in raw, holds or _holds_json(raw)
        if quotes and holds:
            return unwrap(value)
    return value


def _pieces(value: Any) -> Iterator[bytes]:
    """A value as JSON, piece by piece: of a large one there need not be another copy."""
    if isinstance(value, dict):
        yield values.encode(list(value))
        for child in value.values():
            yield from _pieces(child) if type(child) is list else (values.encode(child),)
    elif isinstance(value, list):
        for start in range(0, len(value), ROWS):
            yield values.encode(value[start : start + ROWS])
    else:
        yield values.encode(value)


def _holds_json(raw: bytes) -> bool:
    """Whether a string in this JSON begins and ends like JSON; an escaped quote begins none."""
    return any(
        raw[hit.start() - 1 : hit.start()] != b"\\" and _CLOSES.match(raw, hit.end() - 1)
        for hit in _OPENS.finditer(raw)
    )
