"""Packing: one algorithm for all kinds.

A chunk begins where the last one ended and reaches as far as its limits allow. Within that window the kind's levels are
asked, coarsest first. In a level, the ranks are tried from the best (a heading, a file of a diff) to the plainest: the
latest boundary of a rank wins if it fills the chunk at least to the rank's floor. If none does, the latest boundary of
a rank without a floor closes the chunk, provided that what follows (an entry, a sentence, a fence) fits into a chunk
alone; if it does not, it has to be split anyway, and the chunk is filled from it at the next finer level.

The last two chunks share what is left between them when the last would be less than half of the one before it.
"""

from collections.abc import Iterator
from typing import NamedTuple

from service.core.chunk.limits import Reach, code_point_end
from service.core.chunk.marks import Level, Marks

EVEN = (0.55, 0.65, 0.75)  # where the first of the last two chunks may end, as shares of what is left


class Close(NamedTuple):
    """Where a chunk ends, by which boundary, and on which level (0 is the best)."""

    end: int
    boundary: str
    level: int


def pack(reach: Reach, marks: Marks) -> Iterator[Close]:
    """The ends of all chunks of a text, in order."""
    start, size = 0, reach.size
    while reach.sure(start) < size:
        close = _close(reach, marks, start, reach.sure(start))
        if (size - close.end) * 2 < close.end - start and reach.sure(close.end) >= size:
            close = _evened(reach, marks, start, close)
        yield close
        start = close.end
    yield Close(size, "end", 0)


def _evened(reach: Reach, marks: Marks, start: int, close: Close) -> Close:
    """An earlier end that leaves the last chunk about as much as this one, if no worse boundary is needed for it."""
    for share in EVEN:
        limit = start + int((reach.size - start) * share)
        if limit >= close.end:
            break
        other = _close(reach, marks, start, limit)
        if start < other.end < close.end and other.level <= close.level and reach.sure(other.end) >= reach.size:
            return other
    return close


def _close(reach: Reach, marks: Marks, start: int, limit: int) -> Close:
    """The best end of a chunk that begins at `start` and may go up to `limit`."""
    held = Close(start, "", 0)
    for number, level in enumerate(marks.levels):
        end, boundary, full = _of_level(level, start, held.end, limit)
        if end > held.end:
            held = Close(end, marks.names.get(end, boundary), number)
        if full or (held.end > start and _whole(reach, level, held.end)):
            return held
    return held if held.end > start else Close(code_point_end(reach.text, start), "codepoint", len(marks.levels))


def _of_level(level: Level, start: int, low: int, limit: int) -> tuple[int, str, bool]:
    """The end a level offers, its name, and whether it fills the chunk well enough to be taken as it is."""
    for rank in level:
        floor = max(low, start + int((limit - start) * rank.floor))
        end = rank.last(floor, limit)
        if end > floor and rank.floor:
            return end, rank.boundary, True
    plain = [rank for rank in level if not rank.floor] or level
    end, boundary = max(((rank.last(low, limit), rank.boundary) for rank in plain), key=lambda found: found[0])
    return end, boundary, False


def _whole(reach: Reach, level: Level, start: int) -> bool:
    """Whether what begins here, up to the level's next boundary, fits into a chunk alone."""
    limit = reach.sure(start)
    return limit >= reach.size or any(rank.last(start, limit) > start for rank in reversed(level))
