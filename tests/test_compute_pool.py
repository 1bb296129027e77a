"""Work goes to other processes and comes back as it is: arguments, results, errors; the dead are replaced."""

import os
import time
from pathlib import Path

import pytest

from service.compute_pool import APART, Pool
from service.core.payload import Payload
from service.errors import PayloadTooDeep


def itself(thing: object) -> object:
    return thing


def with_keys(*, data: bytes, least: int) -> bool:
    return len(data) >= least


def gone() -> None:
    os._exit(1)


def once(path: Path) -> int:
    """Dies the first time."""
    if not path.exists():
        path.touch()
        os._exit(1)
    return os.getpid()


def too_deep() -> None:
    raise PayloadTooDeep("too deep", "flatten it", limit=500)


def no_file() -> None:
    raise FileNotFoundError("nothing there")


def stubborn() -> None:
    class Odd(Exception):
        def __reduce__(self) -> str:
            raise TypeError("not to be sent")

    raise Odd("told all the same")


def noisy() -> int:
    print("this is no answer")
    return 1


def slow() -> None:
    time.sleep(60)


@pytest.fixture
def pool() -> "Pool":
    return Pool(1)


def done(pool: Pool, work: object, *args: object) -> object:
    return pool.submit(work, args).result(60)  # type: ignore[arg-type]  # any function


def test_everything_comes_back_as_it_went(pool: Pool) -> None:
    for size in (0, 1, APART - 1, APART, 3_000_000):
        data = os.urandom(size)
        assert done(pool, itself, data) == data
        assert done(pool, itself, Payload(data, "json", "csv")) == Payload(data, "json", "csv")
    assert done(pool, itself, (1, {"a": b"b"}, None)) == (1, {"a": b"b"}, None)
    pool.close()


def test_errors_come_back_and_the_worker_stays(pool: Pool) -> None:
    worker = done(pool, os.getpid)
    with pytest.raises(PayloadTooDeep) as refused:
        done(pool, too_deep)
    assert (refused.value.hint, refused.value.limit) == ("flatten it", 500)
    with pytest.raises(FileNotFoundError, match="nothing there") as lost:
        done(pool, no_file)
    assert "in no_file" in lost.value.__notes__[0]
    with pytest.raises(RuntimeError, match="Odd: told all the same"):
        done(pool, stubborn)
    with pytest.raises(Exception, match="pickle"):
        done(pool, itself, lambda: 0)
    assert done(pool, noisy) == 1
    assert done(pool, os.getpid) == worker
    pool.close()


def test_work_that_lost_its_process_is_done_by_another_but_not_for_ever(pool: Pool, tmp_path: Path) -> None:
    worker = done(pool, os.getpid)
    assert done(pool, once, tmp_path / "seen") not in (worker, os.getpid())
    with pytest.raises((EOFError, BrokenPipeError)):
        done(pool, gone)
    assert done(pool, itself, 1) == 1
    pool.close()


def test_workers_are_started_when_the_others_are_busy() -> None:
    pool = Pool(2)
    waiting = pool.submit(slow, ())
    assert done(pool, os.getpid) == done(pool, os.getpid)
    pool.close()  # ends those that work, too
    assert waiting.done()
    with pytest.raises(RuntimeError):
        pool.submit(itself, (1,))


def test_a_worker_lets_others_go_first(pool: Pool) -> None:
    assert done(pool, os.nice, 0) != os.nice(0)
    pool.close()
