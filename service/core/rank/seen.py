"""A column with what was counted in it: the statistics that columns and rows are judged by."""

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from service.core.rank.columns import Column
from service.core.rank.names import kind_of


@dataclass(slots=True, eq=False)
class Seen:
    """A column with what was counted in it."""

    column: Column
    counted: "Counter[Any] | None"
    filled: int
    kind: str = ""  # the class of the column's name
    constant: bool = False  # every row has the same value here
    grouped: Any = None

    def __post_init__(self) -> None:
        self.kind = kind_of(next((step for step in reversed(self.column.path) if isinstance(step, str)), ""))
        self.constant = self._constant()

    def _constant(self) -> bool:
        cells = self.column.cells
        if self.filled < len(cells):
            return False
        if self.counted is None:
            return all(value == cells[0] for value in cells)
        return len(self.counted) == 1 and len(set(map(type, cells))) == 1

    @property
    def entropy(self) -> float:
        """How much the values differ: 0 all alike, 1 all different."""
        if self.counted is None or self.filled < 2:
            return 1.0
        parts = [count / self.filled for count in self.counted.values()]
        return -sum(part * math.log(part) for part in parts) / math.log(self.filled)

    @property
    def partition(self) -> Any:
        """How the values group the rows: two columns with the same partition say the same in other words."""
        if self.counted is None or not 2 <= len(self.counted) <= 0.8 * self.filled:
            return self
        if self.grouped is None:
            first: dict[Any, int] = {}
            self.grouped = tuple(map(first.setdefault, self.column.cells, range(len(self.column.cells))))
        return self.grouped


def each(judge: Callable[[Any], float], cells: list[Any], again: bool) -> list[float]:
    """What is found of every cell; where texts come again, each is looked at once."""
    if not again:
        return list(map(judge, cells))
    known: dict[str, float] = {text: judge(text) for text in {cell for cell in cells if type(cell) is str}}
    return [known[cell] if type(cell) is str else judge(cell) for cell in cells]
