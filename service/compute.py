"""Where engine work runs: inline when it is small, in one process pool when it is big."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import ceil
from typing import ParamSpec, TypeVar

from service.compute_pool import Pool
from service.core.payload import Compacted, Payload, Wish
from service.core.pipeline import compact
from service.core.plan import Plan

P = ParamSpec("P")
T = TypeVar("T")
INLINE = 256 * 1024
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


class Compute:
    """Runs pure functions; the pool starts at its first use."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._pool: Pool | None = None

    async def run(self, size: int, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of `work`: here for up to 256 KB, else from the pool."""
        if size <= INLINE or not self._workers:
            return work(*args, **kwargs)
        if self._pool is None:
            self._pool = Pool(self._workers)
        return await asyncio.wrap_future(self._pool.submit(partial(work, **kwargs) if kwargs else work, args))

    def close(self) -> None:
        """Let the workers go."""
        if self._pool is not None:
            self._pool.close()
            self._pool = None
