"""What a row is worth: extremes, rare categories, error words, change points, the first and the last, what is asked for."""

import math
import re
from collections import Counter
from dataclasses import dataclass
from typing import Any

from service.core import values
from service.core.rank.columns import ABSENT, Column
from service.core.rank.lens import Lens
from service.core.rank.names import ERROR_WORDS, kind_of
from service.core.rank.nodes import Hoisted, price
from service.core.render.spelling import cell, dotted

SAMPLE = 2000
_MASKED = re.compile(r"\d+|\b[0-9a-f]{8,}\b")
_NUMERIC = re.compile(r"-?\d{1,15}(?:\.\d{1,15})?\Z")
LISTED = 6
PREFERRED = frozenset("en en-US default latest main master current total production prod".split())


@dataclass(slots=True, eq=False)
class Seen:
    """A column with what was counted in it."""

    column: Column
    counted: "Counter[Any] | None"
    filled: int

    @property
    def constant(self) -> bool:
        """Whether every row has the same value here."""
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
        first: dict[Any, int] = {}
        return tuple(first.setdefault(value, i) for i, value in enumerate(self.column.cells))

    @property
    def kind(self) -> str:
        """The class of the column's name."""
        return kind_of(next((step for step in reversed(self.column.path) if isinstance(step, str)), ""))


