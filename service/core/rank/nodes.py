"""The ranked tree: what a renderer walks at one price. A node's `price` is the best price of anything inside it."""

from dataclasses import dataclass, field
from typing import Any

POWER = 0.8
ALWAYS = 1e6  # the price of identity: gone only when nothing at all can be shown


def price(weight: float, cost: float) -> float:
    """What a weight is worth per cost; dear things are a little cheaper by the piece."""
    return float(weight / max(cost, 1.0) ** POWER)


@dataclass(slots=True, eq=False)
class Leaf:
    """A value that is shown whole or not at all."""

    value: Any
    cost: float
    price: float


@dataclass(slots=True, eq=False)
class Obj:
    """An object whose fields are shown or named."""

    value: dict[str, Any]
    cost: float
    price: float
    kids: dict[str, "Node"]


@dataclass(slots=True, eq=False)
class Arr:
    """An array whose items are shown or counted."""

    value: list[Any]
    cost: float
    price: float
    kids: list["Node"] = field(default_factory=list)


Node = Leaf | Obj | Arr
