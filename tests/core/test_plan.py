"""A plan: compiled once, immutable, and it crosses into another process."""

import dataclasses
import pickle
from typing import Any

import pytest

from service.core.plan import words
from service.core.render.template import template_rows
from service.core.steps import steps
from tests.core.made import plan, wish


def test_a_plan_works_the_same_in_another_process() -> None:
    made = plan(
        drop=["**.*_url"],
        condense={"**.user": "login"},
        identity=["id"],
        keywords=["error"],
        template={"item": "{id|upper}"},
    )
    again = pickle.loads(pickle.dumps(made))  # noqa: S301 - our own bytes
    value = {"id": "a", "x_url": 1, "user": {"login": "b"}}
    assert steps(value, again, wish()).value == steps(value, made, wish()).value == {"id": "a", "user": "b"}
    rows = template_rows(value, again, wish())
    assert rows is not None
    assert rows.text() == "A"
    assert again.keywords is not None
    assert again.keywords.search("an ERROR here")


def test_a_plan_does_not_change() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        plan().name = "other"  # type: ignore[misc]  # that is what is tested


def test_default_has_no_steps_and_others_say_so() -> None:
    assert not plan().has_steps
    assert not plan(template={"item": "{a}"}, identity=["a"], keywords=["b"]).has_steps
    stepping: list[dict[str, Any]] = [
        {"keep": ["a"]}, {"drop": ["a"]}, {"strip": {}}, {"condense": {"a": "b"}}, {"shorten": {}},
    ]  # fmt: skip
    assert all(plan(**policy).has_steps for policy in stepping)


def test_words_are_whole_and_literal() -> None:
    found = words(["err", "a.b", "no-show", ""])
    assert found is not None
    assert [bool(found.search(text)) for text in ("ERR!", "error", "a.b", "axb", "(no-show)", "")] == [
        True, False, True, False, True, False,
    ]  # fmt: skip
    assert words([" ", ""]) is None


def test_identity_is_known_at_any_depth() -> None:
    made = plan(identity=["id", "user.key"], must_keep=["net"])
    assert made.identity.hits(("items", "3", "id"))
    assert made.identity.hits(("[]", "user", "key"))
    assert not made.identity.hits(("key",))
    assert made.identity.hits(("a", "net"))


def test_must_keep_counts_from_the_root_and_looks_through_lists() -> None:
    made = plan(must_keep=["net", "items[].id", "**.error"])
    assert made.must_keep.hits(("net",))
    assert made.must_keep.hits(("[]", "net"))
    assert not made.must_keep.hits(("a", "net"))
    assert made.must_keep.hits(("items", "7", "id"))
    assert made.must_keep.hits(("a", "[]", "error"))


def test_an_empty_path_is_refused() -> None:
    with pytest.raises(ValueError, match="empty path"):
        plan(drop=[""])
