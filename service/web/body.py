"""A request's body as bytes: length first, then a bounded read in bounded time, then a bounded inflate."""

import asyncio
import zlib
from dataclasses import dataclass
from io import BytesIO

from aiohttp import web

from service.errors import (
    PayloadMalformed,
    PayloadTooLarge,
    PayloadTooLargeDecompressed,
    RequestInvalid,
    UnsupportedEncoding,
)

_WINDOWS = {"gzip": 31, "x-gzip": 31, "deflate": 15}
_INLINE = 16 * 1024  # inflates to at most 16 MiB: more goes to a thread, zlib lets go of the interpreter
_PIECE = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """What a body may cost."""

    body: int = 16 << 20
    inflated: int = 64 << 20
    depth: int = 500
    timeout: float = 30.0


def arrived(request: web.Request, limits: Limits) -> bytes | None:
    """The body, when it came with the head and as it is: no timer, no coroutine."""
    content, headers = request.content, request.headers
    if not content.is_eof() or "Content-Encoding" in headers:
        return None
    data = content.read_nowait()
    if len(data) > limits.body:
        raise _too_large(len(data), limits.body)
    return data


async def read_body(request: web.Request, limits: Limits) -> bytes:
    """The body, inflated; every limit has its own refusal."""
    length = request.content_length
    if length is not None and length > limits.body:
        raise _too_large(length, limits.body)
    coding = request.headers.get("Content-Encoding")
    window = _window(coding) if coding else 0
    await _go_on(request)
    data = await _read(request, limits)
    if not window:
        return data
    if len(data) < _INLINE:
        return inflate(data, window, limits.inflated)
    return await asyncio.to_thread(inflate, data, window, limits.inflated)


def _too_large(length: int, limit: int, known: str = "") -> PayloadTooLarge:
    return PayloadTooLarge(
        f"The body has {known}{length} bytes; the limit is {limit}.",
        f"Send less, send it gzipped, or let the operator raise DECANT_MAX_BODY above {limit}.",
        limit=limit,
    )


def _window(coding: str) -> int:
    coding = coding.strip().lower()
    if coding == "identity":
        return 0
    if coding not in _WINDOWS:
        raise UnsupportedEncoding(
            f"Content-Encoding {coding[:40]!r} is not read.", "Send the body as it is, or with gzip or deflate."
        )
    return _WINDOWS[coding]


async def refuse_to_go_on(request: web.Request) -> None:
    """The expect handler of every route: nobody is told to send a body before the caller is known."""


async def _go_on(request: web.Request) -> None:
    if request.headers.get("Expect", "").lower() == "100-continue" and not request.content.is_eof():
        await request.writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        request.writer.output_size = 0


async def _read(request: web.Request, limits: Limits) -> bytes:
    try:
        async with asyncio.timeout(limits.timeout):
            return await _collect(request, limits.body)
    except TimeoutError:
        raise RequestInvalid(
            f"The body did not arrive within {limits.timeout:g} s.",
            "Send it faster, or let the operator raise DECANT_BODY_TIMEOUT.",
        ) from None
    except web.RequestPayloadError as error:
        raise RequestInvalid("The body broke off or its framing is wrong.", "Send the request again.") from error


async def _collect(request: web.Request, limit: int) -> bytes:
    # Its place is there before it comes, untouched: joined at the end, or grown on the way, a long body would be
    # copied while everybody waits, and be in memory twice.
    whole = BytesIO(bytes(request.content_length or 0))
    while part := await request.content.readany():
        if whole.tell() + len(part) > limit:
            raise _too_large(whole.tell() + len(part), limit, "at least ")
        whole.write(part)
    whole.truncate()
    return whole.getvalue()


def inflate(data: bytes, window: int, limit: int) -> bytes:
    """The decompressed bytes, never more than `limit` of them in memory."""
    if window == 15 and data and data[0] & 15 != 8:
        window = -15  # "deflate" without the zlib header, as some clients send it
    parts: list[bytes] = []
    room = limit + 1
    while True:
        decompressor = zlib.decompressobj(window)
        try:
            room = _member(decompressor, data, parts, room)
        except zlib.error as error:
            raise PayloadMalformed("The compressed body is damaged.", "Send it again, or uncompressed.") from error
        if room <= 0:
            raise _too_large_inflated(limit)
        if not decompressor.eof:
            raise PayloadMalformed("The compressed body ends too early.", "Send it again, or uncompressed.")
        data = decompressor.unused_data
        if not data or window != 31:
            return b"".join(parts)


def _member(decompressor: "zlib._Decompress", data: bytes, parts: list[bytes], room: int) -> int:
    while room > 0 and not decompressor.eof:
        part = decompressor.decompress(data, min(_PIECE, room))
        data = decompressor.unconsumed_tail
        if not part and not data:
            break
        parts.append(part)
        room -= len(part)
    return room


def _too_large_inflated(limit: int) -> PayloadTooLargeDecompressed:
    return PayloadTooLargeDecompressed(
        f"The body inflates to more than {limit} bytes, the limit.",
        f"Send less, or let the operator raise DECANT_MAX_INFLATED above {limit}.",
        limit=limit,
    )
