"""Whether strings hold JSON is told from the bytes alone: by that no string may be missed."""

from typing import Any

from hypothesis import given, settings, strategies as st

from service.core import values
from service.core.compaction import _open
from service.core.unwrap import unwrap

PIECES = st.sampled_from(
    ["{", "}", "[", "]", '"', "\\", " ", "\n", "\t", "a", "é", "1", ",", ":", '{"a":1}', '[1,"x"]']
)
TEXTS = st.lists(PIECES, max_size=9).map("".join) | st.lists(PIECES, max_size=3).map(
    lambda one: f' [{{"k": "{one}"}}]\n'
)
VALUES = st.recursive(TEXTS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4))


@given(VALUES)
@settings(max_examples=300, deadline=None)
def test_what_is_opened_is_what_a_walk_through_every_string_opens(value: Any) -> None:
    wanted = unwrap(value) if b'\\"' in values.encode(value) else value
    assert _open(value) == wanted


def test_json_in_a_string_is_opened_wherever_it_stands() -> None:
    told = '{"id": 7, "name": "x"}'
    rows: list[Any] = ["plain"] * 1500 + [f"\n {told} "]
    assert _open({"rows": rows})["rows"][-1] == {"id": 7, "name": "x"}
    assert _open(["[not closed", 'a "quote"']) == ["[not closed", 'a "quote"']
