"""The real service in a process of its own, on a free port, to be asked, measured and stopped."""

import http.client
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from tests.redis_server import free_port

ROOT = Path(__file__).parent.parent
SERVE = (sys.executable, "-m", "service", "serve")


class Server:
    """`with Server(...) as server:` starts it, waits until it is ready, and stops it at the end."""

    def __init__(
        self, environ: Mapping[str, str] | None = None, program: Sequence[str] = SERVE, folder: Path = ROOT
    ) -> None:
        self.port, self.ready_after = free_port(), 0.0
        # of its surroundings it sees where programs are and whether coverage is measured, and nothing else
        known = {name: text for name, text in os.environ.items() if re.fullmatch("PATH|HOME|COVERAGE_.*", name)}
        self._environ = {**known, "DECANT_PORT": str(self.port), "DECANT_DRAIN": "0", **(environ or {})}
        self._program, self._folder = program, folder

    def __enter__(self) -> Self:
        began = time.monotonic()
        self.process = subprocess.Popen(
            self._program, cwd=self._folder, env=self._environ, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL
        )
        while not self._ready():
            if self.process.poll() is not None or time.monotonic() - began > 20:
                raise RuntimeError(f"the service is not ready; exit code {self.process.poll()}")
            time.sleep(0.01)
        self.ready_after = time.monotonic() - began
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}"

    def stop(self) -> int:
        """SIGTERM; its exit code."""
        self.process.terminate()
        try:
            return self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise

    def ask(self, path: str, body: object = None, **headers: str) -> tuple[int, Any]:
        """Status and answer; a body that is not bytes is sent as a request object."""
        raw = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if raw is not body:
            named = {"Content-Type": "application/json", **named}
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            line.request("GET" if body is None else "POST", path, raw, named)
            answer = line.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            line.close()

    def memory(self, what: str = "VmRSS") -> int:
        """Bytes that it and its workers hold (VmRSS) or held at most (VmHWM)."""
        return sum(_status(process, what) * 1024 for process in _family(self.process.pid))

    def worked(self) -> float:
        """Seconds of processor time that it has used: a busy machine does not change them."""
        spent = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(spent[11]) + int(spent[12])) / os.sysconf("SC_CLK_TCK")

    def _ready(self) -> bool:
        try:
            return self.ask("/readyz")[0] == 200
        except (OSError, http.client.HTTPException):
            return False


def _status(process: int, what: str) -> int:
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:  # it has ended
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith(what + ":")), 0)


def _family(process: int) -> list[int]:
    found: list[int] = []
    for children in Path(f"/proc/{process}/task").glob("*/children"):  # whichever of its threads started them
        found += [int(child) for child in children.read_text().split()]
    return [process, *(member for child in found for member in _family(child))]
