"""Where engine work runs: inline when it is small, in one process pool when it is big."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
INLINE = 256 * 1024


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
            context.set_forkserver_preload(["service.core.pipeline", "service.core.chunk"])
            self._pool = ProcessPoolExecutor(self._workers, mp_context=context)
        return self._pool

    def close(self) -> None:
        """Let the workers go."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None
