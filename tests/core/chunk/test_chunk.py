"""The promises of chunking, over arbitrary text of every kind."""

import pytest
from hypothesis import example, given, settings, strategies as st

from service.core.chunk import KINDS, Limits, chunk
from tests.core.chunk.promises import keep

FAMILY = "👩‍👩‍👧‍👦"
CHARACTERS = [FAMILY, "🇩🇪", "e\u0301", "👍🏽", "한", "\u1112\u1161\u11ab", "❤️", "क्ष", "a", "漢", "\r\n"]
PIECES = [
    *(
        "word ",
        "Sentence one. ",
        "終わり。",
        "\n",
        "\n\n",
        "\r\n",
        "\r",
        "\x00",
        "\ufeff",
        "  ",
        "\t",
        ",",
        '"',
        "'",
        "{",
        "}",
        "[",
        "]",
    ),
    *(
        "# Title\n",
        "## Part\n",
        "```\n",
        "| a | b |\n",
        "- item\n",
        "Title\n=====\n",
        "def f():\n    pass\n",
        "}\n",
        "a,b\n",
        '"x\ny",1\n',
    ),
    *(
        "2024-05-01 10:00:00 INFO started\n",
        "Traceback (most recent call last):\n",
        '  File "a.py", line 1\n',
        "\tat a.B(C.java:1)\n",
    ),
    *(
        "diff --git a/x b/x\n",
        "@@ -1 +1 @@\n",
        "+new\n",
        "-old\n",
        '{"a": [1, "b"]}\n',
        '"k": "v\\"w",',
        "<p>",
        "</p>",
        "x" * 90,
        FAMILY,
        "e\u0301",
    ),
]
texts = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=60).map("".join),
    st.text(max_size=200),
    st.tuples(st.sampled_from(PIECES), st.integers(1, 300)).map(lambda pair: pair[0] * pair[1]),
).map(lambda text: text.encode("utf-8", "ignore"))
limits = st.builds(
    Limits,
    tokens=st.sampled_from([16, 40, 64, 200, 2000]),
    lines=st.sampled_from([1, 2, 5, 200]),
    bytes=st.sampled_from([8, 60, 512, 16_000]),
    family=st.sampled_from(["claude", "o200k", "chars4"]),
)
kinds = st.sampled_from([*KINDS, "unknown"])


@given(texts, kinds, limits)
@settings(max_examples=400, deadline=None)
def test_every_promise_holds_for_any_text_as_any_kind(text: bytes, kind: str, bounds: Limits) -> None:
    keep(text, bounds, chunk(text, kind, bounds))


@given(st.lists(st.sampled_from(CHARACTERS), min_size=30, max_size=200), kinds)
@settings(max_examples=150, deadline=None)
def test_no_cut_falls_inside_a_written_character(characters: list[str], kind: str) -> None:
    ends, at = set(), 0
    for character in characters:
        at += len(character.encode())
        ends.add(at)
    cuts = chunk("".join(characters).encode(), kind, Limits(40, 200, 200))
    assert {cut.end for cut in cuts} <= ends


@given(texts, st.sampled_from(["tail", "last line without end\n", "。", '"}', "```\n", "\n\n"]), kinds)
@settings(max_examples=200, deadline=None)
def test_every_promise_holds_with_a_tail_and_line_by_line(text: bytes, tail: str, kind: str) -> None:
    bounds = Limits(64, 20, 400)
    whole = text + tail.encode()
    keep(whole, bounds, chunk(whole, kind, bounds))
    for line in whole.splitlines(True):
        keep(line, bounds, chunk(line, kind, bounds))
    one = Limits(64, 1, 400)
    keep(whole, one, chunk(whole, kind, one))


def test_an_empty_text_is_one_chunk_of_one_empty_line() -> None:
    (cut,) = chunk(b"", "prose", Limits(2000, 200, 16_000))
    assert (cut.start, cut.end, cut.start_line, cut.end_line, cut.boundary) == (0, 0, 1, 1, "end")


@pytest.mark.parametrize(("length", "count"), [(6666, 1), (6667, 2), (3333, 1)])
def test_a_text_is_cut_from_one_token_over_its_limit_on(length: int, count: int) -> None:
    assert len(chunk(b"x" * length, "prose", Limits(2000, 200, 16_000, "chars4"))) == count


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("json", "repr")])
@pytest.mark.parametrize("family", ["claude", "chars4"])
def test_ten_thousand_short_lines_are_fifty_chunks_of_two_hundred(kind: str, family: str) -> None:
    text = b"".join(b"2024-05-01 10:00:%02d, %05d ok\n" % (n % 60, n) for n in range(10_000))
    cuts = chunk(text, kind, Limits(12_000, 200, 96_000, family))
    assert [(cut.start_line, cut.end_line) for cut in cuts] == [(n * 200 + 1, n * 200 + 200) for n in range(50)]


def test_two_hundred_lines_just_under_the_tokens_are_one_chunk() -> None:
    text = b"".join(b"%032d\n" % n for n in range(10_000))  # 200 lines of 33: 1,980 tokens
    cuts = chunk(text, "log", Limits(2000, 200, 16_000, "chars4"))
    assert {cut.end_line - cut.start_line + 1 for cut in cuts} == {200}


@example(201)
@given(st.integers(201, 399))
@settings(max_examples=30, deadline=None)
def test_the_last_piece_is_never_tiny_when_two_even_ones_would_do(count: int) -> None:
    text = b"".join(b"line %d of a list\n" % n for n in range(count))
    first, second = chunk(text, "log", Limits(2000, 200, 16_000))
    assert 0.3 <= (second.end - second.start) / (first.end - first.start) <= 1.5


def test_a_line_that_is_split_counts_in_both_chunks() -> None:
    cuts = chunk(b"one " * 400 + b"\nend", "prose", Limits(100, 200, 16_000))
    assert {(cut.start_line, cut.end_line) for cut in cuts[:-1]} == {(1, 1)}
    assert (cuts[-1].start_line, cuts[-1].end_line) == (1, 2)
    assert {cut.boundary for cut in cuts[:-1]} == {"word"}
