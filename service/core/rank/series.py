"""Series: what the samples of a list of numbers are worth. Both ends, extremes and jumps come before the rest."""

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from service.core import values

SHORT = 8  # samples of a list in which none stands out
JUMPS = 2  # changes that are told
JUMP = 6.0  # times the usual change make a jump
_NUMERIC = re.compile(r"[-+]?\d{1,15}(?:\.\d{1,15})?(?:[eE][-+]?\d{1,3})?\Z")
_NUMBERS = (int, float, values.Number)


def telling(samples: list[Any]) -> list[int]:
    """The positions of the samples to show first; none when this is no series of numbers."""
    if len(samples) < SHORT:
        return []
    numbers = [_number(one) for one in samples]
    known = [one for one in numbers if one is not None]
    if len(known) < len(numbers):
        return []
    ends = [0, len(known) - 1]
    extremes = [known.index(max(known)), known.index(min(known))] if max(known) > min(known) else []
    return list(dict.fromkeys([*ends, *extremes, *_jumps(known)]))


def _number(sample: Any) -> float | None:
    """A number, a number spelled as a string, or what a pair says last."""
    if type(sample) is list and 2 <= len(sample) <= 3:
        sample = sample[-1]
    if type(sample) is str and _NUMERIC.match(sample):
        return float(sample)
    if type(sample) not in _NUMBERS:
        return None
    found = float(sample)
    return found if abs(found) < float("inf") else None


def _jumps(known: list[float]) -> Iterable[int]:
    """Where the series changes by much more than it usually does, and what it was before."""
    steps = [abs(after - before) for before, after in pairwise(known)]
    usual = sorted(steps)[len(steps) // 2]
    far = sorted(range(len(steps)), key=lambda at: (-steps[at], at))[:JUMPS]
    return (at + place for at in far if steps[at] > JUMP * usual for place in (1, 0))
