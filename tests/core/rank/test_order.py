"""How columns stand beside each other."""

from typing import Any

from service.core.rank.build import Builder
from service.core.rank.columns import Path
from service.core.rank.lens import Lens
from service.core.rank.nodes import Col, Obj, Table
from service.core.rank.order import ranked


def column(name: str, kind: str, cells: list[Any], weight: float, cost: float) -> Col:
    path: Path = (name,)
    return Col(path, name, kind, cells, cost, weight / cost**0.8, weight, least=cost)


def names(columns: list[Col]) -> list[str]:
    return [col.name for col in ranked(columns, {id(col): col for col in columns})]


def test_a_number_is_bought_together_with_what_says_most() -> None:
    number = column("number", "id", [*range(400, 410)], 8.0, 3.0)
    other = column("id", "id", [*range(11_000_000, 11_000_010)], 8.0, 5.0)
    login = column("login", "name", [f"user{i}" for i in range(10)], 6.0, 5.0)
    title = column("title", "name", [f"Fix the thing number {i}" for i in range(10)], 10.0, 14.0)
    assert names([other, login, number, title])[:2] == ["number", "title"]
    assert number.price == title.price


def test_a_code_leads_with_words_too() -> None:
    lang = column("lang", "category", ["ja", "zh"] * 5, 9.0, 2.5)
    text = column("text", "text", [f"what was said in row {i}" for i in range(10)], 7.0, 20.0)
    size = column("size", "metric", [*range(10)], 6.0, 3.0)
    assert names([text, size, lang])[:2] == ["lang", "text"]


def test_a_name_leads_alone() -> None:
    name = column("name", "name", [f"web-{i}" for i in range(10)], 10.0, 4.0)
    text = column("text", "text", [f"words of row {i}" for i in range(10)], 6.0, 12.0)
    assert names([text, name]) == ["name", "text"]
    assert name.price > text.price


def test_of_two_columns_that_group_the_rows_alike_the_dearer_counts() -> None:
    state = column("state", "status", ["on", "off"] * 5, 9.0, 3.0)
    flag = column("flag", "", ["b", "a"] * 5, 4.0, 3.0)
    size = column("size", "metric", [*range(10)], 3.0, 3.0)
    parts = {id(state): "one", id(flag): "one", id(size): "other"}
    assert [col.name for col in ranked([flag, size, state], parts)] == ["state", "size", "flag"]


def test_rows_are_told_by_what_a_reader_calls_them() -> None:
    titles = ("How it began", "What came of it", "Where they went", "Who was there", "Why it ended", "Ever after")
    rows = [
        {"id": f"x{i:05}", "kind": "t3", "domain": f"host{i % 3}.com", "group": f"g{i % 2}", "score": 900 - i * 37,
         "comments": i * 11, "created": 1417237678 + i * 86400, "title": f"{title} in the year {1950 + i} of the story"}
        for i, title in enumerate(titles * 3)
    ]  # fmt: skip
    found = Builder(Lens()).build({"data": {"children": [{"kind": "t3", "data": row} for row in rows]}})
    assert isinstance(found, Obj)
    inner = found.kids["data"]
    assert isinstance(inner, Obj)
    table = inner.kids["children"]
    assert isinstance(table, Table)
    assert "data.title" in [col.name for col in table.columns[:3]]


def test_the_entries_of_a_map_of_objects_fall_like_those_of_a_list() -> None:
    value = {f"package-{i:02}": {"version": "1.0.0", "overridden": False} for i in range(28)}
    found = Builder(Lens(), tables=False).build({"dependencies": value})
    assert isinstance(found, Obj)
    entries = found.kids["dependencies"]
    assert isinstance(entries, Obj)
    prices = [kid.price for kid in entries.kids.values()]
    assert prices == sorted(prices, reverse=True)
    assert prices[0] > 2 * prices[-1]


def test_a_number_does_not_stand_for_its_row() -> None:
    rows = [
        {"sha": f"{i * 7919:040x}", "filename": f"tests/data/Part{i}.testOther{i * 3}.txt", "additions": i % 9,
         "status": "modified"}
        for i in range(60)
    ]  # fmt: skip
    table = Builder(Lens()).build(rows)
    assert isinstance(table, Table)
    first = [col.name for col in table.columns if col.price >= table.columns[0].price]
    assert "filename" in first


def test_the_rows_of_a_narrow_table_are_shown_with_what_they_measure() -> None:
    rows = [
        {"Entity": f"Entity number {i // 40}", "Year": 1900 + i % 40, "Deaths": i * 7919 % 100_003} for i in range(400)
    ]
    table = Builder(Lens()).build(rows)
    assert isinstance(table, Table)
    assert len({col.price for col in table.columns}) == 1
