"""Token estimates: the study's own numbers, the laws of a sum of weights, and what exact tokenizers count."""

import itertools
import math
import random

import pytest
from hypothesis import given, strategies as st

from service.core.tokens import CELL, EXACT_BYTES, FAMILIES, Weighed, estimate, item_costs

TEXTS = (
    "a",
    "The quick brown fox jumps over the lazy dog, twice.\n",
    '{"number":123,"title":"Crash on start","state":"open","url":"https://example.com/issues/123","ok":true}',
    "2026-11-18T10:02:11.123Z ERROR [worker-7] db.pool: timeout after 5000ms (attempt 3/5)\n" * 9,
    "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "def total(items: list[int]) -> int:\n    return sum(item * 2 for item in items if item != 0)\n",
    "Übergrößenträger façade naïve Straße, coração, señor",
    "Ελληνικά και русский текст, עברית العربية हिन्दी ไทย",
    "东京は日本の首都です。서울은 대한민국의 수도입니다。",
    "👩‍👩‍👧‍👦🎉🇩🇪 ✅ → …",
    "\t\r\n  \x00\x7f|~^",
    "\ud800 a lone surrogate",
    "x" * 5000,
)
GOLDENS: dict[str, tuple[int, ...]] = {
    "claude": (1, 20, 42, 408, 47, 35, 33, 23, 28, 40, 5, 4, 4751),
    "claude3": (1, 15, 32, 336, 43, 33, 30, 23, 29, 38, 4, 3, 2251),
    "o200k": (1, 13, 30, 324, 44, 26, 19, 8, 19, 35, 4, 2, 1601),
    "gemma3": (1, 14, 34, 445, 58, 30, 20, 10, 16, 33, 4, 3, 1302),
    "llama3": (1, 13, 29, 315, 43, 26, 28, 17, 20, 35, 3, 3, 1651),
    "qwen3": (1, 13, 32, 416, 57, 26, 28, 24, 21, 35, 3, 3, 1601),
    "deepseek": (1, 12, 30, 323, 44, 26, 26, 12, 20, 33, 3, 3, 1651),
    "tekken": (1, 13, 34, 430, 59, 26, 23, 10, 18, 34, 4, 3, 2201),
    "cl100k": (1, 13, 29, 318, 43, 26, 28, 31, 31, 36, 3, 3, 1651),
}


@pytest.mark.parametrize("family", GOLDENS)
def test_the_calibrated_families_give_the_numbers_of_the_study(family: str) -> None:
    assert tuple(estimate(text, family) for text in TEXTS) == GOLDENS[family]


def test_every_family_of_the_contract_is_there() -> None:
    assert [*GOLDENS, "chars4"] == list(FAMILIES)


def test_chars4_is_three_tenths_of_a_token_for_each_code_point() -> None:
    for text in TEXTS[:-2]:
        assert estimate(text, "chars4") == math.ceil(0.3 * len(text)), text
    assert estimate(b"\x80", "chars4") == 1


@pytest.mark.parametrize("family", FAMILIES)
def test_only_nothing_costs_nothing(family: str) -> None:
    assert estimate("", family) == estimate(b"", family) == 0
    assert all(estimate(bytes([byte]), family) >= 1 for byte in range(256))


@given(st.text(), st.sampled_from(FAMILIES))
def test_text_and_its_bytes_cost_the_same(text: str, family: str) -> None:
    assert estimate(text, family) == estimate(text.encode(), family)


@given(st.text(max_size=300), st.text(max_size=300), st.sampled_from(FAMILIES))
def test_more_text_never_costs_less(text: str, more: str, family: str) -> None:
    assert estimate(text + more, family) >= estimate(text, family)


@given(st.lists(st.text(alphabet='ab 12{}",é東🎉\n', max_size=40), max_size=20), st.sampled_from(FAMILIES))
def test_items_cost_what_the_whole_costs(items: list[str], family: str) -> None:
    bounds = [0, *itertools.accumulate(len(item.encode()) for item in items)]
    costs = item_costs("".join(items).encode(), bounds, family)
    assert len(costs) == len(items)
    assert all(cost >= 0 for cost in costs)
    assert abs(sum(costs) - estimate("".join(items), family)) <= 1


def test_items_keep_their_cost_across_blocks_and_from_any_start() -> None:
    data = "".join(TEXTS[:-2]).encode() * 200
    bounds = sorted({0, *random.Random(7).sample(range(len(data)), 300), len(data)})
    costs = item_costs(data, bounds, "o200k")
    assert abs(sum(costs) - estimate(data, "o200k")) <= 1
    assert item_costs(data, bounds[20:90], "o200k") == costs[20:89]
    assert item_costs(data, [5, 5, 9], "o200k")[0] == 0
    assert item_costs(data, [], "o200k") == []


@given(st.text(alphabet='ab 12{}",é東🎉\n', max_size=2000), st.sampled_from(FAMILIES))
def test_the_cells_of_a_weighed_text_are_all_of_it(text: str, family: str) -> None:
    data = text.encode()
    weighed = Weighed(data, family)
    whole = weighed.cost(0, len(data))
    assert abs(whole - estimate(data, family)) <= 1
    cells = [weighed.cost(i, min(i + CELL, len(data))) for i in range(0, len(data), CELL)]
    assert weighed.cells() == pytest.approx(cells)
    assert sum(weighed.cells()) == pytest.approx(whole)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_sample_of_a_long_text_is_close_to_its_sum(family: str) -> None:
    rows = [f'{{"id":{i},"name":"host-{i * 7919 % 1000}","note":"größer {i}"}}\n' for i in range(30_000)]
    data = "".join(rows).encode()
    assert len(data) > EXACT_BYTES
    exact = sum(item_costs(data, [0, len(data)], family))
    assert estimate(data, family) == pytest.approx(exact, rel=0.02)
