"""The ledger adds up and stays small."""

from typing import Any

import pytest

from schemas.api import Omitted
from service.core.ledger import Ledger, brief, total_fields


def test_entries_with_one_path_unit_and_cause_are_one() -> None:
    ledger = Ledger()
    ledger.add("items[].a", "fields", "fit", 1, 3, 10)
    ledger.add("items[].a", "fields", "fit", 2, 2, 0)
    ledger.add("items[].a", "fields", "policy", 0, 1, 5)
    entries = ledger.entries()
    assert [(one.path, one.by, one.kept, one.total, one.tokens) for one in entries] == [
        ("items[].a", "fit", 3, 5, 10),
        ("items[].a", "policy", 0, 1, 5),
    ]


def test_what_lost_nothing_is_not_told() -> None:
    ledger = Ledger()
    ledger.add("a", "items", "fit", 3, 3, 0)
    assert ledger.entries() == ()


def test_the_eight_largest_and_a_sum_of_the_rest() -> None:
    entries = [Omitted(path=f"p{i}", unit="items", by="fit", kept=0, total=1, tokens=100 - i) for i in range(20)]
    told = brief(entries)
    assert [one.path for one in told] == [f"p{i}" for i in range(8)] + ["*"]
    assert told[-1].paths == 12
    assert told[-1].tokens == sum(100 - i for i in range(8, 20))


@pytest.mark.parametrize(
    ("value", "fields"),
    [
        ({}, 0),
        ({"a": 1, "b": 2, "c": 3}, 3),
        ({"id": 1, "addr": {"x": 1, "y": 2}}, 4),
        ({"a": {"b": {"c": {"d": 1}}}}, 4),
        ({"id": 1, "list": [{"a": 1, "b": 2}, {"a": 3, "b": 4}]}, 4),
        ([{"a": 1}, {"b": [{"c": 1}, {"d": 2}]}], 4),
        (5, 0),
    ],
)
def test_total_fields_counts_every_key_at_every_level(value: Any, fields: int) -> None:
    assert total_fields(value) == fields


def test_total_fields_of_a_deep_value() -> None:
    value: Any = 1
    for _ in range(5000):
        value = {"a": [value]}
    assert total_fields(value) == 5000


def test_what_is_counted_later_is_counted_once_and_when_somebody_asks() -> None:
    ledger, asked = Ledger(), list[str]()

    def count(one: Ledger) -> None:
        asked.append("now")
        one.add("items[].note", "fields", "fit", 1, 3, 4.0)

    ledger.later(count)
    assert not asked
    assert len(ledger) == 1
    assert [(one.kept, one.total) for one in ledger.entries()] == [(1, 3)]
    assert asked == ["now"]
