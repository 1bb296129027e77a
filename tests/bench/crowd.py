"""Small requests while four callers post 8 MB each: they never wait for a big one."""

import http.client
import json
import multiprocessing
import time
from collections.abc import Iterator

from tests.bench.figures import Figure
from tests.server import Server

CALLERS, SECONDS = 4, 6.0
SMALL = json.dumps([{"id": i, "name": "item"} for i in range(35)]).encode()
RAW = {"Content-Type": "application/octet-stream"}


def big() -> bytes:
    """About 8 MB of rows."""
    row = {"status": "ok", "value": 1.5, "note": "some text here " * 4}
    return json.dumps([{"id": i, "name": f"row {i}", **row} for i in range(62_000)]).encode()


def timed(line: http.client.HTTPConnection, method: str, path: str, body: bytes | None = None) -> float:
    """Seconds of one request."""
    began = time.perf_counter()
    line.request(method, path, body, RAW)
    answer = line.getresponse()
    answer.read()
    if answer.status != 200:
        raise RuntimeError(f"{path}: {answer.status}")
    return time.perf_counter() - began


def post(port: int, seconds: float) -> None:
    """One caller that posts big payloads, one after the other."""
    line, body, end = http.client.HTTPConnection("127.0.0.1", port, timeout=60), big(), time.monotonic() + seconds
    while time.monotonic() < end:
        timed(line, "POST", "/compact?policy=default", body)


def waits(port: int) -> tuple[float, float]:
    """The 99th percentiles of /livez and of a 1 KB /compact, in milliseconds."""
    line, end = http.client.HTTPConnection("127.0.0.1", port, timeout=60), time.monotonic() + SECONDS
    alive, small = [], []
    while time.monotonic() < end:
        alive.append(timed(line, "GET", "/livez"))
        small.append(timed(line, "POST", "/compact?policy=default", SMALL))
        time.sleep(0.002)
    return tuple(sorted(found)[int(len(found) * 0.99)] * 1000 for found in (alive, small))  # type: ignore[return-value]  # there are two


def figures() -> Iterator[Figure]:
    with Server() as server:
        timed(
            http.client.HTTPConnection("127.0.0.1", server.port, timeout=60), "POST", "/compact?policy=default", big()
        )
        _, idle = waits(server.port)
        callers = [
            multiprocessing.Process(target=post, args=(server.port, SECONDS + 3), daemon=True) for _ in range(CALLERS)
        ]
        for caller in callers:
            caller.start()
        time.sleep(2)
        alive, small = waits(server.port)
        for caller in callers:
            caller.join()
    what = "with four callers posting 8 MB, p99 of"
    yield Figure(f"{what} /livez, beside 25 ms", f"{alive:.1f} ms", "25 ms", alive / 25, "<= 1")
    yield Figure(
        f"{what} a 1 KB /compact, beside its idle p99", f"{small:.1f} ms", f"{idle:.1f} ms", small / idle, "<= 3"
    )
