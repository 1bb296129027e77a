"""What a table is about in a few words: how many of each status, over which range."""

from collections import Counter
from typing import Any

from service.core import values
from service.core.rank.columns import ABSENT
from service.core.rank.nodes import Hoisted, price
from service.core.rank.seen import Seen
from service.core.render.spelling import cell

LISTED, LONGEST = 2, 24  # pieces, and characters of a value that is listed
WORTH = {"status": 20.0, "category": 12.0, "error": 15.0, "time": 8.0, "metric": 6.0}


def overview(seen: list[Seen], factor: float) -> list[Hoisted]:
    """What a table is about in a few words: how many of each status, over which range."""
    pieces: list[Hoisted] = []
    told: set[Any] = set()
    for one in seen:
        if one.constant or one.counted is None or one.filled < 4:
            continue
        weight = WORTH.get(one.kind, 2.0)
        text = _shares(one) or _range(one)
        mark = one.partition if "×" in text else one.kind
        if text and mark not in told:
            told.add(mark)
            name = one.column.place.name
            cost = len(name) / 4 + len(text) / 3 + 1
            weight *= 0.75 ** (len(one.column.place.path) - 1) * factor
            pieces.append(Hoisted(name, text, cost, price(weight, cost)))
    return sorted(pieces, key=lambda piece: -piece.price)[:LISTED]


def _shares(one: Seen) -> str:
    counted = one.counted or Counter()
    if not 2 <= len(counted) <= 8 or one.filled < 2 * len(counted):
        return ""
    if sum(len(str(value)) for value in counted) > LONGEST * len(counted):
        return ""
    return ", ".join(f"{cell(value)} ×{count}" for value, count in counted.most_common())


def _range(one: Seen) -> str:
    if one.kind not in ("time", "metric"):
        return ""
    full = [value for value in one.column.cells if value is not ABSENT and value is not None]
    kinds = set(map(type, full))
    if not kinds <= {int, float, values.Number} and (kinds != {str} or one.kind != "time"):
        return ""
    if min(full) == max(full):
        return ""
    low, high = cell(min(full)), cell(max(full))
    return f"{low}..{high}" if len(low) < 40 and len(high) < 40 else ""
