"""The engine within its deadline; all that a worker of the pool has to know of it."""

import time
from collections.abc import Callable
from dataclasses import replace
from math import ceil

from service.core.payload import Compacted, Payload, Wish
from service.core.pipeline import compact
from service.core.plan import Plan

MEGABYTE = 1 << 20


class Deadline:
    """The time that compacting may take: a net under a defect, remembered when it was needed."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._until, self._clock, self.passed = clock() + seconds, clock, False

    def __call__(self) -> bool:
        """Whether the time is over."""
        self.passed = self.passed or self._clock() > self._until
        return self.passed


def squeeze(payload: Payload, plan: Plan, wish: Wish) -> Compacted:
    """The engine's answer within the policy's deadline, which counts where the work is done."""
    megabytes = max(1, ceil(len(payload.data) / MEGABYTE))
    deadline = Deadline(plan.policy.deadline_ms / 1000 * megabytes)
    made = compact(payload, plan, wish, deadline)
    if not deadline.passed or made.fallback_reason:
        return made
    late = f"deadline_ms {plan.policy.deadline_ms:g} passed ({megabytes} MB begun): the fit ended early"
    return replace(made, fallback_reason=late)
