"""A real redis-server on a free port, to be killed, frozen and started again."""

import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

MISSING = shutil.which("redis-server") is None
FORGETFUL = ("--save", "", "--appendonly", "no")


class RedisServer:
    """One process of redis-server that keeps nothing on disk; its port stays the same over restarts."""

    def __init__(
        self, *options: str, folder: Path | None = None, program: Sequence[str] = ("redis-server", *FORGETFUL)
    ) -> None:
        self.port, self.options, self._folder, self._program = free_port(), options, folder, program
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Where clients find it."""
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> "RedisServer":
        """Starts it and waits until it answers."""
        words = [*self._program, "--port", str(self.port), "--bind", "127.0.0.1"]
        self._process = subprocess.Popen([*words, *self.options], stdout=subprocess.DEVNULL, cwd=self._folder)
        deadline = time.monotonic() + 10
        while not self.answers():
            if time.monotonic() > deadline or self._process.poll() is not None:
                raise RuntimeError(f"redis-server does not start on port {self.port}")
            time.sleep(0.01)
        return self

    def answers(self) -> bool:
        """Whether a PING comes back."""
        return self.say("PING").startswith(b"+PONG")

    def say(self, command: str) -> bytes:
        """Sends one inline command and returns the beginning of the answer, empty when there is none."""
        try:
            with socket.create_connection(("127.0.0.1", self.port), 0.5) as line:
                line.settimeout(2.0)
                line.sendall(command.encode() + b"\r\n")
                return line.recv(65536)
        except OSError:
            return b""

    def kill(self) -> None:
        """SIGKILL: connections are refused from now on."""
        if self._process:
            self._process.kill()
            self._process.wait()
        self._process = None

    def freeze(self) -> None:
        """SIGSTOP: connections open, and nothing ever comes back."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """SIGCONT: goes on where it stood."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        if self._process:
            self._process.send_signal(number)


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
