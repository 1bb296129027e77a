"""How deep a column is: levels that only wrap the rest do not count."""

from service.core.rank.columns import columns
from service.core.rank.seen import deepen, seen


def depths(rows: list[dict[str, object]]) -> dict[str, int]:
    found = [seen(one) for one in columns(rows, True)]
    deepen(found)
    return {one.column.place.name: one.depth for one in found}


def test_a_level_that_holds_nearly_everything_is_none() -> None:
    node = {"title": "x", "state": "open", "author": {"login": "a", "id": 1}, "labels": "bug", "number": 3}
    found = depths([{"node": node}, {"node": node}])
    assert found["node.title"] == 0
    assert found["node.author.login"] == 1


def test_a_field_that_is_a_plain_value_elsewhere_is_no_level() -> None:
    inner = {str(at): {"a": 1, "b": None} for at in range(9)}
    found = depths([{"id": 0, "v": None}, {"id": 1, "v": inner}, {"id": 2, "v": "text"}])
    assert found["v"] == 0


def test_levels_beside_others_count() -> None:
    found = depths([{"metadata": {"name": "a", "uid": 1}, "status": {"phase": "Running", "ip": "::1"}}] * 2)
    assert found["metadata.name"] == 1
    assert found["status.phase"] == 1
