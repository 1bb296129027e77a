"""The laws of the text engine, over arbitrary text of every kind."""

import re

from hypothesis import example, given, settings, strategies as st

from service.core.text import Shown, text_block

KINDS = ("log", "markdown", "rst", "prose", "code", "diff", "html")
LEVELS = (1e9, 8.0, 1.0, 0.5, 0.1, 0.01, 1e-4, 1e-9)
WORDS = (
    "INFO",
    "ERROR failed",
    "2024-01-02 10:11:12,345",
    "user=42",
    "# Head",
    "… 5 more lines (1-5)",
    "@@ -1 +1 @@",
    "über",
)
ENDS = ("\n", "\r\n", "\r", "\n\n", " ", ". ", "。")
lines = st.lists(st.tuples(st.sampled_from(WORDS) | st.text(max_size=12), st.sampled_from(ENDS)), max_size=40)
texts = st.text(max_size=300) | lines.map(lambda parts: "".join(a + b for a, b in parts))
kinds = st.sampled_from(KINDS)


def line_count(text: str) -> int:
    """Lines as DESIGN 2.3 counts them."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    return len(plain.split("\n")) - (plain.endswith("\n") or not plain)


def missing(shown: Shown) -> int:
    """What the markers say is missing, payload text that looks like one apart."""
    said = re.findall(r"^… (\d+) more lines \((?:\d+-\d+|between \d+ and \d+)\)$", shown.text, re.M)
    return sum(map(int, said))


@settings(max_examples=150, deadline=None)
@given(texts, kinds)
def test_level_0_is_the_text_itself(text: str, kind: str) -> None:
    shown = text_block(text, kind).show(0)
    assert shown.text == text
    assert shown.complete
    assert shown.kept == shown.total


@settings(max_examples=150, deadline=None)
@given(texts, kinds)
def test_kept_and_omitted_add_up(text: str, kind: str) -> None:
    block = text_block(text, kind)
    for level in LEVELS:
        shown = block.show(level)
        assert shown.total == line_count(text)
        if not shown.complete:
            assert shown.kept + missing(shown) == shown.total


@settings(max_examples=150, deadline=None)
@given(texts, kinds, st.text(max_size=10))
def test_a_lower_level_shows_at_least_as_much(text: str, kind: str, query: str) -> None:
    block = text_block(text, kind, query=query)
    kept = [block.show(level).kept for level in LEVELS]
    assert kept == sorted(kept)


@settings(max_examples=100, deadline=None)
@given(texts, kinds)
def test_the_same_text_gives_the_same_answer(text: str, kind: str) -> None:
    one, other = text_block(text, kind), text_block(text, kind)
    other.show(0.01)
    for level in LEVELS:
        assert one.show(level) == other.show(level)


@settings(max_examples=100, deadline=None)
@given(texts, kinds)
def test_the_last_rung_is_one_marker(text: str, kind: str) -> None:
    shown = text_block(text, kind).show(1e9)
    assert shown.complete or len(shown.text) < 60


@settings(max_examples=100, deadline=None)
@given(texts, kinds)
@example("0000/00/00 00:00:00\x1f\n\nERR\n00000/00/00 00:00:00", "log")
def test_what_is_shown_stands_in_the_text(text: str, kind: str) -> None:
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    for level in LEVELS[1:4]:
        for line in text_block(text, kind).show(level).text.split("\n"):
            bare = re.sub(r"^\d+: | \[×\d+.*$|… \[\d+ more characters\]", "", line)
            if not bare.startswith("…"):
                assert bare.strip() in plain


def test_a_long_line_is_cut_to_what_fits() -> None:
    text = "x" * 50_000 + " fatal: disk gone " + "y" * 50_000
    shown = text_block(text, "log").show(0.01)
    assert "fatal: disk gone" in shown.text
    assert "1: … [49" in shown.text
    assert len(shown.text) < 1000
