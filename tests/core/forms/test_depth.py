"""Nesting depth without decoding."""

import json

from hypothesis import given, settings, strategies as st

from service.core.forms.depth import deeper


def _depth(value: object) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(_depth, inner), default=0) if isinstance(value, dict | list) else 0


BRACKETS = st.recursive(
    st.integers(0, 3) | st.text('[]{}"\\ax', max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text('[{"\\', max_size=3), inner, max_size=3),
    max_leaves=20,
)


@given(BRACKETS, st.integers(1, 6))
@settings(max_examples=300)
def test_never_calls_deep_what_is_shallow_nor_shallow_what_is_much_deeper(value: object, limit: int) -> None:
    data = json.dumps(value).encode()
    found = deeper(data, limit)
    assert found or _depth(value) <= limit
    assert not found or _depth(value) + 2 > limit


def test_the_limit() -> None:
    assert not deeper(b"[" * 490 + b"]" * 490)
    assert deeper(b"[" * 600 + b"]" * 600)
    assert not deeper(b'{"a":[1,2,{"b":"}}}]]]"}]}' * 100_000)
