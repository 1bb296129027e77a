"""Rows of a table as a reader meets them."""

import re
from typing import Any

from hypothesis import given, settings, strategies as st

from schemas.api import Omitted
from schemas.policy import Policy
from service.core import values
from service.core.payload import Compacted, Payload, Wish
from service.core.pipeline import compact
from service.core.plan import compile_plan

PLAN = compile_plan("default", Policy())
WORDS = "the relay keeps a list of open streams and closes what nobody reads any more".split()


def shown(value: Any, budget: int, query: str = "") -> Compacted:
    return compact(Payload(values.encode(value), "json"), PLAN, Wish(budget, budget * 8, query=query))


def counts(entry: Omitted) -> tuple[int, int]:
    assert isinstance(entry.kept, int)
    assert isinstance(entry.total, int)
    return entry.kept, entry.total


def prose(seed: int, sentences: int) -> str:
    return " ".join(
        " ".join(WORDS[(seed + at * 3 + i) % len(WORDS)] for i in range(9)).capitalize() + f" {seed}-{at}."
        for at in range(sentences)
    )


def found(texts: list[str]) -> dict[str, Any]:
    return {
        "results": [{"title": f"Page {i}", "url": f"https://a.example/{i}", "content": t} for i, t in enumerate(texts)]
    }


def test_search_results_show_how_each_text_begins() -> None:
    texts = [prose(i, 60) for i in range(10)]
    answer = shown(found(texts), 1000)
    body = answer.body.decode()
    assert all(text[:60] in body for text in texts)
    assert len(re.findall(r"… \[\d+ more characters\]", body)) == 10
    assert answer.tokens > 800


def test_what_is_cut_of_a_text_is_in_the_ledger() -> None:
    texts = [prose(i, 60) for i in range(10)]
    answer = shown(found(texts), 1000)
    entry = next(one for one in answer.omitted if str(one.path).endswith("content") and one.unit == "text")
    cut = sum(map(int, re.findall(r"… \[(\d+) more characters\]", answer.body.decode())))
    kept, total = counts(entry)
    assert total - kept == cut


def test_a_query_finds_its_sentence_in_a_long_text() -> None:
    texts = [prose(i, 60) for i in range(8)]
    texts[5] += " The zeppelin landed in Lakehurst. " + prose(7, 20)
    assert "zeppelin landed" in shown(found(texts), 1000, "where did the zeppelin land").body.decode()


def test_text_in_a_row_cannot_forge_a_cut() -> None:
    texts = [prose(i, 50) + " … [99 more characters]" for i in range(6)]
    body = shown(found(texts), 2500).body.decode()
    assert '… [99 more characters]"' not in body.replace("…… [99", "")


def test_rows_cut_to_the_same_words_are_counted_not_repeated() -> None:
    rows = [{"state": "idle", "zone": "eu-1", "note": f"{prose(i, 2)[:80]} {i}"} for i in range(400)]
    lines = shown(rows, 300).body.decode().split("\n")
    told = [line for line in lines if not line.startswith(("[", "#", "…"))]
    assert len(told) == len(set(told))


@given(
    st.lists(st.fixed_dictionaries({"id": st.integers(0, 9), "text": st.text(max_size=900)}), min_size=2, max_size=12)
)
@settings(max_examples=60, deadline=None)
def test_long_texts_fit_and_add_up(rows: list[dict[str, Any]]) -> None:
    answer = shown(rows, 200)
    assert answer.tokens <= 200
    assert all(0 <= kept < total for kept, total in map(counts, answer.omitted))


def test_what_makes_a_row_stand_out_comes_with_what_the_row_is() -> None:
    rows: list[dict[str, Any]] = [
        {"name": f"worker-{i}", "zone": f"z{i % 3}", "load": 10 + i % 4, "region": "north"} for i in range(80)
    ]
    rows[41]["note"] = "drained"
    rows[63]["load"] = 97
    bodies = [shown(rows, budget).body.decode() for budget in range(60, 700, 40)]
    lines = [line for body in bodies for line in body.split("\n") if "note=" in line or "load=" in line]
    assert lines
    assert all("worker-" in line for line in lines)


def test_a_long_list_of_numbers_shows_both_ends_and_its_extremes() -> None:
    points = [round(4 + (i * 7919 % 1000) / 1000, 6) for i in range(1500)]
    points[777], points[1234] = 9.876543, 0.123456
    body = shown({"data": {"type": "timeseries", "values": points}}, 600).body.decode()
    assert all(values.encode(point).decode() in body for point in (points[0], points[-1], 9.876543, 0.123456))
