"""Where work runs: inline when it is small, in the pool when it is big, and never for longer than the policy allows."""

import os

from schemas.policy import Policy
from service.compute import INLINE, Compute, Deadline, squeeze
from service.core.payload import Payload, Wish
from service.core.plan import compile_plan
from tests.made import dump, properties


def where() -> int:
    return os.getpid()


async def test_small_work_runs_here_and_big_work_in_the_pool() -> None:
    compute = Compute(1)
    try:
        assert await compute.run(INLINE, where) == os.getpid()
        assert await compute.run(INLINE + 1, where) != os.getpid()
    finally:
        compute.close()


async def test_a_dead_worker_is_replaced() -> None:
    compute = Compute(1)
    try:
        worker = await compute.run(INLINE + 1, where)
        os.kill(worker, 9)
        assert await compute.run(INLINE + 1, where) not in (worker, os.getpid())
    finally:
        compute.close()


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
