"""Serving: one listening socket, a cap on connections, problems for what is no HTTP, a drain that loses nothing."""

import asyncio
import ctypes
import gc
import logging
import os
import signal
import socket
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from aiohttp import web
from aiohttp.web_protocol import RequestHandler

from service.errors import Busy, RequestInvalid
from service.telemetry import Telemetry
from service.web import problems
from service.web.middleware import Shell

log = logging.getLogger("decant.server")
LOOK = 0.01
PARENT_SECONDS = 2.0
STRAGGLERS = 2.0  # seconds for what is still running when the time to finish is over
MAPPED = 1 << 20  # bytes; what is larger is memory of its own
KEPT = 8 << 20  # free bytes that are not given back: to get them again costs more than to read into them
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # their numbers in malloc.h
LINGER = 3.0  # seconds that an unread body is read and thrown away, so that its sender sees the refusal


@dataclass(frozen=True, slots=True)
class Serving:
    """How connections are treated."""

    keepalive: float = 75.0
    max_connections: int = 1000
    drain: float = 1.5
    finish: float = 25.0  # seconds that running requests may take after the drain
    supervised: bool = False  # one of several workers: ends when its supervisor is gone


class Door(RequestHandler):
    """A connection: refused beyond the cap, and with a problem where aiohttp would answer in plain text."""

    __slots__ = ("cap",)
    cap: int

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Takes a connection, or answers 503 and hangs up."""
        if self._manager is not None and len(self._manager.connections) >= self.cap:
            self._force_close = True
            transport.write(_full(self.cap))  # type: ignore[attr-defined]  # a server's transport is a stream
            transport.close()
            return
        super().connection_made(transport)

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """What aiohttp found before any handler did: bad framing, headers that are too long."""
        request_id = os.urandom(8).hex()
        if status >= 500:
            log.error("defect outside of a handler", exc_info=exc, extra={"facts": {"requestId": request_id}})
            response = problems.internal(request_id)
        else:
            log.warning("not HTTP", extra={"facts": {"requestId": request_id, "status": status}})
            refusal = RequestInvalid(f"This is not HTTP as it should be: {(message or 'bad request')[:200]}")
            response = problems.problem(refusal, request_id)
        response.headers["X-Request-Id"] = request_id
        response.headers["Server"] = "decant"
        response.force_close()
        return response


def _full(cap: int) -> bytes:
    refusal = Busy(f"There are {cap} connections, the limit.", "Raise DECANT_MAX_CONNECTIONS.", retry_after=1)
    body = problems.problem(refusal, os.urandom(8).hex()).body
    content = body if isinstance(body, bytes) else b""
    head = (
        f"HTTP/1.1 503 Service Unavailable\r\nContent-Type: {problems.MEDIA_TYPE}\r\n"
        f"Content-Length: {len(content)}\r\nRetry-After: 1\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + content


def bound(host: str, port: int, *, shared: bool = False) -> socket.socket:
    """A socket bound to an address; `shared` ones may be bound by several processes."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    if host != "localhost" and not host.replace(".", "").isdigit() and family == socket.AF_INET:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
    sock = socket.socket(family, socket.SOCK_STREAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if shared:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    sock.bind((host, port))
    return sock


async def listen(
    app: web.Application, shell: Shell, sock: socket.socket, serving: Serving
) -> tuple[web.AppRunner, asyncio.Server]:
    """Starts to answer on a bound socket, everything surrounded by the shell."""
    options: dict[str, Any] = {
        "keepalive_timeout": serving.keepalive,
        "lingering_time": LINGER,
        "auto_decompress": False,
        "access_log": None,
    }
    runner = web.AppRunner(app, shutdown_timeout=STRAGGLERS / 2, **options)  # aiohttp waits for it twice
    await runner.setup()
    loop, server = asyncio.get_running_loop(), runner.server
    if server is None:
        raise RuntimeError("the application did not start")
    whole: Any = shell.around(server.request_handler)
    server.request_handler = whole

    def door() -> Door:
        made = Door(server, loop=loop, **options)
        made.cap = serving.max_connections
        return made

    return runner, await loop.create_server(door, sock=sock, backlog=1024)


def keep_large_apart() -> None:
    """Has large memory mapped: it is not written before it is used, and goes back to the system when it is let go."""
    with suppress(OSError, AttributeError):  # another C library than glibc does as it likes
        library = ctypes.CDLL(None)
        library.mallopt(_MMAP_THRESHOLD, MAPPED)
        library.mallopt(_TRIM_THRESHOLD, KEPT)


async def run(app: web.Application, shell: Shell, sock: socket.socket, serving: Serving) -> None:
    """Serves until SIGTERM or SIGINT, then drains: not ready, close connections, close the port, finish, clean up."""
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)
    if serving.supervised:
        _stop_with_parent(os.getppid(), stopped)
    keep_large_apart()
    gc.freeze()  # what was made at the start stays: no collection needs to look at it again
    runner, server = await listen(app, shell, sock, serving)
    host, port = sock.getsockname()[:2]
    log.info("listening", extra={"facts": {"host": host, "port": port}})
    try:
        await stopped.wait()
        shell.draining.begun = True
        log.info("draining", extra={"facts": {"seconds": serving.drain}})
        await asyncio.sleep(serving.drain)
        shell.draining.closed = True
        server.close()
        await _finished(shell.telemetry, serving.finish)
    finally:
        server.close()
        await runner.cleanup()
    log.info("stopped")


async def _finished(telemetry: Telemetry, seconds: float) -> None:
    # aiohttp stops reading from every connection as soon as it cleans up: a body on its way would never arrive.
    for _ in range(int(seconds / LOOK)):
        if not telemetry.active:
            return
        await asyncio.sleep(LOOK)


def _stop_with_parent(parent: int, stopped: asyncio.Event) -> None:
    # A worker whose supervisor was killed would hold the port forever.
    if os.getppid() != parent and parent != 1:
        stopped.set()
    else:
        asyncio.get_running_loop().call_later(PARENT_SECONDS, _stop_with_parent, parent, stopped)
