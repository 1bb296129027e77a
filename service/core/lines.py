"""Lines of a UTF-8 text: LF, CRLF and a lone CR end one, "a\\n" is one line, an empty text is one empty line.

`line_index` is what a stored text keeps beside it: the number of lines and where every 256th of them starts. With it a
range of lines costs the range: `near` says which part of the text to read, `cut` takes the range out of that part.
"""

from array import array
from collections.abc import Iterator
from itertools import accumulate
from struct import pack, unpack_from
from typing import NamedTuple

STRIDE = 256  # lines from one entry of the index to the next
BLOCK = 1 << 20  # texts are split this much at a time: memory stays flat, whatever the text


def blocks(data: bytes, size: int = BLOCK) -> Iterator[tuple[int, int]]:
    """The text in runs of about `size` bytes that end where a line ends."""
    start = 0
    while start < len(data):
        end = _line_end(data, start + size)
        yield start, end
        start = end


def _line_end(data: bytes, offset: int) -> int:
    """The end of the line that holds the byte before `offset`."""
    if offset >= len(data):
        return len(data)
    if data[offset - 1] == 10 or (data[offset - 1] == 13 and data[offset] != 10):
        return offset
    feed = data.find(b"\n", offset)
    feed = len(data) if feed < 0 else feed + 1
    carriage = data.find(b"\r", offset, feed)
    return feed if carriage < 0 or carriage + 2 == feed else carriage + 1


def line_starts(data: bytes) -> "array[int]":
    """Where each line starts, and at the end the length of the text."""
    starts = array("Q", [0])
    for start, end in blocks(data):
        starts.extend(list(accumulate(map(len, data[start:end].splitlines(True)), initial=start))[1:])
    if not data:
        starts.append(0)
    return starts


def count_lines(data: bytes) -> int:
    """How many lines a text has: at least one."""
    return (line_ends(data, 0, len(data)) + (data[-1:] not in (b"\n", b"\r"))) or 1


def line_ends(data: bytes, start: int, end: int) -> int:
    """How many line ends lie in data[start:end]; a CR whose LF is behind `end` is not yet one."""
    feeds = data.count(b"\n", start, end)
    if data.find(b"\r", start, end) < 0:
        return feeds
    split = data[end - 1 : end + 1] == b"\r\n"
    return feeds + data.count(b"\r", start, end) - data.count(b"\r\n", start, end) - split


class Near(NamedTuple):
    """The part of a text that holds a range of lines, and the number (from 1) of the line it begins with."""

    start: int
    end: int
    line: int


def line_index(data: bytes) -> bytes:
    """The index to keep beside a stored text: lines, bytes, and the start of every STRIDE-th line, as u64."""
    starts, seen = array("Q"), 0
    for start, end in blocks(data):
        lengths = list(map(len, data[start:end].splitlines(True)))
        offsets = list(accumulate(lengths, initial=start))
        starts.extend(offsets[(-seen) % STRIDE : -1 : STRIDE])
        seen += len(lengths)
    return pack(f"<{2 + len(starts)}Q", max(seen, 1), len(data), *starts)


def total_lines(index: bytes) -> int:
    """The number of lines of the text an index was made of."""
    return int(unpack_from("<Q", index)[0])


def near(index: bytes, first: int, last: int) -> Near:
    """Which part of the text to read for lines `first` to `last` (from 1, inclusive)."""
    held = len(index) // 8 - 2
    begin, behind = (first - 1) // STRIDE, (last - 1) // STRIDE + 1
    start = unpack_from("<Q", index, 8 * (begin + 2))[0] if held else 0
    end = unpack_from("<Q", index, 8 * (behind + 2 if behind < held else 1))[0]
    return Near(start, end, begin * STRIDE + 1)


def cut(part: bytes, skip: int, count: int) -> tuple[int, int]:
    """Where, within a part that begins with a line, the `count` lines behind the first `skip` start and end."""
    starts = line_starts(part)
    return starts[min(skip, len(starts) - 1)], starts[min(skip + count, len(starts) - 1)]
