"""Reading a request: which of the two ways it was sent, its options as an Ask, its payload as bytes of a known form."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec
from aiohttp import web

from schemas.api import Ask
from service.core.payload import Payload
from service.errors import RequestInvalid, UnsupportedMediaType
from service.web import options, payloads
from service.web.body import Limits, arrived, read_body
from service.web.depth import PIECE, looking
from service.web.payloads import Received

LARGE = 256 * 1024  # bytes; to look through more takes longer than a small request may wait
APART = frozenset({"/compact", "/chunk"})  # their work on much is done elsewhere, and so is the look at it
REFUSED = ("multipart/", "image/", "audio/", "video/")
Run = Callable[..., Awaitable[Any]]  # takes the size of what the work is on, a function, its arguments


async def here(_size: int, work: Callable[..., Any], *args: Any) -> Any:
    """The result of work that is done here, whatever its size."""
    return work(*args)


@dataclass(frozen=True, slots=True)
class Reader:
    """How requests are read: the limits, the largest page for the text of an error, and where large ones are read."""

    limits: Limits
    max_page_size: options.Maximum
    run: Run = here
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def __call__(self, request: web.Request, endpoint: str) -> Received:
        """The request, read; everything that is wrong with it is a Refusal."""
        kind, charset, json = payloads.media_type(request.headers.get("Content-Type", ""))
        if json and ("?" not in request.raw_path or not request.query_string):
            data = arrived(request, self.limits)
            data = await read_body(request, self.limits) if data is None else data
            return await self.request_object(data, charset, endpoint)
        if kind.startswith(REFUSED):
            raise UnsupportedMediaType(
                f"{kind[:60]} is not read.", "Send JSON or text; put a file's own content into the body."
            )
        ask = options.from_query(request.query, endpoint, self.max_page_size)
        return await self.raw_body(await read_body(request, self.limits), endpoint, ask, kind, charset)

    async def request_object(self, data: bytes, charset: str | None, endpoint: str) -> Received:
        """Options and payload side by side in one JSON object."""
        if len(data) > LARGE and endpoint in APART:
            work, depth = payloads.object_apart, self.limits.depth
            received: Received | None = await self.run(len(data), work, data, charset, endpoint, depth)
            if received is not None:
                return received
        data = payloads.utf8(data, charset, "")
        if len(data) > PIECE:
            await self.refuse_deep(data, 1)
        else:
            payloads.refuse_deep(data, self.limits.depth, 1)
        return payloads.request_object(data, endpoint, self.max_page_size)

    async def raw_body(self, data: bytes, endpoint: str, ask: Ask, kind: str, charset: str | None) -> Received:
        """Options in the URL, the body is the payload."""
        if ask.cursor is not msgspec.UNSET or endpoint == "/more":
            if data:
                raise RequestInvalid(
                    "Exactly one of payload, text, cursor is needed; got a cursor and a body.",
                    "Send the cursor with an empty body.",
                )
            options.exactly_one(ask, endpoint)
            return Received(ask, None)
        if not data and not kind.startswith("text/") and ask == Ask():
            options.exactly_one(ask, endpoint)
        if len(data) > LARGE and endpoint in APART:
            work, depth = payloads.body_apart, self.limits.depth
            judged: payloads.Judged | None = await self.run(len(data), work, data, kind, charset, ask, depth)
            if judged is not None:
                known = judged.payload
                return Received(ask, Payload(known.data or data, known.form, known.content_type), judged.notes)
        payload, notes = payloads.raw_body(data, kind, charset, ask)
        if payload.form == "json":
            await self.refuse_deep(payload.data)
        return Received(ask, payload, notes)

    async def refuse_deep(self, data: bytes, more: int = 0) -> None:
        """Refuses long JSON that is nested deeper than the limit, and lets others have a turn on the way."""
        limit = self.limits.depth
        async with self.turn:  # one piece of one body at a time, however many bodies there are
            for passed in looking(data, limit + more):
                if passed:
                    raise payloads.too_deep(limit)
                await asyncio.sleep(0)
