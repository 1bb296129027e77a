"""Rows as columns, also where their cells are lists of objects or of several kinds."""

from typing import Any

from service.core.rank.columns import ABSENT, columns


def named(rows: list[Any]) -> dict[str, list[Any]]:
    return {one.place.name: one.cells for one in columns(rows, True)}


def test_lists_of_many_objects_become_a_list_for_each_field() -> None:
    rows = [
        {"id": 1, "products": [{"title": "Knife", "n": 1}, {"title": "Pan", "n": 2}, {"title": "Pot"}]},
        {"id": 2, "products": [{"title": "Spoon", "n": 5}]},
        {"id": 3, "products": []},
    ]
    found = named(rows)
    assert found["products[].title"] == [["Knife", "Pan", "Pot"], ["Spoon"], ABSENT]
    assert found["products[].n"] == [[1, 2, None], [5], ABSENT]


def test_lists_in_lists_are_one_list() -> None:
    rule = {"port": 22, "ranges": [{"cidr": "10.0.0.0/8"}, {"cidr": "10.1.0.0/16"}]}
    rows = [{"rules": [rule, rule, {"port": 80, "ranges": []}]}, {"rules": [rule]}]
    found = named(rows)
    assert found["rules[].port"] == [[22, 22, 80], [22]]
    assert found["rules[].ranges[].cidr"] == [["10.0.0.0/8", "10.1.0.0/16"] * 2, ["10.0.0.0/8", "10.1.0.0/16"]]


def test_cells_of_several_kinds_are_spread_beside_the_plain_ones() -> None:
    found = named([{"value": "text"}, {"value": {"id": "Q5", "rank": 1}}, {"value": {"id": "Q6", "rank": 2}}])
    assert found["value"][0] == "text"
    assert found["value"][1] is ABSENT
    assert found["value.id"] == [ABSENT, "Q5", "Q6"]


def test_a_name_that_is_no_text_somewhere_names_no_column() -> None:
    rows = [
        {"v": [{"name": "a", "x": 1}, {"name": "b", "x": 2}, {"name": "c", "x": 3}]},
        {"v": [{"name": {"a": 1}}] * 4},
    ]
    assert set(named(rows)) == {"v[].name", "v[].x"}


def test_trees_are_not_torn_apart() -> None:
    leaf = {"name": "a.py", "type": "file"}
    folder = {"name": "src", "type": "directory", "children": [leaf, leaf, {**leaf, "children": [leaf] * 3}]}
    assert set(named([folder, {**folder, "name": "lib"}])) == {"name", "type", "children"}


def test_lists_of_unlike_objects_stay_as_they_are() -> None:
    rows = [{"parts": [{"a": 1}, {"b": 2}, {"c": 3}, {"d": 4, "e": 5}]}] * 2
    assert set(named(rows)) == {"parts"}
