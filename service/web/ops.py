"""What operators and probes ask: alive, ready, health, policies, the contract itself."""

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import msgspec
from aiohttp import web

from schemas.policy import Policy
from service.errors import PolicyUnknown
from service.telemetry import Telemetry
from service.web.middleware import Draining

_encode = msgspec.json.Encoder().encode
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Book(Protocol):
    """What is asked of the policies."""

    @property
    def valid(self) -> bool:
        """Whether a whole set was ever read."""
        ...

    @property
    def version(self) -> str:
        """A hash of the effective policies."""
        ...

    @property
    def loaded_at(self) -> str:
        """When this set came into force."""
        ...

    @property
    def last_error(self) -> str | None:
        """Why the newest files are not in force, if they are not."""
        ...

    def effective(self) -> Mapping[str, Policy]:
        """Every policy with its effective values."""
        ...


@dataclass(frozen=True, slots=True)
class Ops:
    """The collaborators of the operational endpoints; `ping` measures the store in milliseconds, None without one."""

    book: Book
    telemetry: Telemetry
    draining: Draining
    ping: Callable[[], Awaitable[float]] | None
    version: str
    contract: Callable[[], bytes]

    def add(self, app: web.Application) -> None:
        """Adds the endpoints to an application."""
        for path, handler in (
            ("/livez", self.live),
            ("/readyz", self.ready),
            ("/health", self.health),
            ("/policies", self.policies),
            ("/policies/{name}", self.policy),
            ("/openapi.json", self.openapi),
        ):
            app.router.add_get(path, handler)

    async def live(self, request: web.Request) -> web.Response:
        """200 while the loop turns."""
        return as_json({"status": "alive"})

    async def ready(self, request: web.Request) -> web.Response:
        """200 when requests may come; a store that is down is no reason to send them elsewhere."""
        if self.draining.begun:
            return as_json({"status": "draining"}, 503)
        if not self.book.valid:
            return as_json({"status": "unready", "reason": "no valid policies"}, 503)
        return as_json({"status": "ready"})

    async def health(self, request: web.Request) -> web.Response:
        """Everything a person wants to know at a glance."""
        redis = await self.redis()
        usable = self.book.valid
        well = redis["status"] in ("up", "off") and self.book.last_error is None
        status = "unhealthy" if not usable else "healthy" if well else "degraded"
        body = {
            "status": status,
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "version": self.version,
            "service": "decant",
            "uptimeSeconds": round(self.telemetry.uptime, 3),
            "checks": {"redis": redis},
            "config": {
                "version": self.book.version,
                "loadedAt": self.book.loaded_at,
                "lastError": self.book.last_error,
            },
            "contextProtection": self.telemetry.protection(),
        }
        return as_json(body, 200 if usable else 503)

    async def redis(self) -> dict[str, Any]:
        """How the store is: off (memory), up with its latency, or down."""
        if self.ping is None:
            return {"status": "off", "latencyMs": None}
        try:
            return {"status": "up", "latencyMs": round(await self.ping(), 3)}
        except Exception as error:  # whatever it is, the store is down and the service is not
            return {"status": "down", "latencyMs": None, "error": type(error).__name__}

    async def policies(self, request: web.Request) -> web.Response:
        """Every policy with its effective values."""
        return as_json({"version": self.book.version, "policies": self.book.effective()})

    async def policy(self, request: web.Request) -> web.Response:
        """One policy with its effective values."""
        name, known = request.match_info["name"], self.book.effective()
        if name not in known:
            raise PolicyUnknown(f"There is no policy {name[:80]!r}.", f"There are: {', '.join(sorted(known))}.")
        return as_json(known[name])

    async def openapi(self, request: web.Request) -> web.Response:
        """The contract, as OpenAPI 3.1."""
        return web.Response(body=self.contract(), content_type="application/json")


def as_json(value: Any, status: int = 200) -> web.Response:
    """A JSON response."""
    return web.Response(body=_encode(value), status=status, content_type="application/json")
