"""Several processes on one port: a parent that starts them, starts dead ones again, and passes SIGTERM on."""

import logging
import os
import signal
import time
from collections.abc import Callable

log = logging.getLogger("decant.workers")
REST = 1.0  # seconds before a worker that died young is started again


class Workers:
    """The children of one parent; `work` is what a child does, it returns the exit code."""

    def __init__(self, count: int, work: Callable[[], int]) -> None:
        self._count, self._work = count, work
        self._started: dict[int, float] = {}
        self._stopping = False

    def run(self) -> int:
        """Supervises until told to stop; the worst exit code of those that were told."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)
        for _ in range(self._count):
            if not self._stopping:
                self._start()
        worst = 0
        while self._started:
            pid, status = os.wait()
            born = self._started.pop(pid, 0.0)
            code = os.waitstatus_to_exitcode(status)
            if self._stopping:
                worst = max(worst, abs(code))
                continue
            log.error("worker died", extra={"facts": {"pid": pid, "code": code}})
            if time.monotonic() - born < REST:
                time.sleep(REST)
            if not self._stopping:
                self._start()
        return worst

    def _start(self) -> None:
        signals = {signal.SIGTERM, signal.SIGINT}
        signal.pthread_sigmask(signal.SIG_BLOCK, signals)  # none is lost between the fork and the entry below
        pid = os.fork()
        if pid == 0:
            for number in signals:
                signal.signal(number, _leave)  # until the event loop has a better answer
            signal.pthread_sigmask(signal.SIG_UNBLOCK, signals)
            os._exit(self._child())
        self._started[pid] = time.monotonic()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, signals)

    def _child(self) -> int:
        try:
            return self._work()
        except BaseException:
            log.exception("worker failed")
            return 1

    def _stop(self, number: int, frame: object) -> None:
        self._stopping = True
        for pid in self._started:
            os.kill(pid, signal.SIGTERM)


def _leave(number: int, frame: object) -> None:
    os._exit(0)
