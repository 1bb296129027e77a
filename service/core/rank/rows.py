"""What a row is worth: extremes, rare categories, error words, change points, both ends, what is asked for."""

import math
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

from service.core import values
from service.core.rank.columns import ABSENT, NONE
from service.core.rank.lens import Lens
from service.core.rank.names import erring, kind_of, speaks_of_error
from service.core.rank.seen import Reason, Seen
from service.core.rank.superlatives import superlatives
from service.core.rank.unions import said

SAMPLE = 2000
DEEPER = 0.8
FEW = 5  # rows that share a value which hardly any other has
NUMBERS = {int, float, values.Number}
_MASKED = re.compile(r"\d+|\b[0-9a-f]{8,}\b")
_NUMERIC = re.compile(r"-?\d{1,15}(?:\.\d{1,15})?\Z")
ASKED = 300  # rows that may be shown because they were asked for
NOWHERE = -1  # a row that is asked for by all of its cells together
GRADES, GRADE = ("status", "category"), 12  # columns that say how bad a row is, in so many words
LACKING = 0.12  # of the rows may lack something that the others have
NARROW = 3  # columns that differ: the rows of such a table are told apart by what they say
PREFERRED = frozenset("en en-US default latest main master current total production prod".split())


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
    picked.update(_standing_out(rows))
    picked.update(_claimed(rows, lens) if lens.claims is not None else ())
    return sorted(at for at in picked if at < len(rows))


