"""The whole service beside the least that could answer: requests a second, memory, time until it is ready."""

import gzip
import hashlib
import itertools
import json
import socket
import sys
import threading
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.bench.figures import Figure
from tests.redis_server import free_port
from tests.server import Server

MB = 1 << 20
TOKEN = "bench-token"
CONNECTIONS, ROUNDS, TURNS = 16, 60, 6


class Collector(BaseHTTPRequestHandler):
    """Takes every export and says nothing."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Nothing."""


def request(port: int, first: int) -> bytes:
    """A POST of 1 KB to /compact; another `first` makes another payload."""
    numbers = range(first, first + 16)
    rows = [{"id": number, "state": "open", "title": f"Crash on start number {number}"} for number in numbers]
    body = json.dumps({"policy": "default", "payload": rows}).encode()
    head = f"POST /compact HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {TOKEN}\r\n"
    head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


class Load:
    """Keep-alive connections that all send before any reads, so that the server never waits for the client."""

    def __init__(self, server: Server) -> None:
        self.server, self.spent = server, 0.0
        self.requests = [request(server.port, 1000 + number) for number in range(500)]  # nobody asks the same again
        self.lines = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(CONNECTIONS)]

    def run(self) -> None:
        """One turn; counts the processor time that it costs the server."""
        before = self.server.worked()
        requests = itertools.cycle(self.requests)
        for _ in range(ROUNDS):
            for line in self.lines:
                line.sendall(next(requests))
            for line in self.lines:
                _receive(line)
        self.spent += self.server.worked() - before

    def close(self) -> float:
        """Hang up; requests a second of the server's processor time."""
        for line in self.lines:
            line.close()
        return TURNS * ROUNDS * CONNECTIONS / self.spent


def _receive(line: socket.socket) -> None:
    data = line.recv(65536)
    head, _, body = data.partition(b"\r\n\r\n")
    if not data.startswith(b"HTTP/1.1 200"):
        raise RuntimeError(data[:200].decode("utf-8", "replace"))
    length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
    while len(body) < length:
        body += line.recv(65536)


def throughput() -> Iterator[Figure]:
    collector = ThreadingHTTPServer(("127.0.0.1", 0), Collector)
    threading.Thread(target=collector.serve_forever, daemon=True).start()
    environ = {
        "DECANT_TOKENS": f"bench:{hashlib.sha256(TOKEN.encode()).hexdigest()}",
        "OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{collector.server_port}",
        "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf",
        "OTEL_TRACES_SAMPLER": "parentbased_traceidratio",
        "OTEL_TRACES_SAMPLER_ARG": "0.1",
    }
    for loop, bound in (("asyncio", ">= 0.4"), ("uvloop", "")):  # we take uvloop where it is installed
        yield _beside(environ, loop, bound)
    collector.shutdown()


def _beside(environ: Mapping[str, str], loop: str, bound: str) -> Figure:
    port = free_port()
    bare = Server(program=[sys.executable, "-m", "tests.bench.bare", str(port), loop])
    bare.port = port
    with Server(environ) as server, bare:
        ours, theirs = Load(server), Load(bare)
        for load in (ours, theirs):
            load.run()
            load.spent = 0.0
        for _ in range(TURNS):
            ours.run()
            theirs.run()
        one, two = ours.close(), theirs.close()
    what = "1 KB /compact with auth, metrics and 10 % traces, requests per processor second, beside a bare aiohttp "
    return Figure(f"{what}handler on {loop}", f"{one:.0f}", f"{two:.0f}", one / two, bound)


def resting() -> Iterator[Figure]:
    starts = []
    for _ in range(3):
        with Server() as server:
            starts.append(server.ready_after)
            idle = server.memory()
    yield Figure("ready after start", f"{min(starts):.2f} s", "1 s", min(starts), "<= 1")
    yield Figure("idle memory", f"{idle / MB:.0f} MB", "70 MB", idle / MB / 70, "<= 1")


def upload() -> Iterator[Figure]:
    row = b'{"id":1234567,"state":"open","title":"Crash on start","body":"It never came up again, whatever I did."}'
    body = b"[" + b",".join([row] * (16 * MB // (len(row) + 1) - 1)) + b"]"
    for endpoint, bound in (("/paginate", "<= 5"), ("/compact", "")):  # /compact decodes it, in a second process
        with Server() as server:
            idle = server.memory()
            status, _ = server.ask(f"{endpoint}?policy=default", body)
            grown = server.memory("VmHWM") - idle
        what = f"16 MB to {endpoint} ({status}), peak memory beyond idle, beside the body"
        yield Figure(what, f"{grown / MB:.0f} MB", f"{len(body) / MB:.0f} MB", grown / len(body), bound)


def bomb() -> Iterator[Figure]:
    body = gzip.compress(bytes(1000 * MB), 9)
    with Server() as server:
        idle = server.memory()
        status, _ = server.ask("/compact?policy=default", body, Content_Encoding="gzip", Content_Type="text/plain")
        grown = server.memory("VmHWM") - idle
    what = f"gzip bomb of {len(body) / MB:.0f} MB ({status}), peak memory beyond idle, beside 100 MB"
    yield Figure(what, f"{grown / MB:.0f} MB", "100 MB", grown / MB / 100, "<= 1")


def figures() -> Iterator[Figure]:
    for part in (resting, throughput, upload, bomb):
        yield from part()
