"""Processes that work for this one: a function and its arguments go over a pipe, its result comes back.

What a request sends is copied by the system, not by the interpreter: bytes travel beside the pickle, written and read
in one call each, so that a body of many megabytes keeps nobody from answering small requests meanwhile.
"""

import fcntl
import gc
import os
import pickle
import signal
import subprocess
import sys
import traceback
from array import array
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from io import BytesIO
from queue import Empty, SimpleQueue
from typing import Any, BinaryIO, TypeVar

from service.core.payload import Payload
from service.errors import Refusal

T = TypeVar("T")
APART = 16_384  # bytes objects from this size on travel beside the pickle
PIPE = 1 << 20  # bytes that a pipe holds, where the system allows it
POLITE = 10  # a worker's niceness
PATIENCE = 2.0  # seconds that a worker may take to go
PRELOADED = ("service.compute_engine", "service.core.chunk", "service.core.read")
_CHILD = "import sys; sys.path[:] = {!r}; from service.compute_pool import serve; serve({!r})"


class Worker:
    """One process; whoever holds it talks to it alone."""

    def __init__(self) -> None:
        program = (sys.executable, "-c", _CHILD.format(sys.path, PRELOADED))
        its_in, to = os.pipe()
        came, its_out = os.pipe()
        for end in (to, came):
            with suppress(OSError, AttributeError):  # fewer, longer writes; it works without
                fcntl.fcntl(end, fcntl.F_SETPIPE_SZ, PIPE)
        self._process = subprocess.Popen(program, stdin=its_in, stdout=its_out)  # noqa: S603  # our own code
        os.close(its_in)
        os.close(its_out)
        self._to, self._from = os.fdopen(to, "wb"), os.fdopen(came, "rb")

    def ask(self, work: Callable[..., Any], args: tuple[Any, ...]) -> tuple[bool, Any]:
        """Whether the function returned, and what it returned or raised; EOFError or OSError when nobody is there."""
        send(self._to, (work, tuple(map(_lifted, args))))
        return receive(self._from)

    def kill(self) -> None:
        """Ends it in the middle of whatever it does; whoever waits for its answer hears so."""
        self._process.kill()

    def end(self) -> None:
        """Lets it go, at once when it does not go by itself."""
        with suppress(OSError):  # what was not sent never will be
            self._to.close()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._from.close()


class Pool:
    """So many workers, each started when all others are busy."""

    def __init__(self, workers: int) -> None:
        self._threads = ThreadPoolExecutor(workers, "pool")
        self._idle: SimpleQueue[Worker] = SimpleQueue()
        self._busy: set[Worker] = set()
        self._closed = False

    def submit(self, work: Callable[..., T], args: tuple[Any, ...]) -> "Future[T]":
        """The result to come."""
        return self._threads.submit(self._do, work, args)

    def _do(self, work: Callable[..., T], args: tuple[Any, ...]) -> T:
        try:
            ok, result = self._ask(work, args)
        except (EOFError, BrokenPipeError):  # the process died: one more try, by another
            ok, result = self._ask(work, args)
        if not ok:
            raise result
        return result  # type: ignore[no-any-return]  # as the function's signature says

    def _ask(self, work: Callable[..., T], args: tuple[Any, ...]) -> tuple[bool, Any]:
        worker = self._free()
        self._busy.add(worker)
        if self._closed:
            worker.kill()
        try:
            answer = worker.ask(work, args)
        except (EOFError, OSError):
            worker.kill()
            worker.end()
            raise
        except Exception:  # what cannot be pickled was never sent
            self._idle.put(worker)
            raise
        finally:
            self._busy.discard(worker)
        self._idle.put(worker)
        return answer

    def _free(self) -> Worker:
        if self._closed:
            raise RuntimeError("the pool is closed")
        try:
            return self._idle.get_nowait()
        except Empty:
            return Worker()

    def close(self) -> None:
        """Ends the workers, whatever they are at."""
        self._closed = True
        for worker in list(self._busy):
            worker.kill()
        self._threads.shutdown(cancel_futures=True)
        with suppress(Empty):
            while True:
                self._idle.get_nowait().end()


class _Pickler(pickle.Pickler):
    """Takes bytes out of the pickle where they are many."""

    def reducer_override(self, obj: Any) -> Any:
        if type(obj) is Payload and len(obj.data) >= APART:
            return Payload, (pickle.PickleBuffer(obj.data), obj.form, obj.content_type)
        return NotImplemented


def send(to: BinaryIO, message: tuple[Any, Any]) -> None:
    """Writes a message: sizes, the pickle, what travels beside it."""
    apart: list[pickle.PickleBuffer] = []
    head = BytesIO()
    _Pickler(head, 5, buffer_callback=apart.append).dump(message)
    parts = [head.getbuffer(), *(one.raw() for one in apart)]
    sizes = array("Q", map(len, parts))
    to.write(array("Q", [len(sizes)]).tobytes() + sizes.tobytes())
    for part in parts:
        to.write(part)
    to.flush()


def _lifted(argument: Any) -> Any:
    """The same argument; many bytes go beside the pickle."""
    return pickle.PickleBuffer(argument) if type(argument) is bytes and len(argument) >= APART else argument


def receive(came: BinaryIO) -> tuple[Any, Any]:
    """Reads a message; EOFError when the other side is gone."""
    count = array("Q", _exactly(came, 8))[0]
    sizes = array("Q", _exactly(came, 8 * count))
    head, *apart = [_exactly(came, size) for size in sizes]
    message: tuple[Any, Any] = pickle.loads(head, buffers=apart)  # noqa: S301  # it comes from our own process
    return message


def _exactly(came: BinaryIO, size: int) -> bytes:
    data = came.read(size)
    if len(data) < size:
        raise EOFError("the other process is gone")
    return data


def serve(preloaded: tuple[str, ...]) -> None:
    """The life of a worker: until nobody asks any more."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # whoever it works for decides when it ends
    came, to = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what is printed by mistake is no answer
    give_way()
    for name in preloaded:
        __import__(name)
    gc.freeze()
    with suppress(EOFError, BrokenPipeError):
        while True:
            send(to, _done(*receive(came)))


def give_way() -> None:
    """Lets whoever answers small requests go first."""
    os.nice(POLITE)


def _done(work: Callable[..., Any], args: tuple[Any, ...]) -> tuple[bool, Any]:
    try:
        return True, work(*args)
    except Refusal as refusal:
        return False, refusal
    except Exception as error:
        error.add_note(traceback.format_exc())
        return False, _sendable(error)


def _sendable(error: Exception) -> Exception:
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301  # our own, just now
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
