"""The one layer around every request: id, span, gate, drain, problems, count, log; in this order, paid for once.

It surrounds the whole aiohttp application, not its handlers: what the router refuses passes through here too, and a
request pays for one more coroutine instead of aiohttp's chain of middlewares.
"""

import logging
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from service.errors import Refusal, ShuttingDown
from service.telemetry import OTHER, Telemetry
from service.web import problems
from service.web.gate import ANONYMOUS, Gate

log = logging.getLogger("decant.web")
TENANT = web.RequestKey("tenant", str)
FACTS = web.RequestKey("facts", dict)
REQUEST_ID = web.RequestKey("request_id", str)
_SANE = re.compile(r"[A-Za-z0-9._:/+=@-]{1,128}")
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
PROBES = frozenset({"/livez", "/readyz"})
ROUTES = PROBES | {"/compact", "/paginate", "/chunk", "/more", "/health", "/policies", "/openapi.json"}


@dataclass(slots=True)
class Draining:
    """Whether the process is on its way out: `begun` at SIGTERM, `closed` when balancers had time to look away."""

    begun: bool = False
    closed: bool = False


@dataclass(slots=True)
class Ids:
    """Request ids that are unique without asking the system for chance every time."""

    prefix: str
    count: int = 0

    def __call__(self, given: str | None) -> str:
        """The caller's id when it is sane, else a new one."""
        if given and _SANE.fullmatch(given):
            return given
        self.count += 1
        return f"{self.prefix}-{self.count:x}"


@dataclass(frozen=True, slots=True)
class Shell:
    """What surrounds every handler."""

    gate: Gate
    telemetry: Telemetry
    emit: Callable[[str, dict[str, Any]], None]
    draining: Draining
    ids: Ids
    direct: dict[str, Handler] = field(default_factory=dict)  # POST handlers that need no router to be found

    def around(self, handler: Handler) -> Handler:
        """The same handler, surrounded."""
        telemetry, draining, direct = self.telemetry, self.draining, self.direct

        async def serve(request: web.Request) -> web.StreamResponse:
            began, raw, method = time.perf_counter(), request.raw_path, request.method
            route = raw if raw in ROUTES else route_of(request.path)
            request[REQUEST_ID] = request_id = self.ids(request.headers.get("X-Request-Id"))
            span = telemetry.sink.span(method, route, request.headers)
            telemetry.active += 1
            status = 499  # the caller hung up
            try:
                try:
                    request[TENANT] = self.gate(request, route)
                    if draining.closed and route not in PROBES:
                        raise ShuttingDown("The service is shutting down.", retry_after=1)
                    found = direct.get(route) if method == "POST" else None
                    response = await (found or handler)(request)
                except Exception as error:
                    response = self.failure(request, error, route, request_id)
                status = response.status
                response.headers["X-Request-Id"] = request_id
                response.headers["Server"] = "decant"  # and not which versions of what
                if span.header:
                    response.headers["traceparent"] = span.header
                if draining.begun:
                    response.force_close()
                return response
            finally:
                telemetry.active -= 1
                seconds = time.perf_counter() - began
                facts = request.get(FACTS, NOTHING)
                telemetry.sink.duration(method, route, status, seconds)
                span.end(route, status, facts)
                self.log(request, route, status, seconds, facts, span.trace_id)

        return serve

    def failure(self, request: web.Request, error: Exception, route: str, request_id: str) -> web.StreamResponse:
        """The problem that says why there is no answer; what nobody foresaw is a defect."""
        if isinstance(error, Refusal) and error.code != "internal":
            return self.refused(request, problems.problem(error, request_id), route, error.code)
        if isinstance(error, web.HTTPException):
            response = problems.of_http(error, request.path, request_id)
            return self.refused(request, response, route, HTTP_CODES.get(response.status, "request_invalid"))
        return self.defect(request, error, route, request_id)

    def refused(self, request: web.Request, response: web.Response, route: str, code: str) -> web.Response:
        """Counts a refusal; a body nobody read is not waited for."""
        self.telemetry.failed(route, code, response.status)
        request[FACTS] = {"code": code}
        if not request.content.is_eof():
            response.force_close()
        return response

    def defect(self, request: web.Request, error: Exception, route: str, request_id: str) -> web.Response:
        """A 500: the log gets the places, the caller the request id."""
        log.error("defect", exc_info=error, extra={"facts": {"requestId": request_id, "route": route}})
        return self.refused(request, problems.internal(request_id), route, "internal")

    def log(
        self, request: web.Request, route: str, status: int, seconds: float, facts: Mapping[str, Any], trace: str
    ) -> None:
        """One line: who asked for what, how it went; probes at DEBUG."""
        level = "WARNING" if status >= 400 else "DEBUG" if route in PROBES else "INFO"
        line = {
            "requestId": request[REQUEST_ID],
            "method": request.method,
            "route": route,
            "status": status,
            "ms": int(seconds * 1e6) / 1000,
            "tenant": request.get(TENANT, ANONYMOUS),
            **facts,
        }
        if trace:
            line["traceId"] = trace
        self.emit(level, line)
        if facts.get("slow"):
            told = {name: line[name] for name in ("requestId", "route", "ms", "policy", "originalTokens")}
            self.emit("WARNING", {"message": "slow", **told})


HTTP_CODES = {404: "not_found", 405: "method_not_allowed", 413: "payload_too_large", 500: "internal"}
NOTHING: Mapping[str, Any] = {}


def route_of(path: str) -> str:
    """The route's pattern: what a caller writes into a URL is no label."""
    if path in ROUTES:
        return path
    return "/policies/{name}" if path.startswith("/policies/") else OTHER
