"""The wished steps together: projection, protection, order, and a ledger that adds up."""

import copy
import pickle
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from service.core import values as json_values
from service.core.payload import Wish
from service.core.steps import Stepped, steps
from tests.core.made import paths, plan, values, wish

BOOK: dict[str, Any] = {
    "id": "BK12345",
    "status": "confirmed",
    "guestName": "John Doe",
    "guestEmail": "john@example.com",
    "guestPhone": "+1234567890",
    "guestAddress": {"street": "123 Main St", "city": "NYC", "state": "NY", "zip": "10001"},
    "checkInDate": "2025-11-01",
    "checkOutDate": "2025-11-05",
    "totalPrice": 1200.0,
    "currency": "USD",
    "priceBreakdown": {"nights": 4, "basePrice": 1000, "cleaningFee": 100, "taxesAndFees": 100},
}
OPEN = plan()


def project(value: Any, *fields: str) -> Stepped:
    return steps(value, OPEN, wish(fields=fields))


@pytest.mark.parametrize(
    ("value", "fields", "expected", "missing"),
    [
        (BOOK, ["id", "status"], {"id": "BK12345", "status": "confirmed"}, []),
        (BOOK, [], {}, []),
        (BOOK, list(BOOK), BOOK, []),
        (BOOK, ["id", "nope"], {"id": "BK12345"}, ["nope"]),
        (BOOK, ["guestAddress.city"], {"guestAddress": {"city": "NYC"}}, []),
        (
            BOOK,
            ["guestAddress.city", "guestAddress.state"],
            {"guestAddress": {"city": "NYC", "state": "NY"}},
            [],
        ),
        (BOOK, ["guestAddress.nope"], {}, ["guestAddress.nope"]),
        (BOOK, ["id.x", "guestAddress.city.x"], {}, ["id.x", "guestAddress.city.x"]),
        ({"booking": {"guest": {"contact": {"email": 1, "x": 2}}}}, ["booking.guest.contact.email"],
         {"booking": {"guest": {"contact": {"email": 1}}}}, []),
        ({"a": None}, ["a.b"], {}, ["a.b"]),
        ({"a": None}, ["a"], {"a": None}, []),
        ({"a": {"b": 1, "c": 2}}, ["a", "a.b"], {"a": {"b": 1, "c": 2}}, []),
        ({"a": {"b": 1, "c": 2}}, ["a.b", "a"], {"a": {"b": 1, "c": 2}}, []),
        ({"tags": [{"n": 1, "m": 2}, {"n": 3}]}, ["tags.n"], {"tags": [{"n": 1}, {"n": 3}]}, []),
        ({"tags": [{"n": 1, "m": 2}, {"n": 3}]}, ["tags[].n"], {"tags": [{"n": 1}, {"n": 3}]}, []),
        ({"tags": ["x", "y"]}, ["tags.n"], {}, ["tags.n"]),
        ({"x.y": 1, "x": {"y": 2}}, ["/x.y"], {"x.y": 1}, []),
        ({"x.y": 1, "x": {"y": 2}}, ["x.y"], {"x": {"y": 2}}, []),
        ([BOOK, {"id": 2}], ["id", "currency"], [{"id": "BK12345", "currency": "USD"}, {"id": 2}], []),
        ([{"id": 1}, {"b": 1}], ["id"], [{"id": 1}, {}], []),
        ({"j": '{"k": {"z": 1, "w": 2}}'}, ["j.k.z"], {"j": {"k": {"z": 1}}}, []),
        ({"*": 1, "b": 2}, ["*"], {"*": 1}, []),
    ],
)  # fmt: skip
def test_a_projection_has_what_was_asked_for(value: Any, fields: list[str], expected: Any, missing: list[str]) -> None:
    before = copy.deepcopy(value)
    done = project(value, *fields)
    assert done.value == expected
    assert list(done.missing) == missing
    assert value == before
    assert all(entry.by == "request" for entry in done.omitted)


def test_a_projection_of_what_has_no_fields_leaves_it_whole() -> None:
    for value in (5, "text", None, True):
        done = project(value, "a")
        assert (done.value, done.missing) == (value, ("a",))
        assert done.notes


def test_a_projection_that_finds_nothing_says_so() -> None:
    assert project(BOOK, "nope").notes


