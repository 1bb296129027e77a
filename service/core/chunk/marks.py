"""What a kind knows about its text: ranks of boundaries, and what stays in one piece between them.

A rank answers one question: the latest of its boundaries in a window. So a kind may list its boundaries beforehand, or
look for them only where a chunk is about to end. A level is a group of ranks; what lies between two boundaries of a
level is kept whole as long as it fits into a chunk alone; only when it does not, the next, finer level is asked.
"""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from re import Pattern

from service.core.chunk.graphemes import breaks

NEAR = 512  # how far back from the end of a window a boundary is looked for at first
AHEAD = 120  # bytes behind a window that a pattern may look at
NEWLINE = rb"(?:\r\n|\r(?!\n)|\n)"

Heading = Callable[[int, int], str]
Last = Callable[[int, int], int]  # the latest boundary in (low, high], or `low` when there is none


@dataclass(frozen=True, slots=True)
class Rank:
    """One sort of boundary: its name in `meta.boundary`, and the share of a chunk from which on it is good enough."""

    boundary: str
    floor: float
    last: Last


Level = tuple[Rank, ...]


@dataclass(frozen=True, slots=True)
class Marks:
    """The boundaries of one text by level, better names for some of them, and the heading a chunk stands under."""

    levels: tuple[Level, ...]
    names: Mapping[int, str] = field(default_factory=dict)
    heading: Heading = lambda start, end: ""


def listed(offsets: Sequence[int]) -> Last:
    """Boundaries known beforehand, in order."""

    def last(low: int, high: int) -> int:
        index = bisect_right(offsets, high)
        return offsets[index - 1] if index and offsets[index - 1] > low else low

    return last


def matched(text: bytes, pattern: Pattern[bytes]) -> Last:
    """Boundaries where a match ends; the text is searched once, and only when it is asked for."""
    ends: list[int] = []
    asked = False

    def last(low: int, high: int) -> int:
        nonlocal asked
        if not asked:
            ends.extend(match.end() for match in pattern.finditer(text))
            asked = True
        index = bisect_right(ends, high) - 1
        while index >= 0 and ends[index] > low:
            if breaks(text, ends[index]):
                return ends[index]
            index -= 1
        return low

    return last


def nearby(text: bytes, pattern: Pattern[bytes]) -> Last:
    """The same, searched only in the window: for boundaries that are seldom asked for."""

    def last(low: int, high: int) -> int:
        ends = [match.end() for match in pattern.finditer(text, low, min(high + AHEAD, len(text)))]
        return next((end for end in reversed(ends) if low < end <= high and breaks(text, end)), low)

    return last


def indented(text: bytes, pattern: Pattern[bytes]) -> tuple[Last, Last]:
    """Starts of lines that a pattern picks by what is behind the line end: the one indented least, and the latest.

    The pattern's first group is the indentation.
    """

    def outermost(low: int, high: int) -> int:
        end = min(high + AHEAD, len(text))
        depths = list(map(len, pattern.findall(text, low, end)))
        del depths[len(depths) - len(pattern.findall(text, high, end)) :]
        if not depths:
            return low
        number = len(depths) - 1 - depths[::-1].index(min(depths))
        return next(islice(pattern.finditer(text, low, end), number, None)).start() + 1

    def latest(low: int, high: int) -> int:
        for begin in (max(high - NEAR, low), low):
            matches = pattern.finditer(text, begin, min(high + AHEAD, len(text)))
            if starts := [start for match in matches if (start := match.start() + 1) <= high]:
                return starts[-1]
        return low

    return outermost, latest


def outside(last: Last, spans: Sequence[tuple[int, int]]) -> Last:
    """The same boundaries, but none within a span that belongs together."""
    starts = [start for start, _ in spans]

    def free(low: int, high: int) -> int:
        while high > low and (cut := last(low, high)) > low:
            index = bisect_right(starts, cut - 1) - 1
            if index < 0 or spans[index][1] <= cut:
                return cut
            high = starts[index]
        return low

    return free


def under(headings: Sequence[tuple[int, int, str]]) -> Heading:
    """The path of headings ("Install > Linux") that a chunk stands under, from (offset, level, title) in order."""
    offsets: list[int] = []
    paths: list[str] = []
    open_: list[tuple[int, str]] = []
    for offset, level, title in headings:
        open_ = [*(above for above in open_ if above[0] < level), (level, title)]
        offsets.append(offset)
        paths.append(" > ".join(title for _, title in open_))

    def heading(start: int, end: int) -> str:
        index = bisect_right(offsets, start) - 1
        return paths[index] if index >= 0 else ""

    return heading


def lines(text: bytes) -> Last:
    """Starts of lines."""

    def last(low: int, high: int) -> int:
        while high > low:
            end = max(text.rfind(b"\n", low, high), text.rfind(b"\r", low, high)) + 1
            if end <= low or not (text[end - 1] == 13 and text[end : end + 1] == b"\n"):
                return max(end, low)
            high = end - 1
        return low

    return last


_PAUSES = [pause.encode() for pause in (" ", "\t", "\n", "\r", "，", "、", "；", "：", "。", "\u3000")]


def words(text: bytes) -> Last:
    """Behind a space, or a pause of a script that writes none."""

    def last(low: int, high: int) -> int:
        while high > low:
            found = ((text.rfind(pause, low, high), len(pause)) for pause in _PAUSES)
            cut = max(at + size if at >= 0 else low for at, size in found)
            if cut <= low or breaks(text, cut):
                return max(cut, low)
            high = cut - 1
        return low

    return last


def graphemes(text: bytes) -> Last:
    """Between two written characters."""

    def last(low: int, high: int) -> int:
        while high > low and not breaks(text, high):
            high -= 1
        return max(high, low)

    return last


def code_points(text: bytes) -> Last:
    """Between two code points, whatever they make together."""

    def last(low: int, high: int) -> int:
        while low < high < len(text) and text[high] & 0xC0 == 0x80:
            high -= 1
        return max(high, low)

    return last


def finer(text: bytes) -> tuple[Level, ...]:
    """What every kind degrades to: lines, words, written characters, code points."""
    return (
        (Rank("line", 0.0, lines(text)),),
        (Rank("word", 0.0, words(text)),),
        (Rank("codepoint", 0.0, graphemes(text)),),
        (Rank("codepoint", 0.0, code_points(text)),),
    )
