"""JSON inside string leaves, opened: what a tool wraps in text is the payload all the same."""

from typing import Any

from service.core.paths import opened

SHORTEST = 12  # characters; below, the quotes are all there is to win


def unwrap(value: Any, depth: int = 0) -> Any:
    """The value with every string that holds an object or an array replaced by it; shares what did not change."""
    if isinstance(value, str):
        return _inside(value, depth)
    if depth > 40 or not isinstance(value, dict | list):
        return value
    if isinstance(value, dict):
        found = {key: inner for key, child in value.items() if (inner := unwrap(child, depth + 1)) is not child}
        return {**value, **found} if found else value
    items = [unwrap(child, depth + 1) for child in value]
    return items if any(new is not old for new, old in zip(items, value, strict=True)) else value


def _inside(text: str, depth: int) -> Any:
    if len(text) < SHORTEST:
        return text
    edges = (
        text[0] + text[-1] if not text[0].isspace() and not text[-1].isspace() else text.strip()[:1] + text.strip()[-1:]
    )
    if edges not in ("{}", "[]"):
        return text
    inner = opened(text)
    return unwrap(inner, depth + 1) if isinstance(inner, dict | list) else text
