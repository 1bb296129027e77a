"""What a question wants the most, the least, the first or the last of: the rows that hold it."""

from collections.abc import Iterator
from typing import Any

from service.core.rank.columns import ABSENT
from service.core.rank.lens import Lens
from service.core.rank.seen import Reason, Seen

NAMED, OTHER = 12.0, 3.0  # what the holder is worth in a column that the question names, and in any other
NEXT = 0.5  # and the one after it
ENDS = 4.0  # the first row, and the last
MEASURES = ("metric", "time", "")
KEYS = ("id", "status")  # whose numbers measure nothing


def superlatives(seen: list[Seen], total: int, lens: Lens) -> list[Reason]:
    """The rows that a superlative of the question means."""
    if not lens.superlatives or total < 2:
        return []
    found = [(at, 0, ENDS) for at, word in ((0, "first"), (total - 1, "last")) if word in lens.superlatives]
    if "most" in lens.superlatives:  # lists often begin with what counts most
        found.append((0, 0, ENDS))
    told = [(which, one) for which, one in enumerate(seen) if one.kind not in KEYS and not one.dull]
    named = [(which, one) for which, one in told if lens.named(one.column.place.last)]
    ranked = [(which, one) for which, one in told if one.kind in MEASURES]
    for which, one in named or ranked:
        bonus = NAMED if named else OTHER
        for i, share in _holders(one, lens.superlatives):
            found.append((i, which, bonus * share))
    return found


def _holders(one: Seen, asked: frozenset[str]) -> Iterator[tuple[int, float]]:
    """The rows with the largest and the next value of a column, or with the smallest."""
    cells = one.column.cells
    full = [i for i, value in enumerate(cells) if value is not ABSENT and value is not None]
    if len(full) < 2 or one.counted is None or len(one.counted) < 2 or not _ordered([cells[i] for i in full], one.kind):
        return
    order = sorted(full, key=cells.__getitem__)
    times = one.kind == "time"
    if ("last" in asked) if times else ("most" in asked):
        yield from zip((order[-1], order[-2]), (1.0, NEXT), strict=True)
    if ("first" in asked) if times else ("least" in asked):
        yield from zip((order[0], order[1]), (1.0, NEXT), strict=True)


def _ordered(full: list[Any], kind: str) -> bool:
    """Whether values can be compared: numbers, or times as text."""
    return all(isinstance(value, int | float) and not isinstance(value, bool) for value in full) or (
        kind == "time" and all(type(value) is str for value in full)
    )
