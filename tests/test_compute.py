"""Where work runs: inline when it is small, in the pool when it is big."""

import os

from service.compute import INLINE, Compute


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
