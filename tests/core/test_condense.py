"""Condense: an object becomes the field that names it, and nothing else changes."""

from typing import Any

import pytest

from service.core.steps import steps
from tests.core.made import plan, wish

USER = {"login": "ann", "id": 1, "url": "u"}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"user": USER}, {"user": "ann"}),
        ([{"user": USER}, {"a": {"user": USER}}], [{"user": "ann"}, {"a": {"user": "ann"}}]),
        ({"user": [USER, {"id": 2}, "x", None]}, {"user": ["ann", {"id": 2}, "x", None]}),
        ({"user": {"id": 2}}, {"user": {"id": 2}}),
        ({"user": {"login": None}}, {"user": {"login": None}}),
        ({"user": {"login": {"x": 1}}}, {"user": {"login": {"x": 1}}}),
        ({"user": "ann"}, {"user": "ann"}),
    ],
)
def test_an_object_becomes_its_field(value: Any, expected: Any) -> None:
    assert steps(value, plan(condense={"**.user": "login"}), wish()).value == expected


def test_a_dotted_field_and_the_first_pattern_that_fits() -> None:
    made = plan(condense={"a.user": "name.first", "**.user": "login"})
    value = {"a": {"user": {"name": {"first": "Ann"}, "login": "x"}}, "b": {"user": USER}}
    assert steps(value, made, wish()).value == {"a": {"user": "Ann"}, "b": {"user": "ann"}}


def test_what_goes_is_counted_in_fields() -> None:
    done = steps({"rows": [{"user": USER}, {"user": USER}]}, plan(condense={"**.user": "login"}), wish())
    (entry,) = done.omitted
    assert (entry.path, entry.unit, entry.kept, entry.total) == ("rows[].user", "fields", 2, 6)
    assert entry.tokens > 0


def test_an_object_with_a_guarded_field_stays() -> None:
    made = plan(condense={"user": "login"}, identity=["user.id"])
    assert steps({"user": USER}, made, wish()).value == {"user": USER}
