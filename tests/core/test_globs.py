"""Path patterns: a reference that tries every pattern on every place agrees with the machine."""

import pickle
import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, strategies as st

from service.core.globs import ANY, DEEP, Machine, Pattern, State, Tree, pattern
from service.core.paths import EACH, is_index
from tests.core.made import paths, values

Place = tuple[tuple[str, Any], ...]


def places(value: Any, here: Place = ()) -> Iterator[Place]:
    yield here
    if isinstance(value, dict):
        for key, child in value.items():
            yield from places(child, (*here, ("key", key)))
    elif isinstance(value, list):
        for index, child in enumerate(value):
            yield from places(child, (*here, ("index", index)))


def fits(one: Pattern, place: Place, at: int = 0, segment: int = 0) -> bool:
    """Whether a pattern names a place, by trying everything."""
    if segment == len(one.segments):
        return at == len(place)
    wanted = one.segments[segment]
    if wanted == DEEP and fits(one, place, at, segment + 1):
        return True
    if at == len(place):
        return False
    kind, name = place[at]
    if wanted == DEEP:
        return fits(one, place, at + 1, segment)
    element = isinstance(wanted, str) and (wanted in (ANY, EACH) or is_index(wanted))
    if kind == "index" and not element:
        return fits(one, place, at + 1, segment)
    return _same(wanted, kind, name) and fits(one, place, at + 1, segment + 1)


def _same(wanted: str | re.Pattern[str], kind: str, name: Any) -> bool:
    if isinstance(wanted, re.Pattern):
        return bool(wanted.fullmatch(name))
    if wanted == EACH:
        return kind == "index" or name == EACH
    return wanted == ANY or wanted == str(name)


def walk(machine: Machine, place: Place) -> State:
    state = machine.root
    for kind, name in place:
        state = machine.key(state, name) if kind == "key" else machine.element(state, name)
    return state


@given(values, st.lists(paths, min_size=1, max_size=5))
def test_the_machine_names_the_same_places_as_trying_everything(value: Any, written: list[str]) -> None:
    tree = Tree(pattern(path) for path in written)
    machine = Machine(tree)
    for place in places(value):
        expected = [number for number, one in enumerate(tree.patterns) if fits(one, place)]
        assert sorted(walk(machine, place).enders) == expected


@pytest.mark.parametrize(
    ("path", "names", "not_names"),
    [
        ("**._links", ["_links", "a._links", "a.0._links", "/a.b/_links"], ["links", "_links.self"]),
        ("**.*_url", ["html_url", "user.avatar_url"], ["url", "html_url.x"]),
        ("*.id", ["a.id", "0.id"], ["id", "a.b.id"]),
        ("items[].id", ["items.0.id", "items[].id"], ["id"]),
        ("items.id", ["items.id", "items.3.id", "items[].id"], ["id"]),
        ("items.0.id", ["items.0.id"], ["items.1.id"]),
        ("/**/x.y", ["/x.y", "/a/x.y"], ["x.y"]),
        ("a.**.z", ["a.z", "a.b.c.z"], ["z", "b.a.z"]),
    ],
)
def test_what_a_pattern_names(path: str, names: list[str], not_names: list[str]) -> None:
    from service.core.paths import parse

    tree = Tree([pattern(path)])
    assert [one for one in names if not tree.hits(parse(one))] == []
    assert [one for one in not_names if tree.hits(parse(one))] == []


def test_a_literal_pattern_has_no_wildcards() -> None:
    tree = Tree([pattern("*", literal=True), pattern("a*.**", literal=True)])
    assert tree.hits(("*",))
    assert tree.hits(("a*", "**"))
    assert not tree.hits(("b",))


def test_a_tree_crosses_into_another_process() -> None:
    tree = pickle.loads(pickle.dumps(Tree([pattern("**.*_url")])))  # noqa: S301 - our own bytes
    assert tree.hits(("a", "b_url"))
