"""The slowest of many lines that say the same: where one took far longer than the others, it is no ordinary line."""

import re
from collections.abc import Sequence

FEW, LOOKED = 8, 2_000  # lines of a template from which one may stand out; so many are compared
FAR = 4.0  # times the median
_UNITS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "m": 60.0, "min": 60.0, "h": 3600.0}
_TOOK = re.compile(
    r"(?i)\b(?:[a-z]+[_ ])?(?:time|took|duration|elapsed|latency|delay|wait|dur|delta|lag)(?:_?(ms|us|ns|s))?\"?\b"
    r"[:= ]{1,3}(\d+(?:\.\d+)?) ?(ns|us|µs|ms|min|m|h)?(?![\w:-])"
    r"|\b(?:in|after|for) (\d+(?:\.\d+)?) ?(ns|us|µs|ms|s|sec\w*|min|m|h)\b"
)


def peak(lines: Sequence[str], members: Sequence[int]) -> tuple[int, float]:
    """The line that took longest, and how many times the median it took; 0 when none stands out."""
    if len(members) < FEW or not _TOOK.search(lines[members[0]]):
        return 0, 0.0
    took = [(_seconds(lines[i]), i) for i in members[:LOOKED]]
    middle = sorted(took)[len(took) // 2][0]
    longest, i = max(took, key=lambda one: (one[0], -one[1]))
    ratio = longest / middle if middle > 0 else 0.0
    return (i, ratio) if ratio >= FAR else (0, 0.0)


def _seconds(line: str) -> float:
    hit = _TOOK.search(line)
    if not hit:
        return 0.0
    unit = (hit[3] or hit[1] or hit[5] or "s").lower()
    return float(hit[2] or hit[4]) * _UNITS.get(unit, 1.0)
