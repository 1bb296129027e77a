"""The ranked tree: what a renderer walks at one price. A node's `price` is the best price of anything inside it."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from math import pow
from typing import Any

from service.core.rank.columns import Path
from service.core.text import Block, Shown

POWER = 0.8
ALWAYS = 1e6  # the price of identity: gone only when nothing at all can be shown


def always(depth: int) -> float:
    """The price factor of identity: that of the whole comes before that of its parts."""
    return max(ALWAYS * 4.0**-depth, 4e3)


def price(weight: float, cost: float) -> float:
    """What a weight is worth per cost; dear things are a little cheaper by the piece."""
    return weight / pow(cost, POWER) if cost > 1.0 else weight


@dataclass(slots=True, eq=False)
class Leaf:
    """A value that is shown whole or not at all, or what is left of a string that was cut."""

    value: Any
    cost: float
    price: float
    spelled: str | None = None  # as a cell, once that was asked for
    full: int = 0  # characters of the whole string, when this is the beginning of one


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


@dataclass(slots=True, eq=False)
class Col:
    """A column of a table: one path, its cells, and what showing one of them is worth."""

    path: Path
    name: str
    kind: str
    cells: list[Any]
    cost: float
    price: float
    weight: float = 0.0
    grow: Callable[[Any], "Node"] | None = None  # of cells that are containers, which are shown in part
    grown: dict[int, "Node"] = field(default_factory=dict)
    spelled: dict[int, str] = field(default_factory=dict)  # cells that were shown before, as text
    gaps: bool = True  # some rows have nothing here
    least: float = 0.0  # tokens of a cell that is shown as little as it can be
    rank: int = 1 << 30  # its place among the columns that are shown by row
    steady: bool | None = None  # it shows the same at any price, once that was looked up

    def node(self, i: int) -> "Node":
        """The tree of a cell that is a container, built when it is first looked at."""
        if i not in self.grown and self.grow is not None:
            self.grown[i] = self.grow(self.cells[i])
        return self.grown[i]


@dataclass(slots=True, eq=False)
class Hoisted:
    """What every row has in common, said once: a constant, or a text made of other columns."""

    name: str
    text: str
    cost: float
    price: float


@dataclass(slots=True, eq=False)
class Table:
    """Rows of similar objects; a row shows the columns that its own weight pays for."""

    value: Any
    cost: float
    price: float
    total: int
    at: list[int]  # the position in `value` of every row that may be shown
    weights: list[float]
    order: list[int]  # the rows by their weight, that of most weight first
    columns: list[Col]  # dearest first when ranked, as they came when lossless
    sparse: list[Col]
    hoisted: list[Hoisted]
    overview: list[Hoisted]
    special: dict[int, list[tuple[float, Col]]] = field(default_factory=dict)  # cells that make a row what it is
    optional: frozenset[str] = frozenset()  # columns in which an empty cell is an absent field, not null
    asked: tuple[str, ...] = ()  # words that are looked for in long cells
    keywords: "re.Pattern[str] | None" = None
    bare: bool = False  # the rows are lists, not objects
    drawn: dict[tuple[int, int], str] = field(default_factory=dict)  # rows that were shown before, by their width


@dataclass(slots=True, eq=False)
class Text:
    """A long text, shown line by line at the same price as everything else."""

    value: str
    cost: float
    price: float
    factor: float
    block: Block

    def show(self, level: float) -> Shown:
        """What is shown of it at a price."""
        return self.block.show(level / self.factor)


@dataclass(slots=True, eq=False)
class Seq:
    """A value with the text that stood around it."""

    value: Any
    cost: float
    price: float
    kids: list["Node"]


Node = Leaf | Obj | Arr | Table | Text | Seq
