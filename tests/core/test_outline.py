"""The outermost names of what cannot be shown, within any budget."""

from typing import Any

from hypothesis import given, settings, strategies as st

from schemas.policy import Policy
from service.core import values
from service.core.fit import Limits
from service.core.outline import outline
from service.core.payload import Payload, Wish
from service.core.pipeline import compact
from service.core.plan import compile_plan
from tests.made import dump

PLAN = compile_plan("default", Policy())
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=80),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=12), inner, max_size=6),
    max_leaves=40,
)


@given(VALUES, st.integers(40, 300))
@settings(max_examples=200)
def test_an_outline_fits_and_adds_up(value: Any, tokens: int) -> None:
    limits = Limits(tokens, 8 * tokens, "claude")
    found = outline(value, limits)
    if found is not None:
        assert limits.hold(found.value.encode() if isinstance(value, str) else values.encode(found.value))
        assert all(0 <= (row.kept or 0) < (row.total or 0) for row in found.ledger.entries())


def test_an_object_that_does_not_fit_says_what_is_in_it() -> None:
    value = {"total": 3, "rows": [{"note": "word " * 300}] * 3, "meta": {"a": "b" * 4000}, "k" * 9000: 1}
    found = outline(value, Limits(100, 800, "claude"))
    assert found is not None
    assert found.value == {
        "total": 3,
        "rows": "… array of 3 items",
        "meta": "… object of 1 fields",
        "…": "1 more fields",
    }
    lost = {(row.path, row.unit): (row.kept, row.total) for row in found.ledger.entries()}
    assert lost == {("rows", "items"): (0, 3), ("meta", "fields"): (0, 1), ("", "fields"): (3, 4)}


def test_a_list_shows_how_its_first_item_begins() -> None:
    made = compact(Payload(dump([{"id": "x" * 900, "body": "long " * 900}] * 5), "json"), PLAN, Wish(90, 720))
    assert made.format == "json"
    assert "… 4 more items (1-4)" in made.body.decode()
    assert "characters]" in made.body.decode()


def test_one_line_of_text_is_cut_to_fit() -> None:
    text = "Nothing in this line ends it, and it goes on " * 2000
    made = compact(Payload(text.encode(), "text"), PLAN, Wish(64, 512))
    assert made.body.decode().startswith("Nothing in this line ends it")
    assert made.body.decode().endswith(" more characters]")
    (entry,) = made.omitted
    assert (entry.total, entry.unit) == (len(text.strip()), "text") or entry.total == len(text)
    assert made.tokens > 32
