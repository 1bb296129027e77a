"""Whether strings hold JSON is told from the bytes alone: by that no string may be missed."""

from typing import Any

from hypothesis import given, settings, strategies as st

from schemas.policy import Policy
from service.core import markers, values
from service.core.payload import Payload, Wish
from service.core.pipeline import compact
from service.core.plan import compile_plan
from service.core.unwrap import unwrap, unwrapped

PIECES = st.sampled_from(
    ["{", "}", "[", "]", '"', "\\", " ", "\n", "\t", "a", "é", "1", ",", ":", '{"a":1}', '[1,"x"]']
)
TEXTS = st.lists(PIECES, max_size=9).map("".join) | st.lists(PIECES, max_size=3).map(
    lambda one: f' [{{"k": "{one}"}}]\n'
)
PLAN = compile_plan("default", Policy())
VALUES = st.recursive(TEXTS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4))


@given(VALUES)
@settings(max_examples=300, deadline=None)
def test_what_is_opened_is_what_a_walk_through_every_string_opens(value: Any) -> None:
    wanted = unwrap(value) if b'\\"' in values.encode(value) else value
    assert unwrapped(value) == wanted


def test_json_in_a_string_is_opened_wherever_it_stands() -> None:
    told = '{"id": 7, "name": "x"}'
    rows: list[Any] = ["plain"] * 1500 + [f"\n {told} "]
    assert unwrapped({"rows": rows})["rows"][-1] == {"id": 7, "name": "x"}
    assert unwrapped(["[not closed", 'a "quote"']) == ["[not closed", 'a "quote"']


def test_in_json_a_string_that_can_never_fit_is_cut_and_counted() -> None:
    value: list[dict[str, Any]] = [{"id": i, "body": f"word{i} is here. " * 1500, "none": None} for i in range(3)]
    for budget in (300, 1000, 4000):
        made = compact(Payload(values.encode(value), "json"), PLAN, Wish(budget, 8 * budget, format="json"))
        said = values.decode(made.body)
        assert made.tokens > budget / 3
        assert said[0]["body"].startswith("word0 is here.")
        (entry,) = [one for one in made.omitted if one.unit == "text"]
        cut = [row["body"] for row in said if isinstance(row, dict) and "body" in row]
        assert entry.total == sum(len(row["body"]) for row in value[: len(cut)])
        assert entry.kept == entry.total - sum(markers.cut_characters(one) for one in cut)
