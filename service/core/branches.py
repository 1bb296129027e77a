"""Trees of small objects that hold their like (folders, comments, packages), as lines set in below one another."""

from collections.abc import Iterator
from typing import Any

from service.core.values import encode

FEW, FIELDS, LONGEST, DEPTH = 12, 4, 80, 3  # objects of a tree, fields of one besides what it holds, characters, levels
LOOKED = 50  # objects that tell what holds them
_NAMES = ("name", "title", "label", "path", "key", "id")  # what an object is called
_BARE = frozenset(("type", "kind"))  # said without their name
_PLAIN = {str, int, float, bool, type(None)}


def branch_lines(value: Any) -> list[str] | None:
    """One line for each object, two spaces deeper than the one that holds it; None when this is no such tree."""
    roots = value if isinstance(value, list) else [value]
    below = _below(roots)
    if below is None:
        return None
    found = list(_walk(roots, below))
    if len(found) < FEW or max(depth for depth, _ in found) + 1 < DEPTH:
        return None
    if not all(_small(node, below) for _, node in found):
        return None
    return ["  " * depth + _line(node, below) for depth, node in found]


def _below(roots: list[Any]) -> str | None:
    """The field under which objects hold objects that do the same."""
    pairs = [pair for node in roots[:LOOKED] if isinstance(node, dict) for pair in node.items()]
    for key, held in pairs:
        if _holds(held) and any(_holds(one.get(key)) for one in held if isinstance(one, dict)):
            return str(key)
    return None


def _holds(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _walk(roots: list[Any], below: str) -> Iterator[tuple[int, Any]]:
    waiting: list[tuple[int, Any]] = [(0, node) for node in reversed(roots)]
    while waiting:
        depth, node = waiting.pop()
        yield depth, node
        found = node.get(below) if isinstance(node, dict) else None
        held: list[Any] = found if isinstance(found, list) else []
        waiting.extend((depth + 1, one) for one in reversed(held))


def _small(node: Any, below: str) -> bool:
    if not isinstance(node, dict) or not 1 <= len(node) <= FIELDS + 1 or not isinstance(node.get(below, []), list):
        return False
    return all(name == below or _short(child) for name, child in node.items())


def _short(value: Any) -> bool:
    if isinstance(value, str):
        return len(value) <= LONGEST and value.isprintable()
    return type(value) in _PLAIN or not isinstance(value, dict | list)


def _line(node: dict[str, Any], below: str) -> str:
    """What an object is called, then its other fields by name."""
    called = next((name for name in _NAMES if isinstance(node.get(name), str) and node[name]), "")
    parts = [node[called]] if called else []
    for name, value in node.items():
        if name not in (called, below) and value is not None:
            told = value if isinstance(value, str) else encode(value).decode()
            parts.append(told if name in _BARE and told else f"{name}={told}")
    return " ".join(parts) or "-"
