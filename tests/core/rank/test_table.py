"""What is a table, and what is read one after the other."""

from typing import Any

from service.core.rank import Builder, Lens
from service.core.rank.nodes import Arr, Obj, Table

FRAMES = [{"file": f"a{at}.py", "line": at * 7, "function": "load"} for at in range(12)]


def built(value: list[Any]) -> Any:
    return Builder(Lens()).build(value)


def test_a_few_objects_with_tables_of_their_own_are_read_one_after_the_other() -> None:
    found = built([{"type": "exception", "frames": FRAMES}, {"type": "request", "url": "/a"}])
    assert isinstance(found, Arr)
    first = found.kids[0]
    assert isinstance(first, Obj)
    assert isinstance(first.kids["frames"], Table)


def test_many_such_objects_are_a_table() -> None:
    assert isinstance(built([{"type": f"t{at}", "frames": FRAMES} for at in range(6)]), Table)


def test_rows_without_names_take_them_from_the_list_beside_them() -> None:
    rows = [[at, f"u{at}@example.org", at * 10] for at in range(20)]
    for heads in (["id", "email", "total"], [{"name": "id", "type": "int"}, {"name": "email"}, {"name": "total"}]):
        found = Builder(Lens()).build({"columns": heads, "rows": rows})
        assert isinstance(found, Obj)
        table = found.kids["rows"]
        assert isinstance(table, Table)
        assert {col.name for col in table.columns} == {"id", "email", "total"}


def test_a_list_of_another_length_names_nothing() -> None:
    found = Builder(Lens()).build({"tags": ["a", "b"], "rows": [[1, 2, 3]] * 5 + [[4, 5, 6]]})
    assert isinstance(found, Obj)
    table = found.kids["rows"]
    assert isinstance(table, Table)
    assert {col.name for col in table.columns} == {"[0]", "[1]", "[2]"}
