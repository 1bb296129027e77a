"""What the caller looks for: units with rare words of the query, and those beside them, are worth more."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from math import log

from service.core.text.signals import REACH

WORTH = 4.0  # for each word, times ln(units / units that have it)
BESIDE = 1.8
FEW = 5  # hits of one kind whose neighbours are raised
OFTEN = 2_000  # a word in so many units finds nothing
_WORD = re.compile(r"[^\W_]+(?:[._/:@-][^\W_]+)*")
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}")
_ENDING = re.compile(r"(?:ing|ed|es|s|e)$")
EDGE = 3  # units at the end that the query asks for
FIRST, LAST = "first", "last"
FIRSTS, LASTS = frozenset({"first", "begin", "start", "earliest"}), frozenset({"last", "latest", "final", "newest"})
STOP = frozenset(
    "a an the of in on at to for from by with and or is are was were be been do does did how what which who whom whose"
    " when where why many much first last this that it its as than then there have has had not no any all into per can"
    " could should would der die das und ist von wie was welche".split()
)


class Query:
    """The words that are looked for, case-folded and without endings."""

    def __init__(self, query: str, keywords: Sequence[str] = ()) -> None:
        words = [word for word in _WORD.findall(query.casefold()) if word not in STOP]
        parts = [part for word in words if not word.isalnum() for part in _WORD.findall(re.sub(r"\W", " ", word))]
        wide = [run[i : i + 2] for run in _WIDE.findall(query) for i in range(len(run) - 1)]
        every = [*words, *parts, *wide, *(word.casefold() for word in keywords)]
        stems = (_ENDING.sub("", word) if len(word) > 4 and word.isalpha() else word for word in every)
        asked = set(query.casefold().split())
        self.end = FIRST if asked & FIRSTS else LAST if asked & LASTS else ""
        self.words = [word for word in dict.fromkeys(stems) if word not in STOP and (len(word) > 1 or word.isdigit())]

    def raise_lines(self, body: str, starts: Sequence[int], weights: list[float], alike: Sequence[int] = ()) -> None:
        """Raise, in place, the weights of units that hold words of the query, and of those beside them.

        The further units that are alike (of one template) and hold the same words gain less and less.
        """
        if not (self.words or self.end) or not weights:
            return
        worth = self._worth(body, starts[: len(weights)])
        self._raise_ends(worth, weights)
        top, before = max(worth.values(), default=0.0), Counter[tuple[int, float]]()
        for unit, gain in sorted(worth.items(), reverse=self.end == LAST):
            same = (alike[unit] if alike else unit, gain)
            before[same] += 1
            weights[unit] += gain / before[same] ** 0.8
            if gain < top / 2 or before[same] > FEW:
                continue
            for beside in (unit - 1, unit + 1, unit + 2):
                if 0 <= beside < len(weights) and beside not in worth:
                    weights[beside] *= BESIDE

    def _raise_ends(self, worth: dict[int, float], weights: list[float]) -> None:
        """Raise what comes first or last, when the query asks for it."""
        if not self.end:
            return
        for rank, unit in enumerate(sorted(worth, reverse=self.end == LAST)):
            worth[unit] *= 1 + 1.5 / (1 + rank / 3)
        outer = range(EDGE) if self.end == FIRST else range(-1, -EDGE - 1, -1)
        for unit in outer[: len(weights)]:
            weights[unit] *= 3

    def _worth(self, body: str, starts: Sequence[int]) -> dict[int, float]:
        """What the units that hold words of the query gain."""
        worth: dict[int, float] = {}
        low = body.lower()
        low = low if len(low) == len(body) else body
        for word in self.words:
            units = _holders(low, word, starts)
            gain = WORTH * log((len(starts) + 1) / (len(units) or 1)) if len(units) <= OFTEN else 0.0
            for unit in units:
                worth[unit] = worth.get(unit, 0.0) + gain
        return worth

    def spot(self, otherwise: Callable[[str], int]) -> Callable[[str], int]:
        """Where in a long line the first word of the query stands, or what `otherwise` finds."""

        def find(line: str) -> int:
            low = line[:REACH].lower()
            found = [at for at in (low.find(word) for word in self.words) if at >= 0]
            return min(found) if found else otherwise(line)

        return find


def _holders(low: str, word: str, starts: Sequence[int]) -> list[int]:
    """The units in which a word occurs."""
    units: list[int] = []
    at = low.find(word)
    while at >= 0 and len(units) <= OFTEN:
        unit = bisect_right(starts, at) - 1
        units.append(unit)
        at = low.find(word, starts[unit + 1]) if unit + 1 < len(starts) else -1
    return units
