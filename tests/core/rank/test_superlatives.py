"""Questions for the most, the least, the first and the last."""

from typing import Any

import pytest

from schemas.policy import Policy
from service.core import values
from service.core.payload import Payload, Wish
from service.core.pipeline import compact
from service.core.plan import compile_plan

PLAN = compile_plan("default", Policy())
HOSTS: list[dict[str, Any]] = [
    {"host": f"node-{i:03}", "zone": f"zone {i % 4} of the north", "disk_usage": 100 + i * 37 % 797,
     "free_memory": 5000 + i * 91 % 1999,
     "seen_at": f"2024-03-{1 + i * 11 % 28:02}T{i % 24:02}:15:00Z",
     "remark": f"nothing to add on the {i}th of these, it works"}
    for i in range(300)
]  # fmt: skip


def shown(query: str) -> str:
    return compact(Payload(values.encode(HOSTS), "json"), PLAN, Wish(400, 3200, query=query)).body.decode()


@pytest.mark.parametrize(
    ("query", "field", "pick"),
    [("Which host has the highest disk usage?", "disk_usage", max), ("lowest free memory", "free_memory", min),
     ("Which host was seen last?", "seen_at", max), ("the earliest seen host", "seen_at", min)],
)  # fmt: skip
def test_the_row_that_is_asked_for_is_shown_with_the_value(query: str, field: str, pick: Any) -> None:
    row = pick(HOSTS, key=lambda host: host[field])
    body = shown(query)
    assert str(row[field]) in body
    assert row["host"] in body


def test_the_words_of_a_superlative_are_not_looked_for() -> None:
    said = {7: "stop at the top of the most of it"}
    rows = [{"name": f"entry {i}", "text": said.get(i, "plain")} for i in range(200)]
    body = compact(Payload(values.encode(rows), "json"), PLAN, Wish(200, 1600, query="top")).body.decode()
    assert "entry 0" in body
