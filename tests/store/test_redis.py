"""Redis as it really fails: killed, frozen, full, and back again."""

import asyncio
import time
from collections.abc import AsyncIterator

import pytest

from service.store import StoreDown, StoreFull, Window
from service.store.connect import connect
from service.store.redis import SEGMENT, RedisStore
from tests.redis_server import RedisServer

SOON = 1.0  # half a second, and room for a busy machine
WHOLE = [Window("payload")]
MEGABYTE = b"\xa7" * (1 << 20)


@pytest.fixture
async def store(own_redis: RedisServer) -> AsyncIterator[RedisStore]:
    """A store over a Redis of its own."""
    opened = RedisStore(connect(own_redis.url))
    yield opened
    await opened.close()


async def _seconds_to_fail(store: RedisStore) -> float:
    began = time.perf_counter()
    with pytest.raises(StoreDown):
        await store.windows("g", WHOLE, 60)
    return time.perf_counter() - began


async def test_a_killed_redis_fails_at_once_and_comes_back(store: RedisStore, own_redis: RedisServer) -> None:
    await store.save("g", {"payload": b"before"}, 60)
    own_redis.kill()
    assert await _seconds_to_fail(store) < 0.3
    assert await _seconds_to_fail(store) < 0.1
    own_redis.start()
    await _recovered(store)
    assert await store.windows("g", WHOLE, 60) == [None]
    await store.save("g", {"payload": b"after"}, 60)
    assert await store.windows("g", WHOLE, 60) == [b"after"]


async def test_a_black_hole_costs_half_a_second_once(store: RedisStore, own_redis: RedisServer) -> None:
    await store.save("g", {"payload": b"still here"}, 60)
    own_redis.freeze()
    assert 0.4 < await _seconds_to_fail(store) < SOON
    assert await _seconds_to_fail(store) < 0.1
    with pytest.raises(StoreDown):
        await store.save("h", {"payload": MEGABYTE * 8}, 60)
    own_redis.thaw()
    await _recovered(store)
    assert await store.windows("g", WHOLE, 60) == [b"still here"]


async def test_a_save_into_a_black_hole_ends_soon(store: RedisStore, own_redis: RedisServer) -> None:
    own_redis.freeze()
    began = time.perf_counter()
    with pytest.raises(StoreDown):
        await store.save("g", {"payload": MEGABYTE * 16}, 60)
    assert time.perf_counter() - began < SOON


async def test_a_stall_of_this_process_is_no_outage(store: RedisStore) -> None:
    await store.save("g", {"payload": b"p"}, 60)
    reads = [asyncio.create_task(store.windows("g", WHOLE, 60)) for _ in range(20)]
    await asyncio.sleep(0)
    time.sleep(0.4)  # noqa: ASYNC251  # the stall
    assert await asyncio.gather(*reads) == [[b"p"]] * 20
    assert store.breaker.closed


async def test_many_at_once_in_a_black_hole_wait_no_longer_than_one(store: RedisStore, own_redis: RedisServer) -> None:
    await store.alive()
    own_redis.freeze()
    began = time.perf_counter()
    failed = await asyncio.gather(*(store.windows("g", WHOLE, 60) for _ in range(100)), return_exceptions=True)
    assert all(isinstance(error, StoreDown) for error in failed)
    assert time.perf_counter() - began < 2 * SOON
    own_redis.thaw()
    assert await _recovered(store) < 2


async def test_a_full_redis_is_full_and_still_reads(store: RedisStore, own_redis: RedisServer) -> None:
    await store.save("g", {"payload": MEGABYTE}, 60)
    own_redis.say("CONFIG SET maxmemory-policy noeviction")
    own_redis.say("CONFIG SET maxmemory 4mb")
    with pytest.raises(StoreFull):
        await store.save("h", {"payload": MEGABYTE * 8}, 60)
    assert own_redis.say("DBSIZE") == b":3\r\n"
    own_redis.say("CONFIG SET maxmemory 1mb")
    with pytest.raises(StoreFull):
        await store.save("h", {"payload": b"small"}, 60)
    assert await store.windows("g", [Window("payload", SEGMENT - 2, SEGMENT + 2)], 60) == [b"\xa7" * 4]
    assert await store.windows("h", WHOLE, 60) == [None]
    assert await store.alive() < 0.25


async def test_a_part_without_all_its_segments_is_not_there(store: RedisStore, own_redis: RedisServer) -> None:
    await store.save("g", {"payload": MEGABYTE * 2, "view": b"v"}, 60)
    own_redis.say("DEL dcn:{g}:payload:3")
    assert await store.windows("g", [Window("payload", 0, 10), Window("view")], 60) == [None, b"v"]


async def test_keys_of_a_group_lie_in_one_slot_and_none_outlives_it(store: RedisStore, own_redis: RedisServer) -> None:
    await store.save("t.s", {"payload": MEGABYTE, "view": b"v"}, 60)
    keys = [f"dcn:{{t.s}}:{name}" for name in ("index", "payload:0", "payload:1", "view:0")]
    assert own_redis.say("DBSIZE") == b":4\r\n"
    assert len({own_redis.say(f"CLUSTER KEYSLOT {key}") for key in keys}) == 1
    lives = [int(own_redis.say(f"PTTL {key}")[1:]) for key in keys]
    assert all(59_000 < life <= 60_000 for life in lives)


async def test_an_unfinished_save_is_invisible(store: RedisStore, own_redis: RedisServer) -> None:
    saving = asyncio.create_task(store.save("g", {"payload": MEGABYTE * 16}, 60))
    seen = set()
    while not saving.done():
        [found] = await store.windows("g", [Window("payload", 5 << 20, (5 << 20) + 3)], None)
        seen.add(found)
    assert seen <= {None, b"\xa7\xa7\xa7"}
    assert await store.windows("g", [Window("payload", 15 << 20, (15 << 20) + 1)], None) == [b"\xa7"]


async def test_a_wrong_answer_is_no_crash(store: RedisStore, own_redis: RedisServer) -> None:
    own_redis.say("SET dcn:{g}:index nonsense")
    for _ in range(5):
        with pytest.raises(StoreDown) as refused:
            await store.windows("g", WHOLE, 60)
    assert "dcn:" not in str(refused.value)
    assert await store.windows("another", WHOLE, 60) == [None]


async def test_a_window_costs_the_same_in_any_size(store: RedisStore) -> None:
    for name, size in (("small", 1), ("large", 16)):
        await store.save(name, {"payload": MEGABYTE * size}, 600)
    best = {"small": 9.0, "large": 9.0}
    for _ in range(200):
        for name in best:
            began = time.perf_counter()
            await store.windows(name, [Window("payload", 600_000, 640_000)], 600)
            best[name] = min(best[name], time.perf_counter() - began)
    assert best["large"] < 1.5 * best["small"] + 0.0002, best


async def _recovered(store: RedisStore) -> float:
    began = time.perf_counter()
    while True:
        try:
            await store.alive()
            return time.perf_counter() - began
        except StoreDown:
            assert time.perf_counter() - began < 10
            await asyncio.sleep(0.02)
