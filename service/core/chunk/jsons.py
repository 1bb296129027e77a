"""JSON and Python reprs: between two values, at the outermost place near the end of the chunk.

A comma counts when it stands outside all strings. Whether an offset is inside a JSON string follows from the number of
quotes before it, counted once from chunk to chunk. Depth is relative to the window: the place where it is least parts
the greatest values. Within a string too long for one chunk, its escaped line ends are next; an escape is never cut.
"""

from bisect import bisect_right
from collections.abc import Callable
from itertools import islice
from re import DOTALL, compile as regex

from service.core.chunk.marks import Last, Level, Marks, Rank, finer, nearby
from service.core.chunk.prose import sentences

Commas = Callable[[int, int], list[tuple[int, int]]]  # where commas in (low, high] end, and how deep they stand

STRUCTURE = regex(rb"[\[\]{}]|,(?:[ \t]*\r?\n| )?")
SEPARATORS = (b":", b": ", b",")
PRETTY = regex(rb",[ \t]*\r?\n([ \t]*)(?=[^ \t])")
NEAR, SAMPLE, RUN = 512, 65_536, 1024
TOKENS = regex(rb"'(?:[^'\\]|\\.)*+'|\"(?:[^\"\\]|\\.)*+\"|[\[\]{}()]|,(?:[ \t]*\r?\n| )?", DOTALL)
ESCAPED_LINE = regex(rb"\\n(?!\\n)")
PART = regex(rb"\\(?:u[0-9a-fA-F]{0,3})?\Z")
HIGH = regex(rb"\\u[dD][89abAB][0-9a-fA-F]{2}\Z")


def json(text: bytes) -> Marks:
    """Values of JSON text, pretty or on one line."""
    inside = _quoted(text)

    def commas(low: int, high: int) -> list[tuple[int, int]]:
        low -= _backslashes(text, low)
        zone = text[low : high + 1]
        if b"\\" in zone:
            zone = zone.replace(b"\\\\", b"__").replace(b'\\"', b"__")
        found, at, depth = [], low, 0
        for number, piece in enumerate(zone.split(b'"'), inside(low)):
            if not number & 1 and piece not in SEPARATORS:
                for match in STRUCTURE.finditer(piece):
                    if (sign := match[0][0]) == 44:
                        found.append((at + match.end(), depth))
                    else:
                        depth += 1 if sign in b"[{" else -1
            elif piece == b"," and not number & 1:
                found.append((at + 1, depth))
            at += len(piece) + 1
        return found

    return _marks(text, commas)


def repr_(text: bytes) -> Marks:
    """Values of a Python repr; its two sorts of quotes need a look at the whole."""
    ends: list[int] = []
    depths: list[int] = []
    depth = 0
    for match in TOKENS.finditer(text):
        sign = text[match.start()]
        if sign == 44:
            ends.append(match.end())
            depths.append(depth)
        elif sign not in b"'\"":
            depth += 1 if sign in b"[{(" else -1

    def commas(low: int, high: int) -> list[tuple[int, int]]:
        begin, end = bisect_right(ends, low), bisect_right(ends, high)
        return list(zip(ends[begin:end], depths[begin:end], strict=True))

    return _marks(text, commas)


def _marks(text: bytes, commas: Commas) -> Marks:
    def shallowest(low: int, high: int) -> int:
        best, least = low, 1 << 30
        for end, depth in commas(low, high):
            if low < end <= high and depth <= least:
                best, least = end, depth
        return best

    def latest(low: int, high: int) -> int:
        for near in (high - NEAR, low):
            ends = [end for end, _ in commas(max(near, low), high) if low < end <= high]
            if ends:
                return ends[-1]
        return low

    values: Level = (Rank("value", 0.6, shallowest), Rank("value", 0.0, latest))
    if text.count(b"\n", 0, SAMPLE) * 200 > min(len(text), SAMPLE):
        values = (Rank("value", 0.6, _outermost(text)), *values)
    inside: Level = (Rank("line", 0.0, _escaped_lines(text)),)
    told: Level = (Rank("sentence", 0.0, _unescaped(text, sentences(text))),)
    *coarse, points = finer(text)
    safe = [tuple(Rank(rank.boundary, rank.floor, _unescaped(text, rank.last)) for rank in level) for level in coarse]
    return Marks((values, inside, told, *safe, points))


def _outermost(text: bytes) -> Last:
    """Pretty JSON: the line that is indented least; a raw line end is never within a string."""

    def last(low: int, high: int) -> int:
        indents = PRETTY.findall(text, low, high + 1)
        if not indents:
            return low
        depths = list(map(len, indents))
        number = len(depths) - 1 - depths[::-1].index(min(depths))
        return next(islice(PRETTY.finditer(text, low, high + 1), number, None)).start(1)

    return last


def _quoted(text: bytes) -> Callable[[int], int]:
    """Whether an offset of JSON text is within a string: 1 or 0."""
    known, states = [0], [0]

    def inside(offset: int) -> int:
        index = bisect_right(known, offset) - 1
        part = text[known[index] : offset]
        if b"\\" in part:
            part = part.replace(b"\\\\", b"").replace(b'\\"', b"")
        state = states[index] ^ (part.count(b'"') & 1)
        if offset > known[-1]:
            known.append(offset)
            states.append(state)
        return state

    return inside


def _escaped_lines(text: bytes) -> Last:
    """Behind a line end that is written as an escape within a string."""
    found = nearby(text, ESCAPED_LINE)

    def last(low: int, high: int) -> int:
        while high > low and (cut := found(low, high)) > low:
            if _escape_start(text, cut - 1) == cut - 2:
                return cut
            high = cut - 1
        return low

    return last


def _unescaped(text: bytes, last: Last) -> Last:
    """The same boundaries, but none within an escape, nor between the two that make one code point."""

    def safe(low: int, high: int) -> int:
        while high > low and (cut := last(low, high)) > low:
            high = _escape_start(text, cut)
            if high == cut:
                return cut
        return low

    return safe


def _backslashes(text: bytes, offset: int) -> int:
    """How many stand right before an offset; a run longer than RUN is no text that anybody wrote."""
    before = text[max(offset - RUN, 0) : offset]
    return len(before) - len(before.rstrip(b"\\"))


def _escape_start(text: bytes, cut: int) -> int:
    """Where the escape begins that a cut would split; the cut itself when it splits none."""
    before = text[max(cut - 6, 0) : cut]
    split = PART.search(before) or (text[cut : cut + 2] == b"\\u" and HIGH.search(before))
    if not split:
        return cut
    start = cut - len(before) + split.start()
    run = _backslashes(text, start)
    return cut if run & 1 or run == RUN else start
