"""Paths: what they parse to, how they are spelled, and what they lead to."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

from service.core.paths import is_index, nearest, opened, parse, resolve, spell
from service.errors import PathUnknown

PAYLOAD: dict[str, Any] = {
    "data": {"items": [{"name": "a", "tags": [1, 2]}, {"name": "b"}], "0": "zero"},
    "x.y": {"z": 1},
    "text": '{"inner": {"deep": [10, 20]}}',
    "twice": '"{\\"k\\": 1}"',
    "": {"": "nameless"},
    "a/b~c": 7,
    "plain": "no json",
    "nothing": None,
}


@pytest.mark.parametrize(
    ("path", "segments"),
    [
        ("", ()),
        ("data.items.0.name", ("data", "items", "0", "name")),
        ("items[].body", ("items", "[]", "body")),
        ("[].body", ("[]", "body")),
        ("m[][]", ("m", "[]", "[]")),
        ("a.[].b", ("a", "[]", "b")),
        ("/x.y/z", ("x.y", "z")),
        ("/a~1b~0c", ("a/b~c",)),
        ("/", ("",)),
        ("a.", ("a", "")),
    ],
)
def test_a_path_is_dotted_or_a_json_pointer(path: str, segments: tuple[str, ...]) -> None:
    assert parse(path) == segments


@given(st.lists(st.text(max_size=4) | st.sampled_from(["[]", "0", "a.b", "/", "~", "a[]"]), max_size=5))
def test_every_place_has_a_spelling_that_leads_back(segments: list[str]) -> None:
    assert parse(spell(segments)) == tuple(segments)


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("", PAYLOAD),
        ("data.items.1.name", "b"),
        ("data.0", "zero"),
        ("data.items.0.tags.1", 2),
        ("/x.y/z", 1),
        ("/a~1b~0c", 7),
        ("//", "nameless"),
        ("text.inner.deep.1", 20),
        ("text.inner", {"deep": [10, 20]}),
        ("twice.k", 1),
        ("nothing", None),
        ("data.items[].name", ["a", "b"]),
        ("data.items[].tags", [[1, 2]]),
        ("data.items[]", PAYLOAD["data"]["items"]),
    ],
)
def test_a_path_leads_to_its_value(path: str, found: Any) -> None:
    assert resolve(PAYLOAD, path) == found


def test_a_string_stays_text_when_the_path_ends_at_it() -> None:
    assert resolve(PAYLOAD, "text") == PAYLOAD["text"]


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("data.itemz", "`data.items`"),
        ("data.ITEMS", "`data.items`"),
        ("x.y.z", "`/x.y`"),
        ("data.items.2", "0 to 1"),
        ("data.items.01", "0 to 1"),
        ("data.items.-1", "0 to 1"),
        ("data.items.name", "0 to 1"),
        ("plain.a", "`plain`"),
        ("nothing.a", "`nothing`"),
        ("data.items[].nope", "`data.items[].name`"),
        ("data.items." + "9" * 5000, "0 to 1"),
    ],
)
def test_a_path_that_leads_nowhere_names_what_there_is(path: str, said: str) -> None:
    with pytest.raises(PathUnknown) as failure:
        resolve(PAYLOAD, path)
    assert said in failure.value.hint


def test_a_root_that_is_no_object_says_so() -> None:
    roots: list[Any] = [5, "text", None, True, [], {}]
    for root in roots:
        with pytest.raises(PathUnknown, match="root"):
            resolve(root, "a")


def test_only_plain_digits_are_an_index() -> None:
    assert [is_index(text) for text in ("0", "10", "01", "-1", "1.5", "", "²", "٣")] == [True, True] + [False] * 6


def test_json_that_does_not_parse_stays_a_string() -> None:
    assert opened("{broken") == "{broken"
    assert opened(7) == 7


def test_the_nearest_names_come_first_and_a_wide_object_does_not_flood_the_error() -> None:
    assert nearest("statsu", ["zz", "status", "other"])[0] == "status"
    assert len(nearest("a", (str(number) for number in range(10_000)))) <= 12
