"""Builds the ranked tree of a value: weights fall with depth, rise where the query or an error is."""

from typing import Any

from service.core.rank.lens import Lens
from service.core.rank.names import weigh
from service.core.rank.nodes import ALWAYS, Arr, Leaf, Node, Obj, price

DEPTH = 60  # deeper values are one leaf: nobody reads them level by level
FALL = 0.9  # each level is worth so much of the one above
QUERY = 2.5  # a field that the query names


def rank(value: Any, lens: Lens) -> Node:
    """The tree to render `value` from."""
    return _build(value, (), 1.0, lens)


def text_cost(text: str) -> float:
    """Tokens of a short text, roughly: ASCII letters are cheap, everything else is not."""
    return len(text.encode("utf-8", "replace")) / 3.4 + 0.6


def _build(value: Any, path: tuple[str, ...], factor: float, lens: Lens) -> Node:
    if isinstance(value, dict) and value and len(path) < DEPTH:
        kids = {key: _build(child, (*path, key), factor * FALL, lens) for key, child in value.items()}
        return _object(value, kids)
    if isinstance(value, list) and value and len(path) < DEPTH:
        scale = factor * FALL
        items = [
            _build(child, (*path, "[]"), scale * max(0.15, (1 + at / 6) ** -0.5), lens)
            for at, child in enumerate(value)
        ]
        return Arr(value, sum(item.cost for item in items) + 1, max(item.price for item in items), items)
    return _leaf(value, path, factor, lens)


def _object(value: dict[str, Any], kids: dict[str, Node]) -> Obj:
    cost = sum(kid.cost for kid in kids.values()) + 1
    return Obj(value, cost, max(kid.price for kid in kids.values()), kids)


def _leaf(value: Any, path: tuple[str, ...], factor: float, lens: Lens) -> Leaf:
    name = next((key for key in reversed(path) if key != "[]"), "")
    text = value if isinstance(value, str) else str(value)
    cost = text_cost(text) + (len(name) / 4 + 1 if path and path[-1] == name else 0.5)
    weight = weigh(name, value) * factor
    if lens.named(name):
        weight *= QUERY
    weight += 4 * lens.hit(text) * factor
    if lens.identifies(path):
        return Leaf(value, cost, ALWAYS * price(1 + weight, cost))
    return Leaf(value, cost, price(weight, cost))