@given(values, st.lists(paths, max_size=4))
def test_fields_never_invent_and_are_stable(value: Any, fields: list[str]) -> None:
    done = project(value, *fields)
    again = project(done.value, *fields)
    assert again.value == done.value or done.missing
    assert set(done.projected).isdisjoint(done.missing)


def test_identity_survives_keep_drop_and_strip() -> None:
    made = plan(keep=["a"], drop=["id", "**.name", "user"], strip={"nulls": True}, identity=["id", "name", "user.key"])
    value = {"id": None, "name": "n", "a": 1, "b": 2, "user": {"key": 3, "other": 4}}
    done = steps(value, made, wish())
    assert done.value == {"id": None, "name": "n", "a": 1, "user": {"key": 3}}


@given(st.dictionaries(st.sampled_from(["id", "name", "status", "a", "b"]), values, max_size=5))
def test_identity_is_equal_to_the_input_whatever_the_policy_takes(value: dict[str, Any]) -> None:
    made = plan(keep=["a"], drop=["**"], strip={"nulls": True, "empties": True}, identity=["id", "name", "status"])
    out = steps(value, made, wish()).value
    assert {key: out[key] for key in ("id", "name", "status") if key in value} == {
        key: value[key] for key in ("id", "name", "status") if key in value
    }


def test_a_policy_that_keeps_nothing_of_a_payload_leaves_it_whole() -> None:
    done = steps({"foo": 1}, plan(keep=["id", "status"]), wish())
    assert done.value == {"foo": 1}
    assert done.notes
    assert not done.ran


def test_a_policy_keeps_exactly_its_fields() -> None:
    done = steps(BOOK, plan(keep=["id", "status", "guestName"]), wish())
    assert done.value == {key: BOOK[key] for key in ("id", "status", "guestName")}


def test_a_row_without_any_kept_field_stays_whole() -> None:
    done = steps([{"id": 1, "x": 2}, {"error": "boom"}], plan(keep=["id"]), wish())
    assert done.value == [{"id": 1}, {"error": "boom"}]


def test_policy_paths_count_from_the_root_or_from_an_item() -> None:
    made = plan(items_path="data.rows", keep=["id"], condense={"user": "login"}, drop=["data.rows.junk"])
    rows = [{"id": 1, "user": {"login": "a", "x": 1}, "junk": 1}]
    assert steps({"data": {"rows": rows}, "n": 1}, made, wish()).value == {"data": {"rows": [{"id": 1}]}}
    assert steps(rows[0], made, wish()).value == {"id": 1}
    assert steps(rows[0], made, wish(), at=("data", "rows", "0")).value == {"id": 1}


def test_what_was_asked_for_by_name_is_not_taken_by_the_policy() -> None:
    made = plan(
        keep=["z"],
        drop=["**.owner", "**.x"],
        condense={"**.user": "login"},
        strip={"nulls": True},
        shorten={"ids": True},
    )
    value = {
        "user": {"login": "a", "id": 3, "x": 9},
        "owner": {"login": "z", "x": 1},
        "n": None,
        "m": None,
        "uid": "550e8400-e29b-41d4-a716-446655440000",
    }
    done = steps(value, made, wish(fields=("user.login", "owner", "n", "uid")))
    assert done.value == {"user": {"login": "a"}, "owner": value["owner"], "n": None, "uid": value["uid"]}
    inside = steps({"user": {"login": "a"}}, made, wish(fields=("user.login",)), at=("items", "0"))
    assert inside.value == {"user": {"login": "a"}}


def test_verbatim_switches_the_policy_off() -> None:
    made = plan(drop=["a"], strip={"nulls": True})
    done = steps({"a": 1, "b": None}, made, wish(verbatim=True))
    assert (done.value, done.ran, done.trace) == ({"a": 1, "b": None}, False, ())


def test_a_step_that_changes_nothing_leaves_the_bytes_alone() -> None:
    done = steps({"b": 1}, plan(drop=["a"], strip={"nulls": True}), wish())
    assert not done.ran
    assert done.trace == ("drop", "strip")


def test_explain_counts_tokens_after_every_step() -> None:
    made = plan(drop=["a"], strip={"nulls": True})
    done = steps({"a": "long text here", "b": None, "c": 1}, made, wish(explain=True))
    assert [step.step for step in done.explained] == ["drop", "strip"]
    assert done.explained[0].tokens > done.explained[1].tokens > 0


