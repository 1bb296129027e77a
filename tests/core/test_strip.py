"""Strip: nothing but what carries nothing goes."""

from typing import Any

from hypothesis import given

from service.core.globs import Tree, pattern
from service.core.strip import strip
from service.core.tally import Tally
from tests.core.made import values


def bare(value: Any, *, empties: bool = True) -> Any:
    return strip(value, Tree(), Tally(), nulls=True, empties=empties)


def test_nulls_and_what_they_leave_empty_go() -> None:
    value = {"a": None, "b": "", "c": [], "d": {"e": None}, "f": 0, "g": False, "h": [None, {}, {"i": None}]}
    assert bare(value) == {"f": 0, "g": False, "h": [None, {}, {}]}
    assert bare(value, empties=False) == {
        "b": "", "c": [], "d": {}, "f": 0, "g": False, "h": [None, {}, {}],
    }  # fmt: skip


@given(values)
def test_stripping_twice_is_stripping_once_and_keeps_positions(value: Any) -> None:
    once = bare(value)
    assert bare(once) == once
    if isinstance(value, list):
        assert len(once) == len(value)


def test_guarded_fields_stay_and_everything_else_is_counted() -> None:
    tally = Tally()
    kept = strip([{"id": None, "x": None}, {"x": 1}], Tree([pattern("id")]), tally, nulls=True, empties=False)
    assert kept == [{"id": None}, {"x": 1}]
    (entry,) = tally.entries(kept, "policy", "claude")
    assert (entry.path, entry.kept, entry.total) == ("[].x", 1, 2)