def candidates(rows: list[Any], lens: Lens) -> list[int]:
    """The rows that may be shown: all of a short table, a sample of a long one and what the query finds in it."""
    if len(rows) <= SAMPLE:
        return list(range(len(rows)))
    step = len(rows) / (SAMPLE * 0.7)
    picked = {int(i * step) for i in range(int(SAMPLE * 0.7))}
    picked.update(range(SAMPLE // 5), range(len(rows) - SAMPLE // 10, len(rows)))
    if lens.words:
        hits = [(lens.hit(_raw(row)), -at) for at, row in enumerate(rows)]
        picked.update(-at for score, at in sorted(hits, reverse=True)[: SAMPLE // 4] if score > 0)
    return sorted(at for at in picked if at < len(rows))


def _raw(row: Any) -> str:
    return values.encode(row).decode()


def row_weights(rows: list[Any], at: list[int], seen: list[Seen], lens: Lens) -> list[float]:
    """One weight per candidate row; falls with the rank of its score, so that few are wide."""
    scores = [1.0] * len(at)
    scores[0] += 0.5
    scores[-1] += 0.3
    for bonus, cap in ((_extremes(seen, len(at)), 2.0), (_rare(seen, len(at)), 1.5), (_changes(seen, len(at)), 0.6)):
        for i, extra in bonus.items():
            scores[i] += min(cap, extra)
    _errors(seen, scores)
    _repeats(seen, scores)
    if lens.words or lens.keywords is not None:
        for i, where in enumerate(at):
            scores[i] += 4 * lens.hit(_raw(rows[where]))
    _referred(seen, scores, lens)
    order = sorted(range(len(scores)), key=lambda i: (-scores[i], i))
    weights = [0.0] * len(scores)
    for rank, i in enumerate(order):
        weights[i] = scores[i] * (1 + rank / 6) ** -0.5
    return weights


def _extremes(seen: list[Seen], total: int) -> dict[int, float]:
    """The holders of a metric's maximum and minimum."""
    bonus: dict[int, float] = {}
    for one in seen:
        if one.counted is None or len(one.counted) < 3 or one.kind not in ("metric", "time"):
            continue
        numbers = [(n, -i) for i, n in enumerate(map(_number, one.column.cells)) if n is not None]
        if len(numbers) * 2 >= total:
            for i, extra in ((-max(numbers)[1], 1.2), (-min(numbers)[1], 0.6)):
                bonus[i] = bonus.get(i, 0.0) + extra
    return bonus


def _number(value: Any) -> float | None:
    """A number, also when it is spelled as a string."""
    if type(value) is str:
        return float(value) if _NUMERIC.match(value) else None
    return float(value) if type(value) in (int, float, values.Number) else None


def _rare(seen: list[Seen], total: int) -> dict[int, float]:
    """Rows of a category that few rows have."""
    bonus: dict[int, float] = {}
    for one in seen:
        counted = one.counted
        if counted is None or not 2 <= len(counted) <= max(12, total // 8):
            continue
        top = max(counted.values())
        rare = {value: math.log(top / count) / 3 for value, count in counted.items() if count * 4 <= top}
        if not rare or sum(counted[value] for value in rare) > 0.15 * total:
            continue
        for i, value in enumerate(one.column.cells):
            if value in rare:
                bonus[i] = max(bonus.get(i, 0.0), rare[value])
    return bonus


def _changes(seen: list[Seen], total: int) -> dict[int, float]:
    """Rows at which a category changes that seldom does."""
    bonus: dict[int, float] = {}
    for one in seen:
        if one.counted is None or not 2 <= len(one.counted) <= 20 or total < 20:
            continue
        cells = one.column.cells
        changed = [i for i in range(1, len(cells)) if cells[i] != cells[i - 1]]
        if len(changed) <= total // 20:
            bonus.update(dict.fromkeys(changed, 0.6))
    return bonus


def _errors(seen: list[Seen], scores: list[float]) -> None:
    """Rows that speak of an error, unless most do."""
    hits: set[int] = set()
    for one in seen:
        texts = () if one.counted is None else one.counted
        bad = {text for text in texts if _telling(text, one.kind) and ERROR_WORDS.search(text)}
        if bad:
            hits.update(i for i, value in enumerate(one.column.cells) if type(value) is str and value in bad)
    if len(hits) * 2 <= len(scores):
        for i in hits:
            scores[i] += 0.8


def _telling(text: Any, kind: str) -> bool:
    """Whether a text says something: an identifier that contains a word like failing does not."""
    return type(text) is str and len(text) < 5000 and (" " in text or kind in ("error", "status", "category", ""))


def _repeats(seen: list[Seen], scores: list[float]) -> None:
    """The k-th row that says the same but for its numbers counts less."""
    for one in seen:
        if one.counted is None or one.kind not in ("text", "error", "name") or len(scores) < 6:
            continue
        masked = [_MASKED.sub("0", v) if type(v) is str else "" for v in one.column.cells]
        if len(set(masked)) > 0.7 * len(masked) or sum(map(len, masked)) < 12 * len(masked):
            continue
        times: Counter[str] = Counter()
        for i, text in enumerate(masked):
            times[text] += 1
            scores[i] *= times[text] ** -0.5
        return


def _referred(seen: list[Seen], scores: list[float], lens: Lens) -> None:
    """Rows that are named elsewhere, as latest names a version."""
    for one in seen[:3]:
        if lens.named_elsewhere and one.counted is not None:
            for i, value in enumerate(one.column.cells):
                if type(value) is str and value in lens.named_elsewhere:
                    scores[i] += 2
        if one.column.path == ("@key",):
            for i, value in enumerate(one.column.cells):
                scores[i] += 1.0 if value in PREFERRED else 0.0


def overview(seen: list[Seen], factor: float) -> list[Hoisted]:
    """What a table is about in a few words: how many of each status, over which range."""
    pieces: list[Hoisted] = []
    for one in seen:
        if one.constant or one.counted is None or one.filled < 4:
            continue
        weight = {"status": 20.0, "category": 12.0, "error": 15.0, "time": 8.0, "metric": 6.0}.get(one.kind, 2.0)
        text = _shares(one) or _range(one)
        if text:
            name = dotted(one.column.path)
            cost = len(name) / 4 + len(text) / 3 + 1
            weight *= 0.75 ** (len(one.column.path) - 1) * factor
            pieces.append(Hoisted(name, text, cost, price(weight, cost)))
    return sorted(pieces, key=lambda piece: -piece.price)[:LISTED]


def _shares(one: Seen) -> str:
    counted = one.counted or Counter()
    if not 2 <= len(counted) <= 8 or one.filled < 2 * len(counted):
        return ""
    return ", ".join(f"{cell(value)} ×{count}" for value, count in counted.most_common())


def _range(one: Seen) -> str:
    if one.kind not in ("time", "metric"):
        return ""
    full = [value for value in one.column.cells if value is not ABSENT and value is not None]
    kinds = set(map(type, full))
    if not kinds <= {int, float, values.Number} and (kinds != {str} or one.kind != "time"):
        return ""
    low, high = cell(min(full)), cell(max(full))
    return f"{low}..{high}" if len(low) < 40 and len(high) < 40 else ""
