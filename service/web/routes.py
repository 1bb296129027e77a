"""The four endpoints: the only place where aiohttp and the actions meet."""

import time
from collections.abc import Awaitable, Mapping
from typing import Protocol, TypeVar

import msgspec
from aiohttp import web

from schemas.api import Answer, Ask
from service.actions import refused
from service.core.payload import Payload
from service.errors import Refusal
from service.telemetry import Telemetry
from service.web.body import refuse_to_go_on
from service.web.middleware import FACTS, TENANT, Handler
from service.web.requests import Reader

D = TypeVar("D", contravariant=True)
JSON = {"Content-Type": "application/json"}  # as a header: half the price of aiohttp's argument for it
_encode = msgspec.json.Encoder().encode


class Action(Protocol[D]):
    """What an endpoint does: a function of service.actions."""

    def __call__(
        self, deps: D, ask: Ask, tenant: str, payload: Payload | None, notes: tuple[str, ...]
    ) -> Awaitable[Answer]:
        """The answer to one request."""
        ...


def endpoint(path: str, action: Action[D], deps: D, read: Reader, telemetry: Telemetry) -> Handler:
    """A handler: request in, action, answer out, counted by what it says of itself."""

    async def handle(request: web.Request) -> web.StreamResponse:
        began = time.perf_counter()
        try:
            received = await read(request, path)
            answer = await action(deps, received.ask, request[TENANT], received.payload, received.notes)
        except Refusal as refusal:
            if not refusal.in_result:
                raise
            answer = refused(refusal, "claude")
        body = _encode(answer)
        request[FACTS] = telemetry.record(path, answer.meta, len(body), time.perf_counter() - began)
        return web.Response(body=body, headers=JSON)

    return handle


def add(
    app: web.Application, actions: Mapping[str, Action[D]], deps: D, read: Reader, telemetry: Telemetry
) -> dict[str, Handler]:
    """Adds the endpoints to an application; the handlers by path."""
    handlers = {path: endpoint(path, action, deps, read, telemetry) for path, action in actions.items()}
    for path, handler in handlers.items():
        app.router.add_post(path, handler, expect_handler=refuse_to_go_on)
    return handlers
