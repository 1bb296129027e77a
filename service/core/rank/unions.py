"""Rows of several kinds, each with a field of its own: `{"type": "paragraph", "paragraph": {...}}`."""

from collections import defaultdict

from service.core.rank.seen import Reason, Seen

KINDS, MOST = 24, 0.8  # kinds of rows, and how many of the rows must have a field of their kind
WORTH = 1.5
LEAST = 4  # characters that say something


def said(seen: list[Seen], total: int) -> list[Reason]:
    """The longest text below the field that each row's kind names."""
    below: dict[str, list[int]] = defaultdict(list)
    for which, one in enumerate(seen):
        path = one.column.place.path
        if len(path) > 1 and isinstance(path[0], str):
            below[path[0]].append(which)
    for one in seen:
        named: dict[object, int] = one.counted or {}
        if len(one.column.place.path) == 1 and 2 <= len(named) <= KINDS and not below.keys().isdisjoint(named):
            found = [_longest(seen, below.get(kind, ()), i) for i, kind in enumerate(one.column.cells)]
            reasons = [(i, which, WORTH) for i, which in enumerate(found) if which is not None]
            if len(reasons) >= MOST * total:
                return reasons
    return []


def _longest(seen: list[Seen], columns: "list[int] | tuple[()]", i: int) -> int | None:
    """The column that has the longest text of a row."""
    texts = [(len(cell), -which) for which in columns if type(cell := seen[which].column.cells[i]) is str and cell]
    size, which = max(texts, default=(0, 0))
    return -which if size >= LEAST else None
