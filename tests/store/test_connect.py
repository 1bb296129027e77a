"""Every kind of URL against the real thing, and what is said about a wrong one."""

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.store import StoreDown, Window
from service.store.choose import choose
from service.store.connect import connect
from service.store.failover import Failover
from service.store.memory import MemoryStore
from service.store.redis import RedisStore
from tests.redis_server import RedisServer, free_port


@pytest.fixture
def watched(own_redis: RedisServer, tmp_path: Path) -> Iterator[RedisServer]:
    """A Sentinel that watches `own_redis` under the name `main`."""
    config = tmp_path / "sentinel.conf"
    config.write_text(f"sentinel monitor main 127.0.0.1 {own_redis.port} 1\n")
    sentinel = RedisServer(program=("redis-server", str(config), "--sentinel"), folder=tmp_path).start()
    yield sentinel
    sentinel.kill()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[RedisServer]:
    """A Cluster of one node that has all the slots."""
    node = RedisServer("--cluster-enabled", "yes", "--cluster-port", str(free_port()), folder=tmp_path).start()
    node.say("CLUSTER ADDSLOTSRANGE 0 16383")
    deadline = time.monotonic() + 10
    while b"cluster_state:ok" not in node.say("CLUSTER INFO"):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    yield node
    node.kill()


async def _round_trip(url: str) -> None:
    store = RedisStore(connect(url))
    parts = {"payload": b"p" * 1_500_000, "view": b"v"}
    assert await store.save("t.s", parts, 60) is False
    assert await store.windows("t.s", [Window("payload"), Window("view")], 60) == list(parts.values())
    assert await store.alive() < 0.25
    await store.close()


async def test_standalone(own_redis: RedisServer) -> None:
    await _round_trip(own_redis.url)


async def test_unix_socket(tmp_path: Path) -> None:
    server = RedisServer("--unixsocket", str(tmp_path / "redis.sock"), folder=tmp_path).start()
    await _round_trip(f"unix://{tmp_path}/redis.sock?db=0")
    server.kill()


async def test_sentinel(watched: RedisServer) -> None:
    await _round_trip(f"redis+sentinel://127.0.0.1:{watched.port}/main")


async def test_sentinel_without_a_master_is_down_soon(watched: RedisServer, own_redis: RedisServer) -> None:
    store = RedisStore(connect(f"redis+sentinel://127.0.0.1:{watched.port},127.0.0.1:1/main/0"))
    assert await store.alive() < 0.5
    own_redis.freeze()
    began = time.perf_counter()
    with pytest.raises(StoreDown):
        await store.alive()
    assert time.perf_counter() - began < 1.0
    await store.close()


async def test_cluster(cluster: RedisServer) -> None:
    await _round_trip(f"redis+cluster://127.0.0.1:{cluster.port},127.0.0.1:1")


async def test_cluster_gone_and_back(cluster: RedisServer) -> None:
    store = RedisStore(connect(f"redis+cluster://127.0.0.1:{cluster.port}"))
    await store.save("g", {"payload": b"p"}, 60)
    cluster.freeze()
    for longest in (1.0, 0.1):
        began = time.perf_counter()
        with pytest.raises(StoreDown):
            await store.windows("g", [Window("payload")], 60)
        assert time.perf_counter() - began < longest
    cluster.thaw()
    await asyncio.sleep(0.7)
    assert await store.windows("g", [Window("payload")], 60) == [b"p"]
    await store.close()


async def test_a_password_is_used_and_never_told(tmp_path: Path) -> None:
    server = RedisServer("--user", "decant", "on", ">sesame-open", "~dcn:*", "+@all", folder=tmp_path).start()
    await _round_trip(f"redis://decant:sesame-open@127.0.0.1:{server.port}/0")
    wrong = RedisStore(connect(f"redis://decant:sesame-shut@127.0.0.1:{server.port}/0"))
    with pytest.raises(StoreDown) as refused:
        await wrong.alive()
    assert "sesame" not in f"{refused.value!r} {wrong!r}"
    await wrong.close()
    server.kill()


@pytest.mark.parametrize(
    "url",
    [
        "localhost:6379",
        "http://secret@localhost",
        "redis://",
        "redis://secret@localhost:port",
        "redis+sentinel://secret@localhost:26379",
        "redis+cluster://secret@localhost:x",
        "redis+cluster://secret@:6379",
    ],
)
def test_a_wrong_url_is_named_and_not_printed(url: str) -> None:
    with pytest.raises(ValueError, match="DECANT_REDIS_URL") as wrong:
        connect(url)
    assert "secret" not in str(wrong.value)


async def test_the_settings_choose_the_store(own_redis: RedisServer) -> None:
    alone, shared = choose(None, 1 << 20), choose(own_redis.url, 1 << 20)
    assert isinstance(alone, MemoryStore)
    assert isinstance(shared, Failover)
    assert await shared.alive() < 0.25
    await shared.close()
