"""Lines and the index that makes a range of them cheap."""

import re
from itertools import pairwise

from hypothesis import given, strategies as st

from service.core.lines import blocks, count_lines, cut, line_ends, line_index, line_starts, near, total_lines

texts = st.lists(st.sampled_from(["\n", "\r", "\r\n", "a", "é", "\x0b", "\u2028", "bc\n", "\x00"]), max_size=40).map(
    lambda parts: "".join(parts).encode()
)


def lines_of(data: bytes) -> list[bytes]:
    return re.findall(rb"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z", data) or [b""]


@given(texts)
def test_lines_end_at_lf_crlf_and_a_lone_cr(data: bytes) -> None:
    lines, starts = lines_of(data), line_starts(data)
    assert [data[a:b] for a, b in pairwise(starts)] == lines
    assert count_lines(data) == len(lines)


def test_an_empty_text_is_one_empty_line_and_a_last_line_end_begins_no_line() -> None:
    assert [count_lines(text) for text in (b"", b"a", b"a\n", b"\n", b"a\r\nb", b"a\r\rb")] == [1, 1, 1, 1, 2, 3]


@given(texts, st.integers(1, 9))
def test_blocks_end_where_a_line_ends(data: bytes, size: int) -> None:
    parts = [data[a:b] for a, b in blocks(data, size)]
    assert b"".join(parts) == data
    assert [line for part in parts for line in lines_of(part)] == (lines_of(data) if data else [])


@given(texts, st.data())
def test_line_ends_add_up_over_any_cuts(data: bytes, draw: st.DataObject) -> None:
    at = draw.draw(st.integers(0, len(data)))
    assert line_ends(data, 0, at) + line_ends(data, at, len(data)) == line_ends(data, 0, len(data))


@given(
    st.integers(1, 2000), st.sampled_from([b"x\n", b"\n", b"ab\r\n", b"y\r", b"\xc3\xa9\n"]), st.booleans(), st.data()
)
def test_a_range_is_found_through_the_index(count: int, line: bytes, tail: bool, draw: st.DataObject) -> None:
    data = line * count + (b"end" if tail else b"")
    lines = lines_of(data)
    first = draw.draw(st.integers(1, len(lines)))
    last = draw.draw(st.integers(first, len(lines)))
    index = line_index(data)
    part = near(index, first, last)
    start, end = cut(data[part.start : part.end], first - part.line, last - first + 1)
    assert data[part.start + start : part.start + end] == b"".join(lines[first - 1 : last])
    assert total_lines(index) == len(lines)
    assert part.end - part.start <= (last - first + 1 + 2 * 256) * max(map(len, lines))


def test_the_index_of_an_empty_text_holds_one_line() -> None:
    index = line_index(b"")
    assert (total_lines(index), near(index, 1, 1)) == (1, (0, 0, 1))
