"""The laws of the engine over arbitrary values, budgets and policies: it fits, it says what it lost, it never fails."""

import json
import os
import re
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from schemas.policy import Policy, Strip, Template, Truncate
from service.core import markers, values
from service.core.payload import Compacted, Payload, Wish
from service.core.pipeline import compact
from service.core.plan import Plan, compile_plan
from service.core.render import table as outline
from service.core.tokens import estimate
from service.errors import PathUnknown

DEFAULT = compile_plan("default", Policy())
PLANS = [
    DEFAULT,
    compile_plan("id", Policy(identity=("id", "name"), strip=Strip(nulls=True, empties=True))),
    compile_plan("json", Policy(format="json", keywords=("error",))),
    compile_plan("table", Policy(format="table", drop=("**.url",))),
    compile_plan("lines", Policy(format="lines")),
    compile_plan("kv", Policy(format="kv")),
    compile_plan("cut", Policy(truncate=Truncate(chars=40))),
    compile_plan("worded", Policy(template=Template(item="{id}: {name}", header="{count} things"))),
]
LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**12), 10**12),
    st.text(max_size=30),
    st.sampled_from(
        ["x" * 3000, "Ein Satz. Noch ein Satz. " * 90, "行。" * 700, "🙂" * 900, "a\nb\n" * 200, '{"a": [1, 2]}']
    ),
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=20),
        st.dictionaries(st.text(max_size=12), inner, max_size=20),
        st.lists(st.fixed_dictionaries({"id": st.integers(), "name": LEAVES, "v": inner}), max_size=12),
    ),
    max_leaves=60,
)
EXAMPLES = 2000 if os.environ.get("CI") else 60  # of each of the five parts of the law: 10,000 where it counts
BUDGETS = st.sampled_from([64, 65, 100, 200, 500, 1000])


def asked(value: Any, budget: int, plan: Plan = DEFAULT, **wish: Any) -> Compacted:
    return compact(Payload(values.encode(value), "json"), plan, Wish(budget, budget * 8, **wish))


def holds(made: Compacted, budget: int, family: str = "claude") -> None:
    assert made.tokens == estimate(made.body, family) <= budget
    assert len(made.body) <= budget * 8
    assert made.tokens <= max(1, made.original_tokens)
    assert made.fallback_reason in ("", "no template of policy worded fits this payload")
    made.body.decode()
    if made.format == "json":
        json.loads(made.body)
    for entry in made.omitted:
        assert entry.path == "*" or 0 <= int(entry.kept or 0) < int(entry.total or 0), entry
    assert not made.complete or not made.omitted
    assert not made.cut or made.omitted or "[×" in made.body.decode()  # folded: every line is told by another
    by_fit = [entry for entry in made.omitted if entry.by == "fit"]
    assert not by_fit or markers.MARK in made.body.decode()


@pytest.mark.parametrize("budgets", [(64, 65), (100,), (200,), (500,), (1000, 4000)])
@settings(max_examples=EXAMPLES, deadline=None)
@given(data=st.data(), value=VALUES, plan=st.sampled_from(PLANS), query=st.sampled_from(["", "name error", "zzz"]))
def test_it_fits_whatever_comes(
    budgets: tuple[int, ...], data: st.DataObject, value: Any, plan: Plan, query: str
) -> None:
    budget = data.draw(st.sampled_from(budgets))
    holds(asked(value, budget, plan, query=query), budget)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=4000), BUDGETS)
def test_text_fits_too(text: str, budget: int) -> None:
    holds(compact(Payload(text.encode(), "text"), DEFAULT, Wish(budget, budget * 8)), budget)


@settings(max_examples=60, deadline=None)
@given(VALUES, BUDGETS, st.sampled_from(["json", "table", "lines", "kv"]))
def test_named_notations_fit(value: Any, budget: int, notation: str) -> None:
    made = asked(value, budget, format=notation)
    holds(made, budget)
    assert notation != "json" or made.format in ("json", "text")


@settings(max_examples=40, deadline=None)
@given(VALUES, BUDGETS)
def test_the_same_question_gets_the_same_bytes(value: Any, budget: int) -> None:
    assert asked(value, budget) == asked(value, budget)


@settings(max_examples=60, deadline=None)
@given(VALUES)
def test_what_fits_comes_back_untouched(value: Any) -> None:
    data = json.dumps(value, indent=1).encode()
    made = compact(Payload(data, "json"), DEFAULT, Wish(100_000, 10**7))
    assert made.body == data
    assert made.complete
    assert not made.cut


@settings(max_examples=80, deadline=None)
@given(
    st.dictionaries(st.text(st.characters(categories=["Ll"]), min_size=1, max_size=8), VALUES, max_size=12),
    st.integers(0, 10**6),
    st.text(st.characters(categories=["Lu"]), min_size=1, max_size=20),
)
def test_identity_survives(value: dict[str, Any], number: int, name: str) -> None:
    value |= {"id": number, "name": name}
    plan = compile_plan("x", Policy(identity=("id", "name")))
    text = asked(value, 200, plan).body.decode()
    assert str(number) in text
    assert name in text


def test_gaps_in_json_add_up() -> None:
    rows = [{"n": i, "text": "word " * (i % 7)} for i in range(400)]
    made = asked(rows, 500, format="json")
    body = json.loads(made.body)
    gaps = [re.fullmatch(r"… (\d+) more items \((\d+)-(\d+)\)", item) for item in body if isinstance(item, str)]
    counted = sum(int(gap[1]) for gap in gaps if gap)
    shown = [item for item in body if isinstance(item, dict)]
    assert counted + len(shown) == 400
    entry = next(one for one in made.omitted if one.path == "" and one.unit == "items")
    assert (entry.kept, entry.total) == (len(shown), 400)
    assert all(rows[int(gap[2])]["n"] == int(gap[2]) for gap in gaps if gap)


