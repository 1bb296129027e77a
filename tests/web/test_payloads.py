"""What is large is looked at in another process: with the same outcome as here, and never more than once in memory."""

import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from schemas.api import Ask
from service.core.payload import Payload
from service.errors import PayloadTooDeep
from service.web import payloads
from service.web.body import Limits
from service.web.requests import LARGE, Reader
from tests.web.shop import max_page_size

ROWS = json.dumps([{"id": number, "name": f"ähm {number}"} for number in range(12_000)], ensure_ascii=False).encode()
DEEP = b"[" * 600 + b"1" + b"]" * 600


def deep(size: int = LARGE) -> bytes:
    return b"[" + DEEP + b",1" * size + b"]"


class Elsewhere:
    """Runs what it is given, and remembers how much that was about."""

    def __init__(self) -> None:
        self.sizes: list[int] = []

    async def __call__(self, size: int, work: Callable[..., Any], *args: Any) -> Any:
        self.sizes.append(size)
        return work(*args)


@pytest.mark.parametrize("endpoint", ["/compact", "/chunk", "/paginate"])
@pytest.mark.parametrize(
    ("body", "kind", "charset", "ask"),
    [
        (ROWS, "application/json", None, Ask()),
        (ROWS, "", None, Ask()),
        (ROWS, "text/csv", None, Ask()),
        (ROWS.decode().encode("latin-1"), "text/plain", "latin-1", Ask()),
        (b'{"payload":' + ROWS + b"}", "application/json", None, Ask(path="payload")),
        (b"[NaN," + ROWS + b"]", "application/json", None, Ask()),
        (b"\xef\xbb\xbf" + ROWS, "application/json", None, Ask()),
        (deep(), "text/plain", None, Ask()),
    ],
)
async def test_a_large_body_is_the_same_elsewhere(
    endpoint: str, body: bytes, kind: str, charset: str | None, ask: Ask
) -> None:
    elsewhere = Elsewhere()
    read = Reader(Limits(), max_page_size, elsewhere)
    received = await read.raw_body(body, endpoint, ask, kind, charset)
    assert (received.payload, received.notes) == payloads.raw_body(body, kind, charset, ask)
    assert elsewhere.sizes == ([] if endpoint == "/paginate" else [len(body)])


@pytest.mark.parametrize(
    "body",
    [
        b'{"policy": "x", "payload": ' + ROWS + b"}",
        b'{"budget": 100, "text": ' + json.dumps("word " * 90_000).encode() + b"}",
        b'{"payload": ' + json.dumps("a\nb " * 90_000).encode() + b"}",
        b'{"payload": [NaN, ' + ROWS + b"]}",
    ],
)
async def test_a_large_request_object_is_the_same_elsewhere(body: bytes) -> None:
    elsewhere = Elsewhere()
    received = await Reader(Limits(), max_page_size, elsewhere).request_object(body, None, "/compact")
    known = payloads.request_object(body, "/compact", max_page_size)
    assert received[1:] == known[1:]
    assert options(received.ask) == options(known.ask)
    assert not received.ask.text  # not there a second time
    assert (received.ask.text is msgspec.UNSET) == (known.ask.text is msgspec.UNSET)
    assert elsewhere.sizes == [len(body)]


def options(ask: Ask) -> dict[str, Any]:
    return {name: value for name, value in msgspec.structs.asdict(ask).items() if name not in ("payload", "text")}


@pytest.mark.parametrize("endpoint", ["/compact", "/paginate"])
async def test_what_is_wrong_is_said_the_same_way(endpoint: str) -> None:
    read = Reader(Limits(), max_page_size, Elsewhere())
    with pytest.raises(PayloadTooDeep, match="deeper than 500 levels"):
        await read.raw_body(deep(), endpoint, Ask(), "application/json", None)
    with pytest.raises(PayloadTooDeep, match="deeper than 500 levels"):
        await read.request_object(b'{"payload": ' + deep() + b"}", None, endpoint)
    with pytest.raises(Exception, match="at least 64"):
        await read.request_object(b'{"budget": 1, "payload": ' + ROWS + b"}", None, endpoint)
    with pytest.raises(Exception, match="malformed at byte"):
        await read.raw_body(ROWS + b"]", endpoint, Ask(), "application/json", None)


def test_what_went_out_does_not_come_back() -> None:
    judged = payloads.body_apart(ROWS, "", None, Ask(), 500)
    assert judged == (Payload(b"", "json", None), ())
