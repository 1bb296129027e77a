"""A service front with a small real action behind it: it tells what reached it."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import msgspec
from aiohttp import ClientSession, web

from schemas.api import Answer, Ask, Meta
from schemas.policy import Policy
from service.core.payload import Payload
from service.errors import LimitExceedsMaximum
from service.telemetry import Telemetry
from service.web import routes
from service.web.body import Limits
from service.web.gate import Gate
from service.web.middleware import Draining, Ids, Shell
from service.web.ops import Ops
from service.web.requests import Reader
from service.web.server import Serving, bound, listen


@dataclass
class Book:
    """Policies as the operational endpoints see them."""

    version: str = "abc"
    valid: bool = True
    loaded_at: str = "2026-01-01T00:00:00Z"
    last_error: str | None = None
    known: dict[str, Policy] = field(default_factory=lambda: {"default": Policy()})

    def effective(self) -> Mapping[str, Policy]:
        return self.known


def max_page_size(policy: str) -> int:
    """The largest page of a policy."""
    return 100 if policy == "small" else 200


def meta(**changes: Any) -> Meta:
    """What an answer says of itself, unless a test says otherwise."""
    values: dict[str, Any] = {
        "kind": "full",
        "policy": "default",
        "format": "json",
        "content_type": "json",
        "complete": True,
        "original_tokens": 100,
        "estimated_tokens": 40,
        "budget": 4000,
        "budget_used": 0.01,
        "budget_remaining": 3960,
        "tokenizer": "claude",
    }
    return Meta(**{**values, **changes})


def plain(value: Any) -> bool:
    """Whether a test can read it in JSON."""
    return value is not msgspec.UNSET and not isinstance(value, msgspec.Raw)


async def tell(deps: dict[str, Any], ask: Ask, tenant: str, payload: Payload | None, notes: tuple[str, ...]) -> Answer:
    """Answers with what it got; `query` makes it fail in the ways an action can."""
    if ask.query == "defect":
        raise RuntimeError("this text quotes a payload")
    if ask.query == "limit":
        raise LimitExceedsMaximum("limit is 201; the maximum is 200.", limit=200)
    got = {
        "ask": {name: value for name, value in msgspec.structs.asdict(ask).items() if plain(value)},
        "tenant": tenant,
        "data": payload and payload.data.decode(),
        "form": payload and payload.form,
        "type": payload and payload.content_type,
    }
    said = meta(notes=list(notes) or msgspec.UNSET, **deps)
    return Answer(data=msgspec.Raw(msgspec.json.encode(got)), meta=said)


@dataclass
class Shop:
    """A running front."""

    url: str
    session: ClientSession
    lines: list[tuple[str, dict[str, Any]]]
    telemetry: Telemetry
    draining: Draining
    book: Book
    deps: dict[str, Any]

    async def post(self, path: str, **options: Any) -> tuple[int, dict[str, Any]]:
        """Status and body of a POST."""
        async with self.session.post(self.url + path, **options) as response:
            return response.status, await response.json(content_type=None)

    async def get(self, path: str, **options: Any) -> tuple[int, dict[str, Any]]:
        """Status and body of a GET."""
        async with self.session.get(self.url + path, **options) as response:
            return response.status, await response.json(content_type=None)


@asynccontextmanager
async def opened(
    limits: Limits | None = None,
    gate: Gate | None = None,
    serving: Serving | None = None,
    ping: Callable[[], Any] | None = None,
) -> AsyncIterator[Shop]:
    """A front on a free port."""
    book, draining, lines, deps = Book(), Draining(), list[tuple[str, dict[str, Any]]](), dict[str, Any]()
    telemetry = Telemetry()
    shell = Shell(gate or Gate(None), telemetry, lambda *line: lines.append(line), draining, Ids("test"))
    app = web.Application()
    actions = dict.fromkeys(("/compact", "/paginate", "/chunk", "/more"), tell)
    shell.direct.update(routes.add(app, actions, deps, Reader(limits or Limits(), max_page_size), telemetry))
    Ops(book, telemetry, draining, ping, "1.2.3", lambda: b"{}").add(app)
    sock = bound("127.0.0.1", 0)
    runner, server = await listen(app, shell, sock, serving or Serving())
    try:
        async with ClientSession(auto_decompress=True) as session:
            url = f"http://127.0.0.1:{sock.getsockname()[1]}"
            yield Shop(url, session, lines, telemetry, draining, book, deps)
    finally:
        server.close()
        await runner.cleanup()
