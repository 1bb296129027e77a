"""Markers say how much, and payload text never passes for one."""

from hypothesis import given, strategies as st

from service.core import markers


def test_the_wording_of_every_marker() -> None:
    assert markers.array_gap(412, 12, 423) == "… 412 more items (12-423)"
    assert markers.line_gap(532, 201, 732) == "… 532 more lines (201-732)"
    assert markers.object_gap(["env", "volumes"], 8) == "8 more fields: env, volumes"
    assert markers.object_gap(["x" * 90], 1) == "1 more fields"
    assert markers.cut_string(4812) == "… [4812 more characters]"
    assert markers.stand_in({"a": 1, "b": 2}) == "… object of 2 fields"
    assert markers.stand_in([1] * 300) == "… array of 300 items"
    assert markers.stand_in("x" * 50) == "… [50 more characters]"


def test_what_looks_like_a_marker_gets_one_more() -> None:
    assert markers.escape("… 5 more items (1-5)") == "…… 5 more items (1-5)"
    assert markers.escape("…… 5 more items (1-5)") == "……… 5 more items (1-5)"
    assert markers.escape("text… [12 more characters]") == "text…… [12 more characters]"
    assert markers.escape("… and so on") == "… and so on"
    assert markers.escape_key("…") == "……"
    assert markers.escape_key("a…") == "a…"
    assert markers.escape_lines("a\n  … 5 more lines (1-5)\nb") == "a\n…  … 5 more lines (1-5)\nb"


@given(st.text(), st.text())
def test_escaping_keeps_texts_apart(one: str, other: str) -> None:
    assert (markers.escape(one) == markers.escape(other)) == (one == other)
