"""What varies between lines of one template: `{root ×120, admin ×30}`."""

import re
from collections import Counter
from collections.abc import Sequence

LOOKED = 2_000  # lines that are compared; more would be sampled, and counts would no longer be exact
NAMED = 4
_WORD = re.compile(r"[^\W\d_]{2}")


def varying(lines: Sequence[str]) -> str:
    """The commonest values of the two places that vary most tellingly."""
    if not 2 < len(lines) <= LOOKED:
        return ""
    rows = [line.split() for line in lines]
    width = len(rows[0])
    rows = [row for row in rows if len(row) == width]
    if len(rows) < len(lines) * 0.9 or width > 60:
        return ""
    told = []
    for column in zip(*rows, strict=True):
        counts = Counter(column)
        top = counts.most_common(1)[0][1]
        if 1 < len(counts) <= max(12, len(rows) // 3) and top > 1 and len(column[0]) < 60 and _tells(counts, len(rows)):
            told.append((top, counts))
    told.sort(key=lambda item: -item[0])
    return "".join(" {" + _named(counts) + "}" for _, counts in told[:2])


def _tells(counts: Counter[str], rows: int) -> bool:
    """Whether a few values are most of what stands there; of numbers, as of process ids, only the few are worth it."""
    named = sum(count for _, count in counts.most_common(NAMED))
    words = sum(_WORD.search(value) is not None for value in counts)
    return named * 2 >= rows if words * 2 >= len(counts) else len(counts) <= NAMED


def _named(counts: Counter[str]) -> str:
    best = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    named = [f"{value.strip(',;:()[]')[:48]} ×{count}" for value, count in best[:NAMED]]
    return ", ".join(named) + (f", {len(best) - NAMED} more" if len(best) > NAMED else "")
