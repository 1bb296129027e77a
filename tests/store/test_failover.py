"""Redis gone: snapshots stay here, move over when it is back, and nothing is lost on the way."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable

import pytest

from service.store import StoreDown, StoreFull, Window
from service.store.connect import connect
from service.store.failover import Failover
from service.store.memory import MemoryStore
from service.store.redis import RedisStore
from tests.redis_server import RedisServer

WHOLE = [Window("payload")]


@pytest.fixture
async def store(own_redis: RedisServer) -> AsyncIterator[Failover]:
    """A failover over a Redis of its own that looks often."""
    opened = Failover(RedisStore(connect(own_redis.url)), MemoryStore(1 << 20), look_seconds=0.05)
    yield opened
    await opened.close()


async def _until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 8
    while not holds():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.02)


async def test_new_groups_stay_here_while_redis_is_gone(store: Failover, own_redis: RedisServer) -> None:
    assert await store.save("before", {"payload": b"there"}, 60) is False
    own_redis.kill()
    assert await store.save("during", {"payload": b"here"}, 60) is True
    assert await store.windows("during", WHOLE, 60) == [b"here"]
    with pytest.raises(StoreDown):
        await store.windows("before", WHOLE, 60)
    with pytest.raises(StoreDown):
        await store.alive()


async def test_what_stayed_here_moves_over(store: Failover, own_redis: RedisServer) -> None:
    own_redis.freeze()
    assert await store.save("g", {"payload": b"p"}, 60) is True
    assert await store.save("g", {"view": b"v"}, 60) is True
    own_redis.thaw()
    await _until(lambda: len(store.local) == 0)
    wanted = [*WHOLE, Window("view")]
    assert await store.primary.windows("g", wanted, None) == [b"p", b"v"]
    assert await store.windows("g", wanted, 60) == [b"p", b"v"]
    assert await store.save("h", {"payload": b"p"}, 60) is False
    assert 50_000 < int(own_redis.say("PTTL dcn:{g}:payload:0")[1:]) <= 60_000


async def test_a_view_here_and_its_payload_there_make_one_group(store: Failover, own_redis: RedisServer) -> None:
    await store.save("g", {"payload": b"p"}, 60)
    own_redis.freeze()
    assert await store.save("g", {"view": b"v"}, 60) is True
    with pytest.raises(StoreDown):
        await store.windows("g", [*WHOLE, Window("view")], 60)
    own_redis.thaw()
    await _until(lambda: len(store.local) == 0)
    assert await store.windows("g", [Window("view"), *WHOLE], 60) == [b"v", b"p"]


async def test_a_full_redis_is_the_callers_to_know(store: Failover, own_redis: RedisServer) -> None:
    await store.alive()
    own_redis.say("CONFIG SET maxmemory 1mb")
    with pytest.raises(StoreFull):
        await store.save("g", {"payload": b"p" * 600_000}, 60)
    assert len(store.local) == 0


async def test_what_is_too_large_to_stay_here_is_full_too(store: Failover, own_redis: RedisServer) -> None:
    own_redis.kill()
    with pytest.raises(StoreFull):
        await store.save("g", {"payload": b"p" * (2 << 20)}, 60)


async def test_closing_moves_what_it_can(own_redis: RedisServer) -> None:
    store = Failover(RedisStore(connect(own_redis.url)), MemoryStore(1 << 20), look_seconds=60)
    own_redis.freeze()
    await store.save("g", {"payload": b"p"}, 60)
    own_redis.thaw()
    await asyncio.sleep(0.6)
    await store.close()
    assert own_redis.say("EXISTS dcn:{g}:index") == b":1\r\n"


async def test_closing_does_not_wait_for_what_is_gone(own_redis: RedisServer) -> None:
    store = Failover(RedisStore(connect(own_redis.url)), MemoryStore(1 << 20))
    own_redis.freeze()
    for number in range(50):
        await store.save(str(number), {"payload": b"p"}, 60)
    began = time.perf_counter()
    await store.close()
    assert time.perf_counter() - began < 1.5
