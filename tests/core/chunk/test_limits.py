"""How far a chunk may go: not a byte too far, not a character short."""

import pytest
from hypothesis import given, settings, strategies as st

from service.core.chunk.limits import Limits, Reach, code_point_end
from service.core.lines import count_lines
from service.core.tokens import estimate

texts = st.lists(
    st.sampled_from(["word ", "ü", "漢字", "👍", "0x1f", "\n", "    ", '{"a":', "hello"]), max_size=400
).map(lambda parts: "".join(parts).encode())


@given(texts, st.sampled_from(["claude", "o200k", "chars4"]), st.integers(8, 300), st.data())
@settings(max_examples=200, deadline=None)
def test_the_reach_is_exact(text: bytes, family: str, tokens: int, draw: st.DataObject) -> None:
    if not text:
        return
    start = draw.draw(st.integers(0, len(text) - 1))
    while text[start] & 0xC0 == 0x80:
        start -= 1
    end = Reach(text, Limits(tokens, 10**6, 10**6, family)).sure(start)
    assert estimate(text[start:end], family) <= tokens
    if end < len(text):
        assert estimate(text[start : code_point_end(text, end)], family) > tokens


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"])
def test_lines_and_bytes_limit_too(end: bytes) -> None:
    text = (b"a line" + end) * 50
    lines = Reach(text, Limits(10**6, 7, 10**6))
    assert count_lines(text[: lines.sure(0)]) == 7
    assert Reach(text, Limits(10**6, 10**6, 40)).sure(0) in (39, 40)


def test_a_chunk_is_one_code_point_at_least() -> None:
    assert Reach("👍👍".encode(), Limits(1, 1, 1)).sure(0) == 4
