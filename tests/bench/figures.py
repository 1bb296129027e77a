"""What a benchmark hands over: figures, each beside what it is compared with in the same run."""

import gc
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table; `ratio` is measured over compared, `bound` what it must be."""

    what: str
    measured: str
    beside: str
    ratio: float
    bound: str = ""  # "<= 4" or ">= 0.4"; empty: only told

    @property
    def ok(self) -> bool:
        sign, _, limit = self.bound.partition(" ")
        return not sign or (self.ratio <= float(limit) if sign == "<=" else self.ratio >= float(limit))


def seconds(work: Callable[[], object], *, times: int = 7) -> float:
    """The median time of one call, after one to warm up."""
    work()
    gc.collect()
    return statistics.median(_timed(work) for _ in range(times))


def side_by_side(first: Callable[[], object], second: Callable[[], object], *, times: int = 7) -> tuple[float, float]:
    """The median times of both, taken in turns so that a busy machine hits both alike."""
    first(), second()
    gc.collect()
    pairs = [(_timed(first), _timed(second)) for _ in range(times)]
    return statistics.median(one for one, _ in pairs), statistics.median(two for _, two in pairs)


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def ms(duration: float) -> str:
    return f"{duration * 1000:.2f} ms"
