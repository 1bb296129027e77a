"""Reading payloads in every wrapping."""

from hypothesis import given, settings, strategies as st

from service.core.read import read
from service.core.values import encode

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.text(max_size=8), JSON, min_size=1, max_size=4) | st.lists(JSON, min_size=1, max_size=4))
@settings(max_examples=100)
def test_json_as_json_and_as_text_is_the_same(value: object) -> None:
    data = encode(value)
    assert read(data, "json", None).value == value
    assert read(data, "text", None).value == value
    assert read(encode(data.decode()), "json", None).value == value


@given(st.text(max_size=200))
@settings(max_examples=200)
def test_any_text_is_read_as_something(text: str) -> None:
    assert read(text.encode(), "text", None).kind
