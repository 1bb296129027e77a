"""What values are worth beside each other."""

from typing import Any

from service.core.rank import Builder, Lens
from service.core.rank.nodes import Leaf, Obj


def fields(value: dict[str, Any]) -> dict[str, Any]:
    found = Builder(Lens()).build(value)
    assert isinstance(found, Obj)
    return found.kids


def test_what_is_said_beside_a_failure_says_why() -> None:
    text = "0/1 nodes can take it: 1 node(s) didn't match the affinity of the pod, nothing could be moved"
    bad = fields({"type": "PodScheduled", "reason": "Unschedulable", "message": text})
    good = fields({"type": "PodScheduled", "reason": "Scheduled", "message": text})
    assert bad["message"].price > 2 * good["message"].price


def test_entries_of_a_map_are_what_the_map_is_named() -> None:
    names = fields({"venueNames": {"PLEYEL_7": "Salle"}, "venue_ids": {}, "etags": {"PLEYEL_7": "Salle"}})
    venue, other = names["venueNames"].kids["PLEYEL_7"], names["etags"].kids["PLEYEL_7"]
    assert venue.price > 1.5 * other.price


def test_a_few_short_values_are_one_value() -> None:
    found = fields({"range": [10, 20], "tags": ["a", "b", "c"], "many": list(range(9)), "deep": [[1], [2]]})
    assert [isinstance(found[name], Leaf) for name in ("range", "tags", "many", "deep")] == [True, True, False, False]