@given(values, st.lists(paths, max_size=3), st.lists(paths, max_size=3), st.booleans())
def test_every_entry_adds_up_and_every_plan_survives_every_value(
    value: Any, keep: list[str], drop: list[str], strip: bool
) -> None:
    made = plan(
        keep=keep, drop=drop, strip={"nulls": strip, "empties": strip}, condense={"**.user": "id"}, identity=["id"],
        shorten={"ids": True, "times": True},
    )  # fmt: skip
    done = steps(value, made, wish(as_of="2026-01-01T00:00:00Z"))
    for entry in done.omitted:
        assert isinstance(entry.kept, int)
        assert isinstance(entry.total, int)
        assert 0 <= entry.kept < entry.total
        assert entry.tokens >= 0
    assert len({(entry.path, entry.unit, entry.by) for entry in done.omitted}) >= len(done.omitted) - 3
    assert bool(done.omitted) == done.ran
    pickle.loads(pickle.dumps(done))  # noqa: S301 - our own bytes


def test_the_ledger_counts_what_is_left_and_what_went() -> None:
    rows = [{"id": n, "body": "x" * 50, "note": None if n % 3 else "y"} for n in range(9)]
    done = steps({"items": rows}, plan(drop=["**.body"], strip={"nulls": True}), wish())
    counted = {entry.path: (entry.unit, entry.by, entry.kept, entry.total) for entry in done.omitted}
    assert counted == {
        "items[].body": ("fields", "policy", 0, 9),
        "items[].note": ("fields", "policy", 3, 9),
    }


def test_items_that_a_policy_drops_are_counted_as_items() -> None:
    done = steps({"items": [1, 2, 3]}, plan(drop=["items.0", "items.2"]), wish())
    (entry,) = done.omitted
    assert done.value == {"items": [2]}
    assert (entry.path, entry.unit, entry.kept, entry.total) == ("items", "items", 1, 3)


def test_numbers_keep_their_spelling() -> None:
    value = json_values.decode('{"a": 1.10, "b": 1e2, "x": {"n": 0.100}, "z": 1}')
    done = steps(value, plan(drop=["z"], condense={"x": "n"}), wish())
    assert json_values.encode(done.value) == b'{"a":1.10,"b":1e2,"x":{"n":0.100}}'.replace(b'{"n":0.100}', b"0.100")


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_no_depth_breaks_a_step(opening: str) -> None:
    depth = 480
    text = opening * depth + "1" + ("]" if opening == "[" else "}") * depth
    made = plan(drop=["**.x"], strip={"nulls": True}, condense={"**.user": "login"}, shorten={"ids": True})
    done = steps(json_values.decode(text), made, wish(as_of="2026-01-01T00:00:00Z", fields=("a",)))
    assert done.value is not None


def test_a_projection_of_100_kb_takes_milliseconds() -> None:
    row = {f"field{n}": f"value {n} of a row" for n in range(12)} | {"user": {"login": "a", "url": "u" * 60}}
    value = {"items": [dict(row, id=n) for n in range(230)]}
    assert 90_000 < len(json_values.encode(value)) < 130_000
    wanted: Wish = wish(fields=("items.id", "items.user.login", "items.field3"))
    traced, best = sys.gettrace(), 9.0
    sys.settrace(None)  # what coverage takes to look on is not what the step takes
    try:
        for _ in range(5):
            started = time.process_time()
            steps(value, OPEN, wanted)
            best = min(best, time.process_time() - started)
    finally:
        sys.settrace(traced)
    assert best < 0.02  # 3 ms on a quiet machine


def test_the_shipped_steps_of_a_real_list(tmp_path: Path) -> None:
    made = plan(drop=["**._links", "**.*_url"], condense={"**.user": "login", "**.labels": "name"})
    issue = {
        "number": 1,
        "html_url": "https://h",
        "user": {"login": "a", "id": 1, "avatar_url": "x"},
        "labels": [{"id": 1, "name": "bug"}, {"id": 2, "name": "ui"}],
        "head": {"repo": {"owner_url": 1, "name": "r"}},
    }
    done = steps([issue], made, wish())
    assert done.value == [{"number": 1, "user": "a", "labels": ["bug", "ui"], "head": {"repo": {"name": "r"}}}]
