"""What must be kept stands in the answer, or the answer says so."""

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
