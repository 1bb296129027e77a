"""The order of a table's columns."""

from service.core.rank.build import Builder
from service.core.rank.lens import Lens
from service.core.rank.nodes import Obj, Table


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
