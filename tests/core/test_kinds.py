"""Recognising a text's kind."""

import time

import pytest

from service.core import kinds
from service.core.kinds import KINDS, climb, recognise
from tests.core.forms.cases import CASES

NAMES = {"json", "jsonl", "repr", "csv", "tsv", "log", "diff", "markdown", "rst", "html", "code", "prose"}


@pytest.mark.parametrize("name", CASES)
def test_invented_results(name: str) -> None:
    kind, _, text = CASES[name]
    assert recognise(text) == kind


@pytest.mark.parametrize("name", CASES)
def test_a_repeated_result_is_of_the_same_kind_when_it_is_only_looked_at(name: str) -> None:
    kind, structured, text = CASES[name]
    if kind in ("log", "code", "markdown", "rst", "csv", "jsonl", "diff") and not structured:
        assert recognise((text + "\n") * (200_000 // len(text))) == kind


def test_every_kind_is_one_of_the_contract() -> None:
    assert {kind.name for kind in KINDS} == NAMES


def test_a_look_at_a_big_text_costs_no_more_than_at_a_small_one() -> None:
    line = "2024-01-01 10:00:00 INFO worker 7 did a thing\n"
    start = time.process_time()
    for _ in range(20):
        recognise(line * 200_000)
    assert time.process_time() - start < 20 * 0.02  # 9 MB each; generous for a busy machine


def test_lines_that_end_in_a_lone_cr_are_lines() -> None:
    text = "id,county,value\r119736,CLAY,498960\r448094,BAKER,1322376.3\r206893,CLAY,190724\r"
    assert climb(text).value[1] == {"id": 448094, "county": "BAKER", "value": 1322376.3}
    assert recognise(text * 1) == recognise(text * 300) == "csv"
    prose = "Dear reader.\rThis is the second line, which says little.\rYours."
    assert (climb(prose).structured, climb(prose).value) == (False, prose)


def test_a_defect_in_a_reader_costs_quality_never_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = kinds.Kind("jsonl", lambda seen: bool(seen.lines[9_999]), lambda text: None)
    monkeypatch.setattr(kinds, "KINDS", (broken, *kinds.KINDS))
    found = kinds.climb("a line of words, and another one")
    assert (found.kind, found.notes) == ("prose", ("reading as jsonl failed: IndexError",))
    assert kinds.recognise("a line of words\n" * 5_000) in ("log", "prose")


@pytest.mark.parametrize("line", ["\x1b[31m", "\x1b[0m\x1b[1m", "\x1b[2K\r"])
def test_lines_of_colours_alone_are_no_lines(line: str) -> None:
    for text in (f"{line}\na: 1\nb: 2\n{line}\nc: 3\n", f"{line}\n- a\n- b\n", f"+x\n{line}\n-y\n@@ -1 +1 @@\n"):
        assert kinds.climb(text).notes == ()
