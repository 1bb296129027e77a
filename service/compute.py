"""Where engine work runs: inline when it is small, in one process pool when it is big."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import ParamSpec, TypeVar

from service.compute_pool import Pool

P = ParamSpec("P")
T = TypeVar("T")
INLINE = 256 * 1024


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