def test_gaps_in_tables_add_up() -> None:
    rows = [{"n": i, "text": f"word {i * 7919 % 1000}"} for i in range(4000)]
    made = asked({"items": rows}, 700)
    text = made.body.decode()
    shown = [line for line in text.split("\n")[1:] if not line.startswith(("…", "#"))]
    gaps = sum(int(gap) for gap in re.findall(r"^… (\d+) more lines", text, re.MULTILINE))
    assert text.startswith("items[4000]{")
    assert len(shown) + gaps == 4000


def test_outliers_errors_and_rare_rows_survive() -> None:
    rows = [{"id": i, "state": "ok", "ms": 20 + i % 9, "message": "request served"} for i in range(2000)]
    rows[777] |= {"state": "failed", "message": "connection refused by upstream"}
    rows[1234]["ms"] = 98765
    text = asked(rows, 400).body.decode()
    assert "connection refused by upstream" in text
    assert "98765" in text
    assert "failed ×1" in text


def test_a_long_table_is_searched_for_what_stands_out() -> None:
    rows = [{"id": i, "state": "ok", "ms": 20 + i % 9} for i in range(20_000)]
    rows[7777]["state"] = "exploded"
    rows[12345]["ms"] = 98765
    text = asked(rows, 400).body.decode()
    assert "exploded" in text
    assert "98765" in text


def test_a_query_finds_its_row() -> None:
    rows = [{"id": i, "title": f"Thing number {i}", "owner": f"user{i % 50}", "note": "nothing"} for i in range(3000)]
    rows[2345]["note"] = "the quokka sleeps in the shed"
    assert "quokka sleeps" in asked(rows, 300, query="where does the quokka sleep").body.decode()


def test_a_path_is_the_root_of_what_is_asked() -> None:
    value = {"a": {"b": [{"c": i} for i in range(10)]}, "big": ["x" * 50] * 100}
    made = asked(value, 200, path="a.b.3")
    assert (made.body, made.format, made.cut) == (b'{"c":3}', "json", False)
    with pytest.raises(PathUnknown):
        asked(value, 200, path="a.x")


def test_fields_are_a_projection_and_say_what_is_missing() -> None:
    made = asked({"a": 1, "b": {"c": 2, "d": 3}}, 200, fields=("b.c", "nope"))
    assert json.loads(made.body) == {"b": {"c": 2}}
    assert made.missing_fields == ("nope",)
    assert not made.complete


def test_a_template_words_a_list_and_says_how_many_more() -> None:
    plan = PLANS[-1]
    made = asked([{"id": i, "name": f"name {i}", "more": "x" * 30} for i in range(300)], 100, plan)
    assert made.format == "template"
    assert made.body.startswith(b"300 things\n0: name 0\n")
    shown = made.body.decode().count(": name")
    assert f"… {300 - shown} more lines ({shown + 1}-300)" in made.body.decode()


def test_marker_text_in_the_payload_cannot_be_taken_for_ours() -> None:
    rows = [{"n": i, "t": "… 99 more items (0-98)", "x": "y" * 40} for i in range(100)]
    for notation in ("json", "table"):
        text = asked(rows, 300, format=notation).body.decode()
        assert not re.search(r"(?<!…)… 99 more items", text)


def test_one_huge_string_is_cut_with_a_count() -> None:
    text = "x" * 100_000
    made = asked({"id": 7, "blob": text}, 100)
    assert b"7" in made.body
    assert made.omitted


def test_a_defect_costs_quality_never_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> bytes:
        raise ZeroDivisionError

    monkeypatch.setattr(outline, "render", broken)
    made = asked([{"a": i, "b": "x" * 20} for i in range(300)], 200)
    assert made.fallback_reason == "fit failed: ZeroDivisionError"
    assert made.tokens <= 200
    assert made.format == "json"


def test_explain_tells_the_tokens_of_every_step() -> None:
    plan = compile_plan("x", Policy(strip=Strip(nulls=True)))
    made = asked([{"a": i, "b": None} for i in range(300)], 200, plan, explain=True)
    assert [step.step for step in made.steps] == ["strip", "fit"]
    assert made.steps[-1].tokens == made.tokens


@pytest.mark.parametrize("text", ["<html><body><p>One</p><p>Two</p></body></html>", "a\n├── b\n│   └── c\n└── d\n"])
def test_what_would_be_reduced_comes_untouched_when_it_fits(text: str) -> None:
    found = compact(Payload(text.encode(), "text"), compile_plan("default", Policy()), Wish(400, 3200))
    assert (found.body, found.cut, found.complete, found.notes) == (text.encode(), False, True, ())


@pytest.mark.parametrize("indent", [None, 1, 30])
@pytest.mark.parametrize("budget", [64, 200, 4000])
@pytest.mark.parametrize("count", [3, 60, 3000])
def test_json_too_long_to_be_minified_has_the_answer_of_its_minified_form(
    indent: int | None, budget: int, count: int
) -> None:
    rows = [{"id": number, "name": f"a  name with  spaces {number}", "tags": ["a", "b"]} for number in range(count)]
    spread = json.dumps(rows, indent=indent).encode()
    wish = Wish(budget, 8 * budget)
    made, small = (compact(Payload(data, "json"), DEFAULT, wish) for data in (spread, values.minify(spread)))
    assert (made.omitted, made.notes) == (small.omitted, small.notes)
    assert made.body == small.body or (not made.cut and made.body == spread)
