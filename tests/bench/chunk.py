"""A long log cut into chunks."""

from collections.abc import Iterator

from service.core.chunk import chunk
from service.core.chunk.limits import Limits
from tests.bench.figures import Figure, ms, side_by_side
from tests.bench.payloads import log

LIMITS = Limits(tokens=2000, lines=200, bytes=16_000)


def figures() -> Iterator[Figure]:
    small, large = log(1_000_000), log(10_000_000)
    ten, one = side_by_side(lambda: chunk(large, "log", LIMITS), lambda: chunk(small, "log", LIMITS), times=3)
    yield Figure("a log of 10 MB in chunks", ms(ten), "250 ms", ten / 0.25, "<= 1")
    yield Figure("the same, by the byte, beside a log of 1 MB", ms(ten), ms(one), ten / one / 10, "<= 1.3")
