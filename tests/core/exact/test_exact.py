"""The lossless notation loses nothing: its decoder gives back every value."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings, strategies as st

from service.core import values
from service.core.exact import exact
from tests.core.exact.decoder import decode

FIXTURES = Path(__file__).parents[2] / "fixtures"
WORDS = st.sampled_from(
    [
        "id",
        "name",
        "a.b",
        "@key",
        "",
        "…",
        "x=y",
        "&",
        "url",
        "user",
        "€uro",
        "a b",
        "[0]",
        "{x}",
        "#",
        "-",
        "null",
        "1",
        "a:b",
    ]
)
TEXTS = st.one_of(
    st.text(max_size=12),
    WORDS,
    st.sampled_from(
        [
            "a,b",
            "a\nb",
            "12",
            "-0",
            "1e5",
            "true",
            "null",
            " x",
            "x ",
            "… 5 more items (1-5)",
            "… array of 3 items",
            "&joe",
            "a;b",
            "x… [3 more characters]",
            "…… object of 2 fields",
            "https://a.example/{id}/x",
            "# every row: a=1",
            '"q"',
            "[1]",
            "{}",
            "line\r\nend",
            "\u2028",
            "one: two",
            "- x",
            "a=b",
            "…",
        ]
    ),
)
NUMBERS = st.sampled_from(["1.0", "1e5", "-0.0", "3.14159265358979323846", "1E-7"]).map(values.Number)
LEAVES = st.one_of(st.none(), st.booleans(), st.integers(-(2**70), 2**70), NUMBERS, TEXTS)
KEYS = st.one_of(WORDS, st.text(max_size=6))
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(st.lists(inner, max_size=5), st.dictionaries(KEYS, inner, max_size=6)),
    max_leaves=40,
)
USERS = [
    {"login": name, "id": number, "type": "User", "url": f"https://a.example/users/{name}/of/the/house/of/many/rooms"}
    for number, name in enumerate(["joe", "ann", "null"])
]
ROW = st.fixed_dictionaries(
    {"id": st.integers(0, 5), "state": st.sampled_from(["open", "closed", None])},
    optional={
        "user": st.sampled_from(USERS),
        "url": st.integers(0, 5).map(lambda i: f"https://a.example/items/{i}"),
        "tags": st.lists(st.fixed_dictionaries({"k": TEXTS, "v": LEAVES}), max_size=4),
        "at": st.lists(st.integers(0, 9), min_size=2, max_size=2),
        "more": VALUES,
    },
)
TABLES = st.one_of(
    st.lists(ROW, min_size=2, max_size=8),
    st.dictionaries(KEYS, ROW, min_size=3, max_size=6),
    st.dictionaries(KEYS, st.lists(ROW, min_size=1, max_size=3), min_size=3, max_size=5),
)


def plain(value: Any) -> Any:
    """Equality by type and spelling: 1 is not 1.0, nor true."""
    if isinstance(value, values.Number):
        return ("number", value.text)
    if isinstance(value, dict):
        return {key: plain(child) for key, child in value.items()}
    if isinstance(value, list):
        return [plain(child) for child in value]
    return (type(value).__name__, value)


@settings(max_examples=300, deadline=None)
@given(VALUES)
@example([{"a": {"b": 1}}, {"a": None}, {"a": {}}])
@example({"a": {"b.c": {"d": [1, [2, {"e": []}]]}}})
@example("a: b")
def test_every_value_comes_back(value: Any) -> None:
    for shelved in (True, False):
        assert plain(decode(exact(value, shelved))) == plain(value)


@settings(max_examples=300, deadline=None)
@given(TABLES)
def test_every_table_comes_back(value: Any) -> None:
    for wrapped in (value, {"rows": value, "total": 3}):
        for shelved in (True, False):
            assert plain(decode(exact(wrapped, shelved))) == plain(wrapped)


def test_reads_well() -> None:
    value = {
        "total": 3,
        "items": [
            {"number": 1, "state": "open", "url": "https://a.example/issues/1", "labels": ["bug"], "title": "One, two"},
            {"number": 22, "state": "open", "url": "https://a.example/issues/22", "labels": [], "title": None},
            {"number": 34, "state": "open", "url": "https://a.example/issues/34", "labels": ["a"], "title": "x\ny"},
        ],
    }
    assert exact(value).split("\n") == [
        "total: 3",
        "items[3]{number,labels,title}",
        "# every row: state=open, url=https://a.example/issues/{number}",
        '1,[bug],"One, two"',
        "22,[]",
        '34,[a],"x\\ny"',
    ]


def test_repeated_objects_are_told_once() -> None:
    rows = [{"n": i, "by": USERS[i % 2], "for": USERS[0]} for i in range(9)]
    told = exact(rows)
    assert "0,&joe" in told
    assert told.count("of/the/house") == 1
    assert plain(decode(told)) == plain(rows)


@pytest.mark.parametrize("path", sorted(FIXTURES.rglob("*.json"))[:12], ids=lambda path: path.name)
def test_real_results_come_back(path: Path) -> None:
    try:
        value = values.decode(path.read_bytes())
    except ValueError:
        pytest.skip("not a JSON value")
    assert plain(decode(exact(value))) == plain(value)
