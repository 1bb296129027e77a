"""Long cells as far as their row pays for them."""

import json
import re
from typing import Any

from hypothesis import given, settings, strategies as st

from service.core.ledger import Ledger
from service.core.rank.claims import FLOOR
from service.core.rank.nodes import Col, Table
from service.core.render.parts import begun

PATH = ("[]", "items")


def col(value: Any, price: float = 1.0) -> Col:
    return Col(("items",), "items", "name", [value], 90.0, price, 8.0)


def table(column: Col, *asked: str) -> Table:
    return Table([], 1.0, 1.0, 1, [0], [1.0], [0], [column], [], [], [], asked=asked)


def shown(value: Any, level: float, *asked: str, price: float = 1.0) -> tuple[str, Ledger]:
    column, ledger = col(value, price), Ledger()
    return begun(table(column, *asked), column, 0, level, PATH, ledger), ledger


def lost(ledger: Ledger) -> int:
    found = [(one.kept, one.total) for one in ledger.entries()]
    return sum(total - kept for kept, total in found if isinstance(kept, int) and isinstance(total, int))


@given(st.lists(st.integers(0, 99_999) | st.text("abc d", max_size=30), min_size=2, max_size=60), st.floats(0.01, 9))
@settings(max_examples=200, deadline=None)
def test_items_and_gaps_add_up(value: list[Any], level: float) -> None:
    text, ledger = shown(value, level)
    gaps = [tuple(map(int, gap)) for gap in re.findall(r"… (\d+) more items \((\d+)-(\d+)\)", text)]
    assert all(count == last - first + 1 for count, first, last in gaps)
    missing = sum(count for count, _, _ in gaps)
    assert missing == lost(ledger)
    assert missing < len(value)


@given(st.text(max_size=2000), st.floats(0.01, 9))
@settings(max_examples=200, deadline=None)
def test_a_text_stays_on_its_line(value: str, level: float) -> None:
    text, _ = shown(value, level)
    assert len(text.splitlines()) <= 1


def test_what_is_asked_for_comes_before_the_first_items() -> None:
    value = [f"item number {at} of the list" for at in range(80)]
    text, _ = shown(value, 2.0, "61")
    assert "item number 61 of the list" in text


def test_what_must_be_kept_is_whole() -> None:
    value = ["one of many long names " * 3] * 40
    assert "…" not in shown(value, FLOOR / 2, price=FLOOR)[0]
    assert "…" in shown(value, 5.0)[0]


def test_a_cut_text_is_a_json_string_with_its_marker() -> None:
    text, ledger = shown('He said: "go",\nand so on. ' * 60, 3.0)
    told = json.loads(text)
    cut = int(re.search(r"… \[(\d+) more characters\]\Z", told)[1])  # type: ignore[index]  # there is one, or it fails
    assert lost(ledger) == cut
