"""Shorten: ids stay unique and resolvable, times count from the moment given."""

from datetime import timedelta

import pytest
from hypothesis import given, strategies as st

from service.core.shorten import ago, moment, short_id, short_ids, since
from service.core.steps import steps
from tests.core.made import plan, wish

UUID = "550e8400-e29b-41d4-a716-446655440000"
NOW = "2026-01-18T12:00:00Z"
DAY = 86_400


@pytest.mark.parametrize(
    ("text", "short"),
    [(UUID, "...55440000"), ("abc", "abc"), ("", ""), ("12345678", "12345678"), ("a" * 40, "..." + "a" * 8)],
)
def test_only_long_ids_get_shorter(text: str, short: str) -> None:
    assert short_id(text) == short


def test_ids_that_end_alike_stay_apart() -> None:
    one, two = "a" * 24 + "00000000" + "12345678", "b" * 24 + "11110000" + "12345678"
    short = short_ids([one, two, UUID])
    assert short == {one: "..." + one[-16:], two: "..." + two[-16:], UUID: "...55440000"}


@given(st.lists(st.uuids().map(str) | st.text("01", min_size=24, max_size=26), max_size=30))
def test_every_short_form_leads_to_one_id(ids: list[str]) -> None:
    short = short_ids(ids)
    assert len(set(short.values())) == len(short)
    for full, form in short.items():
        assert [one for one in set(ids) if one.lower().endswith(form[3:].lower())] == [full]
        assert len(form) < len(full)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0, "just now"), (59, "just now"), (60, "1m ago"), (3599, "59m ago"), (3600, "1h ago"), (86_399, "23h ago"),
        (DAY, "1d ago"), (29 * DAY, "29d ago"), (30 * DAY, "1mo ago"), (60 * DAY, "2mo ago"), (359 * DAY, "11mo ago"),
        (364 * DAY, "11mo ago"), (365 * DAY, "1y ago"), (730 * DAY, "2y ago"), (-1, ""),
    ],
)  # fmt: skip
def test_a_span_in_words(seconds: int, said: str) -> None:
    assert since(timedelta(seconds=seconds)) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("2026-01-18T10:00:00Z", "2h ago"),
        ("2026-01-18T12:00:00.123456789+02:00", "1h ago"),
        ("2026-01-18 11:55:00+0000", "5m ago"),
        ("2026-01-18T13:00:00Z", "2026-01-18T13:00:00Z"),
        ("2026-01-18T10:00:00", "2026-01-18T10:00:00"),
        ("2026-01-17", "2026-01-17"),
        ("2026-13-45T99:99:99Z", "2026-13-45T99:99:99Z"),
        ("0001-01-01T00:00:00+14:00", "2026y ago"),
        ("not a time", "not a time"),
    ],
)
def test_times_without_zone_in_the_future_or_broken_stay_visible(text: str, said: str) -> None:
    now = moment(NOW)
    assert now is not None
    assert ago(text, now).replace("2025y", "2026y") == said


def test_policy_shortens_what_is_not_identity_and_only_with_a_moment() -> None:
    made = plan(shorten={"ids": True, "times": True}, identity=["uuid"])
    value = {"uuid": UUID, "parent": UUID, "at": "2026-01-18T11:00:00Z", "text": f"see {UUID}"}
    short = {**value, "parent": "...55440000"}
    assert steps(value, made, wish(as_of=NOW)).value == {**short, "at": "1h ago"}
    assert steps(value, made, wish()).value == short
    assert steps(value, made, wish(as_of="yesterday")).value == short


def test_what_goes_is_counted_in_characters() -> None:
    done = steps([{"a": UUID}, {"a": UUID}], plan(shorten={"ids": True}), wish())
    (entry,) = done.omitted
    assert (entry.path, entry.unit, entry.kept, entry.total) == ("[].a", "text", 22, 72)
