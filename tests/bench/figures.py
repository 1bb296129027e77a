"""What a benchmark hands over: figures, each beside what it is compared with in the same run."""

import gc
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


def side_by_side(first: Callable[[], object], second: Callable[[], object], *, times: int = 15) -> tuple[float, float]:
    """The shortest processor times of both, taken in turns: what else runs on the machine makes them longer at most."""
    first(), second()
    gc.collect()
    pairs = [(_timed(first), _timed(second)) for _ in range(times)]
    return min(one for one, _ in pairs), min(two for _, two in pairs)


def _timed(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def ms(duration: float) -> str:
    return f"{duration * 1000:.2f} ms"