def _standing_out(rows: list[Any]) -> Iterator[int]:
    """Rows of a long table that a look along its plain columns tells apart: extremes, rare values, errors."""
    for key in rows[0] if type(rows[0]) is dict else ():
        cells = [row.get(key) for row in rows]
        kinds = set(map(type, cells))
        if kinds <= NUMBERS and len(kinds) > 0:
            yield cells.index(max(cells))
            yield cells.index(min(cells))
        elif kinds <= {str, NONE} and len(counted := Counter(cells)) <= max(50, len(rows) // 20):
            telling = {text for text in counted if _telling(text, kind_of(key)) and speaks_of_error(text)}
            few = {
                text for text, count in counted.items() if count <= FEW or (text in telling and count * 20 < len(rows))
            }
            yield from islice((i for i, cell in enumerate(cells) if cell in few), SAMPLE // 8)


def _claimed(rows: list[Any], lens: Lens) -> Iterator[int]:
    """Rows of a long table that have a field which must be kept and which few rows have."""
    for name in sorted(lens.claims.names) if lens.claims is not None else ():
        found = [at for at, row in enumerate(rows) if type(row) is dict and row.get(name) is not None]
        yield from found if len(found) <= SAMPLE // 4 else ()


def _raw(row: Any) -> str:
    return values.encode(row).decode()


def judge(rows: list[Any], at: list[int], seen: list[Seen], lens: Lens) -> tuple[list[float], list[Reason]]:
    """One weight per candidate row, and why it is more than ordinary; falls with the rank of its score."""
    scores = [1.0] * len(at)
    scores[0] += 0.5
    scores[-1] += 0.3
    reasons: list[Reason] = []
    reasons += _errors(seen, len(at))
    _add(scores, reasons, 0.8)
    _repeats(seen, scores)  # an error that repeats counts less, what stands out by its numbers does not
    for found, cap in ((_extremes, 1.2), (_rare, 1.2), (_changes, 0.6)):
        fresh = _near(found(seen, len(at)), seen)
        reasons += fresh
        _add(scores, fresh, cap)
    if lens.words or lens.keywords is not None:
        fresh = _asked(rows, at, seen, lens)
        reasons += fresh
        _add(scores, fresh, 40.0)
    fresh = superlatives(seen, len(at), lens)
    reasons += fresh
    _add(scores, fresh, 40.0)
    reasons += said(seen, len(at))
    _add(scores, _unset(seen, len(at)), 0.6)
    _referred(seen, scores, lens)
    order = sorted(range(len(scores)), key=lambda i: (-scores[i], i))
    weights = [0.0] * len(scores)
    for rank, i in enumerate(order):
        weights[i] = scores[i] * (1 + rank / 6) ** -0.5
    return weights, reasons


def _near(reasons: list[Reason], seen: list[Seen]) -> list[Reason]:
    """What stands out deep inside of a row says less about it."""
    return [(i, which, bonus * DEEPER ** (len(seen[which].column.place.path) - 1)) for i, which, bonus in reasons]


def _add(scores: list[float], reasons: list[Reason], cap: float) -> None:
    total: dict[int, float] = {}
    for i, _, bonus in reasons:
        total[i] = total.get(i, 0.0) + bonus
    for i, bonus in total.items():
        scores[i] += min(cap, bonus)


def _asked(rows: list[Any], at: list[int], seen: list[Seen], lens: Lens) -> list[Reason]:
    """Rows, and the cells in them, that hold what the query or the policy looks for."""
    found: list[Reason] = []
    hits = [(i, 4 * lens.hit(_raw(rows[where]))) for i, where in enumerate(at)]
    for i, bonus in sorted((one for one in hits if one[1] > 0), key=lambda one: -one[1])[:ASKED]:
        inside = [(lens.hit(str(one.column.cells[i])), which) for which, one in enumerate(seen)]
        best = max(inside)
        found.append((i, best[1] if best[0] > 0 else NOWHERE, bonus))
    return found


def _extremes(seen: list[Seen], total: int) -> list[Reason]:
    """The holders of a metric's maximum and minimum."""
    found: list[Reason] = []
    for which, one in enumerate(seen):
        if one.counted is None or one.dull or len(one.counted) < 3 or one.kind in ("id", "status", "name"):
            continue
        numbers = [(n, -i) for i, n in enumerate(map(_number, one.column.cells)) if n is not None]
        if len(numbers) * 2 >= total:
            found += [(-max(numbers)[1], which, 1.2), (-min(numbers)[1], which, 0.6)]
    return found


def _number(value: Any) -> float | None:
    """A number, also when it is spelled as a string."""
    if type(value) is str:
        return float(value) if _NUMERIC.match(value) else None
    return float(value) if type(value) in (int, float, values.Number) else None


def _rare(seen: list[Seen], total: int) -> list[Reason]:
    """Rows of a category that few rows have; one reason a row, the rarest."""
    best: dict[int, Reason] = {}
    for which, one in enumerate(seen):
        counted = one.counted
        if counted is None or one.dull or not 2 <= len(counted) <= max(12, total // 8):
            continue
        top = max(counted.values())
        rare = {value: math.log(top / count) / 3 for value, count in counted.items() if count * 4 <= top}
        if not rare or sum(counted[value] for value in rare) > 0.15 * total:
            continue
        for i, value in enumerate(one.column.cells):
            if value in rare and (i not in best or best[i][2] < rare[value]):
                best[i] = (i, which, rare[value])
    return list(best.values())


def _unset(seen: list[Seen], total: int) -> list[Reason]:
    """Rows that lack what nearly all have: a merge date, an end."""
    found: list[Reason] = []
    for which, one in enumerate(seen):
        if 0 < total - one.filled <= LACKING * total and one.kind in ("time", "status", "error", "category", "name"):
            found += [(i, which, 0.6) for i, value in enumerate(one.column.cells) if value is None or value is ABSENT]
    return found


def _changes(seen: list[Seen], total: int) -> list[Reason]:
    """Rows at which a category changes that seldom does."""
    best: dict[int, Reason] = {}
    for which, one in enumerate(seen):
        if one.counted is None or one.dull or not 2 <= len(one.counted) <= 20 or total < 20:
            continue
        cells = one.column.cells
        changed = [i for i in range(1, len(cells)) if cells[i] != cells[i - 1]]
        if len(changed) <= total // 20:
            best.update((i, (i, which, 0.6)) for i in changed)
    return list(best.values())


def _errors(seen: list[Seen], total: int) -> list[Reason]:
    """Rows that speak of an error, unless most do; told by the longest text that does."""
    best: dict[int, tuple[int, int]] = {}
    graded: set[int] = set()
    for which, one in enumerate(seen):
        texts = () if one.counted is None else one.counted
        bad = erring([text for text in texts if _telling(text, one.kind)])
        rows = [i for i, value in enumerate(one.column.cells) if type(value) is str and value in bad] if bad else []
        for i in rows:
            best[i] = max(best.get(i, (0, 0)), (len(one.column.cells[i]), which))
        if one.kind in GRADES and len(texts) <= GRADE and len(rows) * 2 <= total:
            graded.update(rows)
    if len(best) * 2 > total:
        best = {i: best[i] for i in sorted(graded)} if len(graded) * 2 <= total else {}
    return [(i, which, 0.8) for i, (_, which) in best.items()]


def _telling(text: Any, kind: str) -> bool:
    """Whether a text says something: an identifier that contains a word like failing does not."""
    return type(text) is str and len(text) < 5000 and (" " in text or kind in ("error", "status", "category", ""))


def _repeats(seen: list[Seen], scores: list[float]) -> None:
    """The k-th row that says the same but for its numbers counts less."""
    told = [one for one in seen if one.filled and not one.constant]
    narrow = len(told) <= NARROW
    for one in told[1:] if narrow else told:
        if one.counted is None or not (narrow or one.kind in ("text", "message", "error", "name")) or len(scores) < 6:
            continue
        masked = [_MASKED.sub("0", v) if type(v) is str else "" for v in one.column.cells]
        if len(set(masked)) > 0.7 * len(masked) or sum(map(len, masked)) < (6 if narrow else 12) * len(masked):
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
        if one.column.place.path == ("@key",):
            for i, value in enumerate(one.column.cells):
                scores[i] += 1.0 if value in PREFERRED else 0.0
