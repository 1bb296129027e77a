"""Small requests while four callers post 8 MB each: they never wait for a big one.

Callers and the one who measures share the machine with the service. How much of a wait is theirs is told by a bare
handler that receives the same and leaves as much work to a process of its own.
"""

import gc
import json
import multiprocessing
import os
import socket
import sys
import time
from collections.abc import Iterator

from tests.bench.figures import Figure
from tests.redis_server import free_port
from tests.server import Server

CALLERS, SECONDS, TURNS = 4, 4.0, 2
PAUSE = 0.002  # seconds between two questions
POLITE = 5  # the callers' niceness: on machines with few cores they would otherwise be what is measured
SMALL = json.dumps([{"id": i, "name": "item"} for i in range(35)]).encode()


def big() -> bytes:
    """About 8 MB of rows."""
    row = {"status": "ok", "value": 1.5, "note": "some text here " * 4}
    return json.dumps([{"id": i, "name": f"row {i}", **row} for i in range(62_000)]).encode()


def request(method: str, path: str, body: bytes = b"") -> bytes:
    """All bytes of a request, so that nothing is left to do while it is measured."""
    head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/octet-stream\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


def timed(line: socket.socket, question: bytes) -> float:
    """Seconds of one request."""
    began = time.perf_counter()
    line.sendall(question)
    data = line.recv(1 << 18)
    while b"\r\n\r\n" not in data:
        data += line.recv(1 << 18)
    head, _, body = data.partition(b"\r\n\r\n")
    if not head.startswith(b"HTTP/1.1 200"):
        raise RuntimeError(head.decode())
    missing = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0]) - len(body)
    while missing > 0:
        missing -= len(line.recv(1 << 18))
    return time.perf_counter() - began


def post(port: int, seconds: float) -> None:
    """One caller that posts big payloads, one after the other."""
    os.nice(POLITE)
    question, end = request("POST", "/compact?policy=default", big()), time.monotonic() + seconds
    with socket.create_connection(("127.0.0.1", port)) as line:
        while time.monotonic() < end:
            timed(line, question)


def waits(port: int) -> tuple[float, float]:
    """The 99th percentiles of /livez and of a 1 KB /compact, in milliseconds."""
    questions = request("GET", "/livez"), request("POST", "/compact?policy=default", SMALL)
    found: list[list[float]] = [[], []]
    gc.disable()
    with socket.create_connection(("127.0.0.1", port)) as line:
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            for question, seconds in zip(questions, found, strict=True):
                seconds.append(timed(line, question))
            time.sleep(PAUSE)
    gc.enable()
    alive, small = (sorted(seconds)[int(len(seconds) * 0.99)] * 1000 for seconds in found)
    return alive, small


def crowded(port: int) -> tuple[float, float, float]:
    """Milliseconds that a 1 KB /compact waits alone, and that /livez and it wait in the crowd."""
    with socket.create_connection(("127.0.0.1", port)) as line:
        timed(line, request("POST", "/compact?policy=default", big()))
    _, idle = waits(port)
    callers = [multiprocessing.Process(target=post, args=(port, SECONDS + 3), daemon=True) for _ in range(CALLERS)]
    for caller in callers:
        caller.start()
    time.sleep(2)
    alive, small = waits(port)
    for caller in callers:
        caller.join()
    return idle, alive, small


def figures() -> Iterator[Figure]:
    ours, theirs = [], []
    for _ in range(TURNS):
        with Server() as server:
            ours.append(crowded(server.port))
        bare = Server(program=[sys.executable, "-m", "tests.bench.bare", str(port := free_port()), "asyncio"])
        bare.port = port
        with bare:
            theirs.append(crowded(port))
    idle, alive, small = map(min, zip(*ours, strict=True))  # what else runs on the machine makes them longer at most
    _, other_alive, other = map(min, zip(*theirs, strict=True))
    what = "with four callers posting 8 MB, p99 of"
    yield Figure(f"{what} /livez, beside 25 ms", f"{alive:.1f} ms", "25 ms", alive / 25, "<= 1")
    yield Figure(
        f"{what} a 1 KB /compact, beside its idle p99", f"{small:.1f} ms", f"{idle:.1f} ms", small / idle, "<= 3"
    )
    least = "the same, beside a bare aiohttp handler that has as much to receive and to leave to others:"
    yield Figure(f"{least} /livez", f"{alive:.1f} ms", f"{other_alive:.1f} ms", alive / other_alive)
    yield Figure(f"{least} 1 KB", f"{small:.1f} ms", f"{other:.1f} ms", small / other)
