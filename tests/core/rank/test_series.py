"""Of a series of numbers the ends, the extremes and the jumps are shown first."""

from hypothesis import given, strategies as st

from schemas.policy import Policy
from service.core.payload import Payload, Wish
from service.core.pipeline import compact
from service.core.plan import compile_plan
from service.core.rank.series import telling
from tests.made import dump

PLAN = compile_plan("default", Policy())


def test_what_a_series_tells() -> None:
    assert telling([5, 5, 5, 5, 5, 5, 5, 5]) == [0, 7]
    assert telling([1, 2, 3, 4, 50, 51, 52, 53, 54]) == [0, 8, 4, 3]
    assert telling([[10 + i, str(i % 2 + 90 * (i == 5))] for i in range(12)]) == [0, 11, 5, 4, 6]
    assert telling([1, 2, 3]) == []
    assert telling(["a", 1, 2, 3, 4, 5, 6, 7]) == []


@given(st.lists(st.floats() | st.integers() | st.text(max_size=3), max_size=40))
def test_any_list_is_looked_at(samples: list[object]) -> None:
    found = telling(samples)
    assert all(0 <= at < len(samples) for at in found)
    assert len(found) == len(set(found))


def test_every_series_of_a_result_shows_what_stands_out_in_it() -> None:
    series = [
        {
            "metric": {"job": f"j{k}"},
            "values": [[1760000000 + 60 * i, str(100 + i + 500 * (k == 3 and i == 77))] for i in range(120)],
        }
        for k in range(6)
    ]
    said = compact(Payload(dump({"status": "success", "result": series}), "json"), PLAN, Wish(800, 6400)).body.decode()
    assert "677" in said
    assert said.count("[1760000000,") == 6
    assert said.count("[1760007140,") == 6
