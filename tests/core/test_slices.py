"""Slices find the same values that decoding finds, byte for byte as they were written."""

import json

import pytest
from hypothesis import given, strategies as st

from service.core import slices
from tests.made import dump, json_lists, json_values


def spaced(value: object, gap: str) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(f"{gap},{gap}", ":")).encode()


@given(json_lists, st.sampled_from(["", " ", "  ", "\n\t"]))
def test_elements_are_found_where_they_stand(items: list[object], gap: str) -> None:
    data = spaced(items, gap)
    starts = slices.starts(data, slices.elements(data))
    found = [slices.element(data, starts[i], starts[i + 1]) for i in range(len(items))]
    assert [json.loads(part) for part in found] == items
    assert all(part in data and part == part.strip() for part in found)


def test_uneven_gaps_are_not_taken_for_even_ones() -> None:
    data = b'[ 1 ,  2,3, [ 4 ,5 ] ,"a, b",  {} ]'
    starts = slices.starts(data, slices.elements(data))
    found = [slices.element(data, starts[i], starts[i + 1]) for i in range(6)]
    assert found == [b"1", b"2", b"3", b"[ 4 ,5 ]", b'"a, b"', b"{}"]


@given(json_values)
def test_every_path_leads_to_its_value(value: object) -> None:
    data = dump(value)
    for path, part in _walk(value):
        found = slices.at_path(data, path)
        assert found is not None
        assert json.loads(found) == part


def _walk(value: object, path: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], object]]:
    found: list[tuple[tuple[str, ...], object]] = [(path, value)]
    if isinstance(value, dict):
        for key, child in value.items():
            found += _walk(child, (*path, key))
    if isinstance(value, list):
        for index, child in enumerate(value):
            found += _walk(child, (*path, str(index)))
    return found


def test_a_path_enters_json_inside_a_string() -> None:
    data = dump({"content": [{"text": dump({"rows": [1, 2]}).decode()}]})
    assert slices.at_path(data, ("content", "0", "text", "rows", "1")) == b"2"
    assert slices.at_path(data, ("content", "0", "text", "rows", "7")) is None


def test_numbers_escapes_and_duplicate_keys_stay_as_written() -> None:
    data = b'{"a": {"n": 1e2, "s": "\\u00e9", "n": 1.10}}'
    assert slices.at_path(data, ("a",)) == b'{"n": 1e2, "s": "\\u00e9", "n": 1.10}'


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ({"rows": [1]}, ("rows",)),
        ({"data": {"a": [1], "b": [1, 2, 3]}}, ("data", "b")),
        ({"small": [1], "deep": {"list": ["x" * 50]}}, ("deep", "list")),
        ({"none": 1}, None),
    ],
)
def test_the_largest_list_is_found(value: object, path: tuple[str, ...] | None) -> None:
    assert slices.largest_list(dump(value)) == path


@given(st.lists(st.fixed_dictionaries({}, optional={"k": json_values}), max_size=20), st.sampled_from(["k", "-k"]))
def test_sorting_keeps_all_items_and_is_stable(items: list[dict[str, object]], sort: str) -> None:
    order = slices.ordered([dump(item) for item in items], sort, ("k",))
    assert sorted(order) == list(range(len(items)))
    missing = [i for i in order if items[i].get("k") is None]
    assert order[len(order) - len(missing) :] == missing
    assert missing == sorted(missing)


def test_equal_keys_keep_input_order_both_ways() -> None:
    items = [dump({"k": k, "n": n}) for n, k in enumerate([2, 1, 2, 1])]
    assert slices.ordered(items, "k", ("k",)) == [1, 3, 0, 2]
    assert slices.ordered(items, "-k", ("k",)) == [0, 2, 1, 3]
