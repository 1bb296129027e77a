"""The engine never works longer than the policy allows, and says so when that changed an answer."""

from schemas.policy import Policy
from service.compute_engine import Deadline, squeeze
from service.core.payload import Payload, Wish
from service.core.plan import compile_plan
from tests.made import dump, properties


def test_a_deadline_is_remembered() -> None:
    now = [0.0]
    deadline = Deadline(2.0, lambda: now[0])
    assert not deadline()
    now[0] = 3.0
    assert deadline()
    assert deadline.passed


def test_an_answer_that_a_deadline_changed_says_so_and_fits() -> None:
    payload = Payload(dump(properties(300)), "json")
    hurried = squeeze(payload, compile_plan("hurried", Policy(deadline_ms=0.001)), Wish(500, 4000))
    assert "deadline_ms" in hurried.fallback_reason
    assert hurried.tokens <= 500
    calm = squeeze(payload, compile_plan("calm", Policy(deadline_ms=60_000)), Wish(500, 4000))
    assert calm.fallback_reason == ""
