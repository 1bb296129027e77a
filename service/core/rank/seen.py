"""A column with what was counted in it: the statistics that columns and rows are judged by."""

import math
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from service.core.rank.columns import ABSENT, Column, Path
from service.core.rank.names import kind_of

Reason = tuple[int, int, float]  # why a row is more than ordinary: candidate row, column, bonus
TRUNK = 0.8  # of the columns below one step
FEW = 32  # values of a column whose spread is remembered


@dataclass(slots=True, eq=False)
class Seen:
    """A column with what was counted in it."""

    column: Column
    counted: "Counter[Any] | None"
    filled: int
    kind: str  # the class of the column's name
    constant: bool  # every row has the same value here
    grouped: Any = None
    depth: int = 0  # levels that say something
    link: bool = False  # the only address that the rows have

    @property
    def dull(self) -> bool:
        """Whether a name of it, or around it, says that nobody reads it."""
        return self.kind == "noise" or self.column.place.noisy

    @property
    def entropy(self) -> float:
        """How much the values differ: 0 all alike, 1 all different."""
        if self.counted is None or self.filled < 2:
            return 1.0
        counts = tuple(self.counted.values())
        return _known_spread(counts) if len(counts) <= FEW else _spread(counts)

    @property
    def partition(self) -> Any:
        """How the values group the rows: two columns with the same partition say the same in other words."""
        if self.counted is None or not 2 <= len(self.counted) <= 0.8 * self.filled:
            return self
        if self.grouped is None:
            first: dict[Any, int] = {}
            self.grouped = tuple(map(first.setdefault, self.column.cells, range(len(self.column.cells))))
        return self.grouped


def _spread(counts: tuple[int, ...]) -> float:
    total = sum(counts)
    parts = {count: count / total * math.log(count / total) for count in set(counts)}
    return -sum(map(parts.__getitem__, counts)) / math.log(total)


_known_spread = lru_cache(maxsize=4096)(_spread)  # of few rows there are few ways to differ


def deepen(columned: list[Seen]) -> None:
    """Counts the levels above each column, but for those that hold nearly all there is: they only wrap it."""
    trunk: Path = ()
    inside = [one.column.place.path for one in columned]
    while True:
        at = len(trunk)
        steps = Counter(path[at] for path in inside if len(path) > at + 1)
        step, count = max(steps.items(), key=lambda item: item[1], default=("", 0))
        if count < TRUNK * len(columned):
            break
        trunk, inside = (*trunk, step), [path for path in inside if len(path) > at + 1 and path[at] == step]
    for one in columned:
        path = one.column.place.path
        own = path[len(trunk) :] if path[: len(trunk)] == trunk else path
        levels = len([step for step in own if not isinstance(step, int)])
        one.depth = max(0, levels - 1 - (one.column.place.last != path[-1]))


def seen(column: Column) -> Seen:
    """A column, counted."""
    cells = column.cells
    kind = kind_of(column.place.last)
    try:
        counted = Counter(cells)
    except TypeError:
        filled = len(cells) - cells.count(ABSENT) - cells.count(None)
        constant = filled == len(cells) and cells[0] == cells[-1] and cells.count(cells[0]) == filled
        return Seen(column, None, filled, kind, constant)
    filled = len(cells) - counted.pop(ABSENT, 0) - counted.pop(None, 0)
    constant = len(counted) == 1 and filled == len(cells) and len(set(map(type, cells))) == 1
    return Seen(column, counted, filled, kind, constant)
