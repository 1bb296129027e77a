"""Depth at C speed agrees with a count by hand."""

import json
from typing import Any

from hypothesis import given, settings, strategies as st

from service.web.depth import deeper_than

VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.integers() | st.text('[]{}"\\a', max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text('[]{}"\\', max_size=3), inner, max_size=3),
    max_leaves=30,
)


def depth_of(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + max(map(depth_of, value.values()), default=0)
    return 1 + max(map(depth_of, value), default=0) if isinstance(value, list) else 0


@settings(max_examples=300, deadline=None)
@given(VALUES, st.integers(0, 8), st.integers(2, 40))
def test_it_agrees_with_a_walk_wherever_the_pieces_are_cut(value: Any, limit: int, piece: int) -> None:
    assert deeper_than(json.dumps(value).encode(), limit, piece) == (depth_of(value) > limit)


def test_long_documents_near_the_limit() -> None:
    wide = b"[" * 499 + b",".join([b"[]"] * 20_000) + b"]" * 499
    assert not deeper_than(wide, 500)
    assert deeper_than(wide.replace(b"[]", b"[[]]", 1), 500)
    assert deeper_than(wide, 499)
