"""JSON inside string leaves, opened: what a tool wraps in text is the payload all the same."""

from typing import Any

from service.core.paths import opened

_OPENING = frozenset((str, dict, list))  # what can hold more
SHORTEST = 12  # characters; below, the quotes are all there is to win


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
