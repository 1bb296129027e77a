"""Reading payloads in every wrapping."""

import json
from collections.abc import Callable

import pytest
import yaml
from hypothesis import given, settings, strategies as st

from service.core.read import plain, read, unwrap
from service.core.values import encode

# Without control characters: PyYAML folds U+0085 when it writes, so what it wrote is another value.
WORDS = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), max_size=20)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4),
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


RECORDS = st.lists(
    st.dictionaries(st.text("abcdefgh_", min_size=1, max_size=6), JSON, min_size=2, max_size=4), min_size=1, max_size=4
)
WRAPPINGS: dict[str, Callable[[object], str]] = {
    "repr": repr,
    "fence": lambda value: f"```json\n{json.dumps(value)}\n```\n",
    "bare fence": lambda value: f"```\n{json.dumps(value, indent=2)}\n```",
    "prose": lambda value: f"Here is the result of the call:\n{json.dumps(value)}",
    "prose after": lambda value: f"{json.dumps(value, indent=1)}\n\nLet me know if you need more.",
    "yaml": lambda value: str(yaml.safe_dump(value, allow_unicode=True, sort_keys=False)),
}


@pytest.mark.parametrize("wrapping", WRAPPINGS)
@given(value=RECORDS)
@settings(max_examples=100)
def test_the_same_payload_in_another_wrapping(wrapping: str, value: list[object]) -> None:
    text = WRAPPINGS[wrapping](value)
    if len(text) > 100:  # what is shorter is shown as it stands
        assert read(text.encode(), "text", None).value == value


@given(RECORDS)
@settings(max_examples=100)
def test_json_inside_strings(value: list[object]) -> None:
    text = json.dumps(value)
    mcp = {"content": [{"type": "text", "text": text}], "isError": False}
    assert plain(unwrap(mcp)) == {"content": [{"type": "text", "text": value}], "isError": False}
    assert plain(unwrap([json.dumps(item) for item in value])) == value


@given(st.text("[]{}()'\"\\,:=<>|- \n\t#`*/1a", max_size=120))
@settings(max_examples=400)
def test_syntax_without_sense_is_read_as_something(text: str) -> None:
    for kind in (None, "json", "jsonl", "repr", "csv", "tsv", "html", "log", "markdown", "code", "prose"):
        assert read(text.encode(), "text", kind).kind


def test_what_cannot_be_decoded_is_text_and_noted() -> None:
    for data in (b'"\\ud800"', b"[" * 600 + b"]" * 600):
        found = read(data, "json", None)
        assert (found.structured, found.value) == (False, data.decode())
        assert found.notes
    assert not read(b'["\\ud800"]', "text", None).structured


def test_a_named_type_is_obeyed() -> None:
    assert read(b"name\nAnn\nBob\n", "text", "csv").value == [{"name": "Ann"}, {"name": "Bob"}]
    assert read(b'{"a": 1}', "text", "prose").value == '{"a": 1}'
    assert not read(b"no json at all", "text", "json").structured
    assert read(b"{'a': 1}", "text", "json").value == {"a": 1}
