"""The tally: one entry per place and unit, and it adds up."""

from service.core.tally import Tally, occurrences


def test_places_are_counted_where_they_lead() -> None:
    value = {"rows": [{"a": 1, "b": {"c": 2}}, {"a": 3}, 4, {"b": {}}], "a": 1}
    places = [("rows", "[]", "a"), ("rows", "[]", "b", "c"), ("a",), ("nope",)]
    assert occurrences(value, places) == {places[0]: 2, places[1]: 1, places[2]: 1}


def test_what_is_left_of_a_field_counts_as_kept() -> None:
    tally = Tally()
    tally.field(("rows", "[]", "a"), None)
    tally.field(("rows", "[]", "a"), None)
    (entry,) = tally.entries({"rows": [{"a": 1}, {}, {}]}, "policy", "claude")
    assert (entry.path, entry.kept, entry.total) == ("rows[].a", 1, 3)


def test_a_mark_takes_back_what_came_after_it() -> None:
    tally = Tally()
    tally.items(("l",), [1, 2], 5)
    mark = tally.mark()
    tally.field(("x",), 1)
    tally.back_to(mark)
    (entry,) = tally.entries({}, "request", "claude")
    assert (entry.path, entry.unit, entry.by, entry.kept, entry.total) == ("l", "items", "request", 3, 5)
    assert not tally.empty
