"""Truncated and summarised texts stay within their limit, marker included, and say what they lost."""

import re

from hypothesis import given, settings, strategies as st

from service.core.ledger import Ledger
from service.core.summarise import summarise
from service.core.truncate import each_text, truncate

TEXTS = st.one_of(
    st.text(max_size=400),
    st.sampled_from(
        ["A" * 5000, "行。" * 500, "🙂👩‍👩‍👧" * 200, "One. Two! Three? " * 60, "Dr. Smith paid 3.50 at noon. " * 40]
    ),
)


@settings(max_examples=200, deadline=None)
@given(TEXTS, st.integers(40, 300))
def test_the_marker_is_inside_the_limit(text: str, chars: int) -> None:
    for made in (truncate(text, chars), summarise(text, chars)):
        assert len(made) <= max(chars, 0) or made == text
        assert made == text if len(text) <= chars else "more characters]" in made


def test_truncation_ends_at_a_sentence_and_counts_exactly() -> None:
    text = "The first sentence is here. The second one is rather longer than the first."
    made = truncate(text, 60)
    assert made == "The first sentence is here. … [48 more characters]"


def test_emoji_are_not_torn() -> None:
    made = truncate("👩‍👩‍👧" * 100, 60)
    kept = made.split(" …")[0]
    assert len(kept) % 5 == 0


def test_a_summary_keeps_the_first_sentence_errors_and_keywords_in_order() -> None:
    filler = "Nothing of note happened in the afternoon. " * 10
    text = f"Dr. Smith arrived at 3.30 in the rain. {filler}The engine failed at dawn. {filler}A guest complained."
    made = summarise(text, 240, 3, re.compile("guest"))
    assert made.startswith("Dr. Smith arrived at 3.30 in the rain. … [")
    assert "The engine failed at dawn." in made
    assert made.endswith("A guest complained.")
    assert made.count("more characters]") == 2


def test_a_summary_prefers_what_tells_something() -> None:
    filler = "Nothing of note happened in the afternoon. " * 10
    text = f"The kettle has a timer. {filler}The default is 30 seconds. {filler}Everybody went home."
    made = summarise(text, 160, 2)
    assert made.startswith("The kettle has a timer. … [")
    assert "The default is 30 seconds." in made


def test_what_must_stay_is_left_alone_and_the_rest_is_counted() -> None:
    ledger = Ledger()
    value = {"id": "x" * 200, "rows": [{"t": "y" * 200}, {"t": "short"}]}
    made = each_text(value, lambda text: truncate(text, 50), lambda path: path == ("id",), ledger)
    assert made["id"] == value["id"]
    assert len(made["rows"][0]["t"]) <= 50
    entry = ledger.entries()[0]
    assert (entry.path, entry.unit, entry.by, entry.total) == ("rows[].t", "text", "policy", 200)
