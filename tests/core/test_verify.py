"""What must be kept stands in the answer, or the answer says so."""

import pytest

from schemas.policy import Policy
from service.core.payload import Payload, Wish
from service.core.pipeline import compact
from service.core.plan import compile_plan
from service.core.verify import missing
from tests.made import dump, properties

PLAN = compile_plan("strict", Policy(must_keep=("report.total", "note")))
VALUE = {"report": {"total": 4711, "rows": properties(200)}, "note": "handle with care"}


def test_values_are_looked_for_as_they_are_spelled() -> None:
    assert missing('total: 4711, note: "handle with care"', VALUE, PLAN) == ()
    assert missing("total: 4711", VALUE, PLAN) == ("note",)
    assert missing("", {"other": 1}, PLAN) == ()


def test_what_must_be_kept_is_kept_while_it_fits() -> None:
    made = compact(Payload(dump(VALUE), "json"), PLAN, Wish(300, 2400))
    assert made.cut
    assert made.fallback_reason == ""
    assert "4711" in made.body.decode()


def test_what_cannot_be_kept_is_named() -> None:
    value = {"note": "handle with care " * 400, "rows": properties(50)}
    made = compact(Payload(dump(value), "json"), PLAN, Wish(100, 800))
    assert made.tokens <= 100
    assert made.fallback_reason == "must_keep did not fit: note"


ROWS = [{"id": f"K{i:04}", "name": f"name {i}", "note": "some more filler words " * 8} for i in range(200)]
ROWS[77]["error"], ROWS[133]["error"] = "disk gone", "net down"
LISTED = {"items": ROWS, "report": {"total": 4711}, "deep": {"list": [{"x": {"error": "nested"}}, {"x": 1}]}}
INTO = compile_plan("into", Policy(must_keep=("items[].id", "**.error", "report.total")))


@pytest.mark.parametrize(("form", "budget"), [("auto", 1000), ("json", 6000), ("lines", 5500), ("kv", 6000)])
def test_what_must_be_kept_in_lists_is_shown_before_anything_else(form: str, budget: int) -> None:
    made = compact(Payload(dump(LISTED), "json"), INTO, Wish(budget, 8 * budget, format=form))
    said = made.body.decode()
    assert made.cut
    assert made.fallback_reason == ""
    assert all(row["id"] in said for row in ROWS)
    assert all(error in said for error in ("disk gone", "net down", "nested", "4711"))


@pytest.mark.parametrize("form", ["auto", "json", "lines", "kv"])
@pytest.mark.parametrize("budget", [100, 400])
def test_of_what_must_be_kept_as_much_is_shown_as_fits_and_the_rest_is_named(form: str, budget: int) -> None:
    made = compact(Payload(dump(LISTED), "json"), INTO, Wish(budget, 8 * budget, format=form))
    assert made.tokens <= budget
    assert made.tokens > 0.5 * budget
    assert made.fallback_reason.startswith("must_keep did not fit: items[].id")


def test_a_row_in_a_very_long_list_is_kept_for_what_only_it_has() -> None:
    rows = [{"sku": f"S{i}", "text": "lorem ipsum " * 4} for i in range(6000)]
    rows[4321]["error"] = "boom at 4321"
    plan = compile_plan("errors", Policy(must_keep=("**.error",)))
    made = compact(Payload(dump({"rows": rows}), "json"), plan, Wish(500, 4000))
    assert "boom at 4321" in made.body.decode()
    assert made.fallback_reason == ""


def test_a_list_too_long_for_its_ids_names_them() -> None:
    rows = [{"sku": f"S{i}", "text": "lorem ipsum " * 4} for i in range(6000)]
    plan = compile_plan("skus", Policy(must_keep=("rows[].sku",)))
    made = compact(Payload(dump({"rows": rows}), "json"), plan, Wish(12000, 96000))
    assert made.fallback_reason == "must_keep did not fit: rows[].sku"
