"""Python reprs and almost-JSON."""

import time

import pytest
from hypothesis import given, settings, strategies as st

from service.core.forms.literal import literal
from service.core.read import read
from service.core.values import encode

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=15,
)


@given(VALUES.filter(lambda value: isinstance(value, dict | list)))
@settings(max_examples=300)
def test_repr_gives_the_value_back(value: object) -> None:
    found = literal(repr(value))
    assert found is not None
    assert found.end == len(repr(value))
    assert found.value == value


@given(VALUES.filter(lambda value: isinstance(value, dict | list)))
@settings(max_examples=100)
def test_json_gives_the_value_back(value: object) -> None:
    found = literal(encode(value).decode())
    assert found is not None
    assert found.value == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("(1, 'a', None)", [1, "a", None]),
        ("{1, 2}", [1, 2]),
        ("{'at': datetime.datetime(2024, 1, 2, 3, 4)}", {"at": "2024-01-02 03:04:00"}),
        ("{'on': datetime.date(2024, 1, 2)}", {"on": "2024-01-02"}),
        ("[Decimal('1.50'), UUID('ab-cd')]", ["1.50", "ab-cd"]),
        ("OrderedDict([('a', 1)])", {"a": 1}),
        ("defaultdict(<class 'list'>, {'a': [1]})", {"a": [1]}),
        ("[User(id=1, tags=['x'])]", [{"@type": "User", "id": 1, "tags": ["x"]}]),
        ("[<Foo object at 0x7f>, ...]", ["<Foo object at 0x7f>", "..."]),
        ("[nan, -inf, 1., .5, +3, 1_000, 007]", ["NaN", "-Infinity", 1.0, 0.5, 3, 1000, "007"]),
        ("{a: 1, /* c */ 'b': [1, 2,], // d\n}", {"a": 1, "b": [1, 2]}),
        ("{1: 'x', None: 'y', (1, 2): 'z', True: 'w'}", {"1": "x", "null": "y", "[1, 2]": "z", "true": "w"}),
        ("['it\\'s', \"a\\u00e9\\x41\\n\", b'caf\\xc3\\xa9']", ["it's", "aéA\n", "caf\u00c3\u00a9"]),
    ],
)
def test_spellings(text: str, value: object) -> None:
    found = literal(text)
    assert found is not None
    assert found.value == value


def test_numbers_keep_their_spelling() -> None:
    found = literal("[1.10, 1e5, 0.1e-7]")
    assert found is not None
    assert encode(found.value) == b"[1.10,1e5,0.1e-7]"


@pytest.mark.parametrize(
    "text", ["[INFO] started", "[Controller 0]: x", "{injection}", "[[1] [2]]", "['\\ud800']", "[" * 600]
)
def test_what_is_none_is_not_read_to_the_end(text: str) -> None:
    found = literal(text)
    assert found is None or found.end < len(text)


def test_a_cut_off_end_leaves_brackets_open() -> None:
    found = literal("[{'a': 1}, {'b': [1, 2")
    assert found is not None
    assert len(found.stack) == 4
    assert found.value == [{"a": 1}, {"b": [1, 2]}]


@pytest.mark.parametrize("piece", ["[", "{'a':", "'", '"', "(", "/*", "[1,", "'\\", "<", "[a(", "#", "1", "a."])
def test_adversarial_texts_are_linear(piece: str) -> None:
    start = time.process_time()
    literal(piece * (1_000_000 // len(piece)))
    literal("[" + piece * (1_000_000 // len(piece)))
    assert time.process_time() - start < 2


DUMPS = {
    "console.log": "[\n  {\n    id: 1,\n    at: 2024-01-01T10:00:00.000Z,\n    f: [Function: go],\n"
    "    m: Map(1) { 'x' => 1 },\n"
    "    s: Set(2) { 1, 2 },\n    o: [Object],\n    e: Foo { a: undefined }\n  }\n]\n",
    "rust": '[\n    Order {\n        id: 1,\n        state: Open,\n        note: Some(\n            "x",\n        ),\n'
    "        owner: None,\n    },\n]\n",
    "ruby": '[{:id=>1, :name=>"a", "b" => nil, :state=>:open}]',
    "php": "array (\n  'id' => 1,\n  'tags' => \n  array (\n    0 => 'a',\n  ),\n  'ok' => NULL,\n)",
    "java": "[Order{id=1, name='a', state=OPEN, at=2024-01-01 10:00, tags=[]}]",
    "java map": "{items=[{id=1, name=a b}], total=80, none=null}",
}
TOLD: dict[str, object] = {
    "console.log": [
        {
            "id": 1,
            "at": "2024-01-01T10:00:00.000Z",
            "f": "[Function: go]",
            "m": {"x": 1},
            "s": [1, 2],
            "o": "[Object]",
            "e": {"@type": "Foo", "a": None},
        }
    ],
    "rust": [{"@type": "Order", "id": 1, "state": "Open", "note": "x", "owner": None}],
    "ruby": [{"id": 1, "name": "a", "b": None, "state": ":open"}],
    "php": {"id": 1, "tags": {"0": "a"}, "ok": None},
    "java": [{"@type": "Order", "id": 1, "name": "a", "state": "OPEN", "at": "2024-01-01 10:00", "tags": []}],
    "java map": {"items": [{"id": 1, "name": "a b"}], "total": 80, "none": None},
}


@pytest.mark.parametrize("name", DUMPS)
def test_dumps_of_other_languages(name: str) -> None:
    found = read(DUMPS[name].encode(), "text", None)
    assert found.structured
    assert found.value == TOLD[name]


@pytest.mark.parametrize(
    "text",
    [
        "Foo {\n  color: red;\n}\n",
        "a { b: c }\n",
        "x = [a, b]\ny = [c]\n",
        "Order { go(); stop(); }\n",
        "if (x) { y = 1 }\n",
    ],
)
def test_code_is_no_dump(text: str) -> None:
    assert not read(text.encode(), "text", None).structured


def test_what_console_log_leaves_out_is_noted() -> None:
    found = read(b"[\n  { id: 1, name: 'a' },\n  { id: 2, name: 'b' },\n  ... 50 more items\n]\n", "text", None)
    assert found.value == [{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]
    assert any("50 more items" in note for note in found.notes)


@pytest.mark.parametrize("text", ["[{'a': 1, 2, 3, ", "{'a': 1, {'b', 'c': 2", "x={'a': 1, 5"])
def test_a_cut_literal_that_makes_no_sense_is_text(text: str) -> None:
    assert not read(text.encode() + b"'long enough to be looked at as a literal, and cut", "text", None).structured


@given(st.text("{}[]()'\"a1:=,> #<.N\n", max_size=60))
@settings(max_examples=300)
def test_reading_never_raises(text: str) -> None:
    read(text.encode(), "text", None)
    read(text.encode() * 3, "text", None)
