"""Bodies: how long, how slow, how compressed, and that nobody reads one before the caller is known."""

import asyncio
import gzip
import tracemalloc
import zlib
from collections.abc import AsyncIterator
from io import BytesIO
from pathlib import Path

import pytest

from service.errors import PayloadMalformed, PayloadTooLargeDecompressed
from service.web.body import Limits, inflate
from service.web.gate import Gate
from tests.web.shop import Shop, opened

TEXT = {"Content-Type": "text/plain"}
SOURCE = Path(__file__).read_bytes()
PLAIN = b"some words " * 100


async def send(shop: Shop, *parts: bytes) -> bytes:
    """Everything the service answers to raw bytes."""
    host, port = shop.url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    for part in parts:
        writer.write(part)
        await writer.drain()
    try:
        return await asyncio.wait_for(reader.read(), 10)
    finally:
        writer.close()


@pytest.mark.parametrize(
    ("coding", "body"),
    [
        ("gzip", gzip.compress(PLAIN, mtime=0)),
        ("x-gzip", gzip.compress(PLAIN[:500], mtime=0) + gzip.compress(PLAIN[500:], mtime=0)),
        ("deflate", zlib.compress(PLAIN)),
        ("deflate", zlib.compress(PLAIN, wbits=-15)),
        ("identity", PLAIN),
        ("GZIP", gzip.compress(PLAIN, mtime=0)),
    ],
    ids=["gzip", "two members", "zlib", "raw", "identity", "upper case"],
)
async def test_compressed_bodies_are_read(shop: Shop, coding: str, body: bytes) -> None:
    status, answer = await shop.post("/chunk", data=body, headers={**TEXT, "Content-Encoding": coding})
    assert status == 200, answer
    assert answer["data"]["data"] == PLAIN.decode()


async def test_a_big_compressed_body_is_read(shop: Shop) -> None:
    text = SOURCE * 400
    body = gzip.compress(text, 1)
    status, answer = await shop.post("/chunk", data=body, headers={**TEXT, "Content-Encoding": "gzip"})
    assert (status, answer["data"]["data"]) == (200, text.decode())


@pytest.mark.parametrize("coding", ["br", "zstd", "gzip, gzip", "nonsense"])
async def test_other_encodings_are_refused(shop: Shop, coding: str) -> None:
    status, answer = await shop.post("/chunk", data=b"x", headers={**TEXT, "Content-Encoding": coding})
    assert (status, answer["code"]) == (415, "unsupported_encoding")


PACKED = gzip.compress(PLAIN, mtime=0)


@pytest.mark.parametrize(
    "body", [PACKED[:-9], PACKED[:5], b"no gzip at all", b""], ids=["cut", "head", "none", "empty"]
)
async def test_a_damaged_stream_is_a_400(shop: Shop, body: bytes) -> None:
    status, answer = await shop.post("/chunk", data=body, headers={**TEXT, "Content-Encoding": "gzip"})
    assert (status, answer["code"]) == (400, "payload_malformed")


async def test_a_bomb_is_a_413() -> None:
    bomb = gzip.compress(bytes(3 << 20))
    async with opened(Limits(inflated=1 << 20)) as shop:
        status, answer = await shop.post("/chunk", data=bomb, headers={**TEXT, "Content-Encoding": "gzip"})
    assert (status, answer["code"], answer["limit"]) == (413, "payload_too_large_decompressed", 1 << 20)
    assert "DECANT_MAX_INFLATED" in answer["hint"]


def test_a_bomb_stays_within_its_limit_in_memory() -> None:
    bomb = gzip.compress(bytes(256 << 20), 9)
    tracemalloc.start()
    with pytest.raises(PayloadTooLargeDecompressed):
        inflate(bomb, 31, 16 << 20)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 24 << 20


def test_many_members_count_together() -> None:
    with pytest.raises(PayloadTooLargeDecompressed):
        inflate(gzip.compress(bytes(1000)) * 20, 31, 10_000)
    assert inflate(gzip.compress(bytes(1000)) * 10, 31, 10_000) == bytes(10_000)
    with pytest.raises(PayloadMalformed):
        inflate(gzip.compress(bytes(10)) + b"rubbish", 31, 10_000)


async def test_a_long_body_is_refused_by_its_length_before_it_is_sent() -> None:
    async with opened(Limits(body=1000)) as shop:
        head = b"POST /chunk HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 99999999999\r\n"
        answer = await send(shop, head + b"Connection: close\r\n\r\n", b"x")
    assert b" 413 " in answer
    assert b"99999999999 bytes; the limit is 1000" in answer


async def test_a_chunked_body_is_bounded() -> None:
    async with opened(Limits(body=1000)) as shop:
        status, answer = await shop.post("/chunk", data=pieces(2000), headers=TEXT)
        assert (status, answer["code"], answer["limit"]) == (413, "payload_too_large", 1000)
        status, answer = await shop.post("/chunk", data=pieces(1000), headers=TEXT)
        assert status == 200


async def pieces(total: int):  # type: ignore[no-untyped-def]  # aiohttp takes any async iterator
    for _ in range(total // 100):
        yield b"y" * 100


@pytest.mark.parametrize("size", [1, 60_000, 3_000_000])
async def test_a_body_arrives_as_it_was_sent_with_its_length_or_without(shop: Shop, size: int) -> None:
    text = (f"{size} of these. " * (size // 10 + 1))[:size]

    async def unmeasured() -> AsyncIterator[bytes]:
        for start in range(0, size, 70_000):
            yield text[start : start + 70_000].encode()

    for body in (BytesIO(text.encode()), unmeasured()):
        status, answer = await shop.post("/chunk", data=body, headers=TEXT)
        assert (status, answer["data"]["data"]) == (200, text)


async def test_a_stalled_body_is_given_up() -> None:
    async with opened(Limits(timeout=0.2)) as shop:
        head = b"POST /chunk HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 50\r\n\r\n"
        answer = await asyncio.wait_for(send(shop, head + b"half"), 8)
    assert b" 400 " in answer
    assert b"within 0.2 s" in answer
    assert b"Connection: close" in answer


async def test_nobody_reads_a_body_before_the_caller_is_known() -> None:
    async with opened(gate=Gate(dict)) as shop:
        head = b"POST /chunk HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50000000\r\nExpect: 100-continue\r\n\r\n"
        answer = await send(shop, head)
    assert answer.startswith(b"HTTP/1.1 401 ")


async def test_a_known_caller_is_told_to_go_on(shop: Shop) -> None:
    head = b"POST /chunk HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n"
    answer = await send(shop, head + b"Expect: 100-continue\r\nConnection: close\r\n\r\n", b"hello")
    assert b"200 OK" in answer
    async with shop.session.post(shop.url + "/chunk", data=b"hello", headers=TEXT, expect100=True) as response:
        assert response.status == 200
