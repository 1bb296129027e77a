"""What of a container is shown at a price: no marker takes the place of something shorter."""

from typing import Any

from hypothesis import given, settings, strategies as st

from service.core.ledger import Ledger
from service.core.rank import Builder, Lens
from service.core.rank.nodes import Arr, Leaf, Obj
from service.core.render.inline import inline
from service.core.render.kept import MARKER, hidden_fields, kept_items

SCALARS = st.none() | st.booleans() | st.integers(-10_000, 10_000) | st.text("ab c…", max_size=40)
LEVELS = st.floats(0.01, 20)


def built(value: Any) -> Any:
    return Builder(Lens(), tables=False).build(value)


@given(st.dictionaries(st.text("abc", min_size=1, max_size=6), SCALARS, min_size=1, max_size=12), LEVELS)
@settings(max_examples=200, deadline=None)
def test_hidden_fields_cost_more_than_their_marker_or_none_is_hidden(value: dict[str, Any], level: float) -> None:
    node = built(value)
    hidden = hidden_fields(node, level)
    assert all(node.kids[name].price < level for name in hidden)
    assert not hidden or sum(kid.cost for kid in hidden.values()) > MARKER
    missing = {name for name, kid in node.kids.items() if kid.price < level} - set(hidden)
    assert not missing or sum(node.kids[name].cost for name in missing) <= MARKER


@given(st.lists(SCALARS, min_size=5, max_size=30), LEVELS)
@settings(max_examples=200, deadline=None)
def test_every_gap_in_a_list_is_dearer_than_its_marker(value: list[Any], level: float) -> None:
    node = built(value)
    run = 0.0
    for kid, kept in zip([*node.kids, None], [*kept_items(node, level), True], strict=True):
        assert not kept or not run or run > MARKER
        run = 0.0 if kept or kid is None else run + kid.cost


def test_containers_that_are_hidden_stay_hidden() -> None:
    node = Obj({}, 9, 5.0, {"a": Leaf(1, 2, 5.0), "b": Arr([[1]], 3, 0.1, [])})
    assert list(hidden_fields(node, 1.0)) == ["b"]


def test_a_short_field_is_shown_rather_than_counted() -> None:
    node = built({"phase": "Running", "message": "0 of 3 nodes are available: out of memory", "qosClass": None})
    level = node.kids["qosClass"].price * 1.01
    ledger = Ledger()
    assert "qosClass: null" in inline(node, level, (), ledger)
    assert "more fields" not in inline(node, level, (), ledger)
