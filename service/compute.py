"""Where engine work runs: inline when it is small, in one process pool when it is big."""

import asyncio
import os
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from math import ceil
from multiprocessing import get_context
from typing import ParamSpec, TypeVar

from service.core.payload import Compacted, Payload, Wish
from service.core.pipeline import compact
from service.core.plan import Plan

P = ParamSpec("P")
T = TypeVar("T")
INLINE = 256 * 1024
MEGABYTE = 1 << 20
POLITE = 10  # the workers' niceness: whoever answers small requests goes first


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
    """Runs pure functions; the pool starts at its first use and is started anew when a worker dies."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._pool: ProcessPoolExecutor | None = None

    async def run(self, size: int, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of `work`: here for up to 256 KB, else from the pool."""
        if size <= INLINE or not self._workers:
            return work(*args, **kwargs)
        try:
            return await asyncio.wrap_future(self._started().submit(work, *args, **kwargs))
        except BrokenProcessPool:
            self.close()
            return await asyncio.wrap_future(self._started().submit(work, *args, **kwargs))

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            context = get_context("forkserver")
            context.set_forkserver_preload(["service.compute", "service.core.chunk"])
            self._pool = ProcessPoolExecutor(self._workers, context, initializer=os.nice, initargs=(POLITE,))
        return self._pool

    def close(self) -> None:
        """Let the workers go."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None
