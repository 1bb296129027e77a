"""The list of a payload: found where it is, and refused with a way out where there is none."""

import json

import pytest

from service.core.lists import arranged, find_list
from service.core.payload import Payload
from service.errors import PathUnknown, RequestInvalid
from tests.made import dump

ROWS = [{"id": 1, "name": "b"}, {"id": 2, "name": "a"}, {"id": 3, "name": "ab"}]


def items(payload: Payload, path: str = "", items_path: str | None = None) -> list[object]:
    listing = find_list(payload, path, items_path)
    return [json.loads(listing.item(i)) for i in range(listing.count)]


@pytest.mark.parametrize(
    ("payload", "path", "items_path", "where"),
    [
        (ROWS, "", None, ()),
        ({"rows": ROWS}, "", None, ("rows",)),
        ({"rows": ROWS, "tags": [1]}, "", None, ("rows",)),
        ({"rows": ROWS, "tags": [1]}, "tags", None, ("tags",)),
        ({"rows": ROWS, "tags": [1]}, "", "tags", ("tags",)),
        ({"rows": ROWS}, "", "not.there", ("rows",)),
        ({"a": {"b": {"c": ROWS}}}, "a", None, ("a", "b", "c")),
    ],
)
def test_the_list_is_found(payload: object, path: str, items_path: str | None, where: tuple[str, ...]) -> None:
    assert find_list(Payload(dump(payload), "json"), path, items_path).steps == where


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (json.dumps(ROWS), "json"),
        ("\n".join(json.dumps(row) for row in ROWS), "jsonl"),
        (repr(ROWS), "repr"),
    ],
)
def test_every_form_of_a_list_gives_the_same_items(text: str, kind: str) -> None:
    payload = Payload(text.encode(), "text")
    assert items(payload) == ROWS
    assert find_list(payload, "", None).content_type == kind


def test_csv_rows_are_items() -> None:
    found = items(Payload(b"id,name\n1,b\n2,a\n3,ab\n", "text", "csv"))
    assert [str(row["name"]) for row in found if isinstance(row, dict)] == ["b", "a", "ab"]


def test_a_list_inside_a_string_is_reached_by_its_path() -> None:
    payload = Payload(dump({"text": json.dumps(ROWS)}), "json")
    assert items(payload, "text") == ROWS


@pytest.mark.parametrize("data", [b"3", b'"text"', b'{"a": 1}', b"null"])
def test_what_holds_no_list_is_refused_with_a_way_out(data: bytes) -> None:
    with pytest.raises(RequestInvalid) as refused:
        find_list(Payload(data, "json"), "", None)
    assert "/compact" in refused.value.hint


def test_an_unknown_path_names_what_is_there() -> None:
    with pytest.raises(PathUnknown) as refused:
        find_list(Payload(dump({"rows": ROWS}), "json"), "row", None)
    assert "rows" in refused.value.detail + refused.value.hint


def test_around_is_the_object_without_its_list() -> None:
    around = find_list(Payload(dump({"total": 3, "data": {"rows": ROWS}}), "json"), "", None).around
    assert around is not None
    assert json.loads(around) == {"total": 3, "data": {"rows": "… array of 3 items"}}


def test_a_searched_and_sorted_list_remembers_where_its_items_stood() -> None:
    listing = arranged(find_list(Payload(dump(ROWS), "json"), "", None), "ab", "-id")
    assert [json.loads(listing.item(i))["id"] for i in range(listing.count)] == [3]
    assert listing.order == (2,)
