"""What a name and a value are worth: that shortcuts do not change what is found."""

import re

import pytest
from hypothesis import given, strategies as st

from service.core.rank import names


@given(st.from_regex(names._ERROR_WORDS), st.text(max_size=40))
def test_a_long_text_is_searched_like_a_short_one(words: str, rest: str) -> None:
    text = f"{rest} {words}"
    assert names.speaks_of_error(text) == (names._ERROR_WORDS.search(text.lower()) is not None)


@given(st.from_regex(re.compile(rf"{names._TIME.pattern}|{names._URL.pattern}")))
def test_a_value_is_known_by_its_first_characters(text: str) -> None:
    if names._TIME.match(text) and len(text) <= 80:
        assert names.weigh("", text) == 6.5
    elif names._URL.match(text):
        assert names.weigh("", text) == 1.0


@pytest.mark.parametrize(
    "text",
    ["connection refused by the peer at 10.0.0.1", "the request has timed out by now", "an upstream BackOff"],
)
def test_texts_that_speak_of_an_error(text: str) -> None:
    assert names.speaks_of_error(text)
    assert names.weigh("note", text) == 11.0


@pytest.mark.parametrize(
    ("name", "kind"),
    [("brands", "category"), ("categories", "category"), ("actions", "category"), ("tokens", "metric"),
     ("input_tokens", "metric"), ("token", "noise"), ("access_token", "noise"), ("node_id", "noise"),
     ("nodeId", "noise"), ("hashes", "")],
)  # fmt: skip
def test_plurals_are_what_one_of_them_is_but_many_tokens_are_a_count(name: str, kind: str) -> None:
    assert names.kind_of(name) == kind


def test_the_name_of_a_test_is_no_noise() -> None:
    assert names.kind_of("nodeid") != "noise"  # pytest's, where node_id is a key that GitHub makes up


_CELL = st.none() | st.booleans() | st.integers() | st.text() | st.from_regex(names._ERROR_WORDS)


@given(st.sampled_from(["", *names.NAMES]), st.lists(_CELL | st.lists(_CELL, min_size=1), min_size=1, max_size=8))
def test_values_are_worth_together_what_each_is_worth(kind: str, values: list[object]) -> None:
    assert names.worths(kind, values) == [names.worth(kind, value) for value in values]
