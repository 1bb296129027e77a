"""What the steps took away, counted by place: the raw material of the ledger."""

from collections.abc import Iterable
from typing import Any, Literal

from schemas.api import Omitted
from service.core import values
from service.core.paths import EACH, spell
from service.core.tokens import estimate

Place = tuple[str, ...]  # array positions are []
Unit = Literal["items", "fields", "text"]


class Tally:
    """Values that a step took away; `mark` and `back_to` undo what turned out to stay."""

    def __init__(self) -> None:
        self._gone: list[tuple[Place, Unit, Any, int, int]] = []

    def field(self, place: Place, value: Any) -> None:
        """A field was left out."""
        self._gone.append((place, "fields", value, 0, 1))

    def items(self, place: Place, gone: list[Any], total: int) -> None:
        """Elements of the array at a place were left out."""
        self._gone.append((place, "items", gone, total - len(gone), total))

    def reduced(self, place: Place, unit: Unit, rest: Any, kept: int, total: int) -> None:
        """An object or a string at a place was replaced by a part of it."""
        self._gone.append((place, unit, rest, kept, total))

    @property
    def empty(self) -> bool:
        """Whether nothing was taken away."""
        return not self._gone

    def mark(self) -> int:
        """A point to come back to."""
        return len(self._gone)

    def back_to(self, mark: int) -> None:
        """Forget what was counted since."""
        del self._gone[mark:]

    def entries(self, result: Any, by: Literal["policy", "request"], family: str) -> tuple[Omitted, ...]:
        """One entry per place and unit; what is left of a field elsewhere in the result counts as kept."""
        grouped: dict[tuple[Place, Unit], list[tuple[Any, int, int]]] = {}
        for place, unit, value, kept, total in self._gone:
            grouped.setdefault((place, unit), []).append((value, kept, total))
        left = occurrences(result, [place for place, unit in grouped if unit == "fields"])
        return tuple(_entry(place, unit, parts, left, by, family) for (place, unit), parts in grouped.items())


def _entry(
    place: Place,
    unit: Unit,
    parts: list[tuple[Any, int, int]],
    left: dict[Place, int],
    by: Literal["policy", "request"],
    family: str,
) -> Omitted:
    kept, total = sum(part[1] for part in parts), sum(part[2] for part in parts)
    plain = unit == "fields" and not kept
    kept, total = (kept + left.get(place, 0), total + left.get(place, 0)) if plain else (kept, total)
    tokens = estimate(values.encode([part[0] for part in parts]), family)
    return Omitted(path=spell(place), unit=unit, by=by, kept=kept, total=total, tokens=tokens)


def occurrences(value: Any, places: Iterable[Place]) -> dict[Place, int]:
    """How often each place is there; one walk that only goes where a place leads."""
    trie: dict[Any, Any] = {}
    for place in places:
        node = trie
        for segment in place:
            node = node.setdefault(segment, {})
        node[None] = place
    counts: dict[Place, int] = {}
    todo = [(value, trie)] if trie else []
    while todo:
        here, node = todo.pop()
        if isinstance(here, list) and EACH in node:
            todo += [(element, node[EACH]) for element in here if isinstance(element, dict | list)]
        elif isinstance(here, dict):
            for segment, below in node.items():
                if segment in here:
                    if None in below:
                        counts[below[None]] = counts.get(below[None], 0) + 1
                    todo.append((here[segment], below))
    return counts
