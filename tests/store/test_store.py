"""One conformance suite for every Store: in memory, in Redis, and in Redis behind a failover."""

import asyncio
from collections.abc import AsyncIterator
from itertools import count

import pytest
from hypothesis import given, strategies as st

from service.store import Store, Window
from service.store.connect import connect
from service.store.failover import Failover
from service.store.memory import MemoryStore
from service.store.redis import SEGMENT, RedisStore

NAMES = (f"tenant.{number:024x}" for number in count())


@pytest.fixture(params=["memory", "redis", "failover"])
async def store(request: pytest.FixtureRequest) -> AsyncIterator[Store]:
    """Each kind in its turn."""
    opened = _open(request)
    yield opened
    await opened.close()


def _open(request: pytest.FixtureRequest) -> Store:
    if request.param == "memory":
        return MemoryStore(256 << 20)
    redis = RedisStore(connect(request.getfixturevalue("redis_server").url))
    return redis if request.param == "redis" else Failover(redis, MemoryStore(1 << 20))


async def test_what_is_saved_is_read(store: Store) -> None:
    group = next(NAMES)
    assert await store.save(group, {"payload": b"0123456789", "empty": b""}, 60) is False
    wanted = [Window("payload", 2, 5), Window("payload", 8), Window("payload"), Window("empty"), Window("none")]
    assert await store.windows(group, wanted, 60) == [b"234", b"89", b"0123456789", b"", None]


async def test_an_empty_window_is_never_everything(store: Store) -> None:
    group = next(NAMES)
    await store.save(group, {"payload": b"0123456789"}, 60)
    wanted = [Window("payload", 0, 0), Window("payload", 5, 2), Window("payload", 99), Window("payload", 99, 120)]
    assert await store.windows(group, wanted, None) == [b"", b"", b"", b""]
    assert await store.windows("nobody", [Window("payload", 3, 3)], None) == [b""]


async def test_parts_are_added_to_a_group(store: Store) -> None:
    group = next(NAMES)
    await store.save(group, {"payload": b"payload"}, 60)
    await store.save(group, {"view": b"view"}, 60)
    assert await store.windows(group, [Window("view"), Window("payload")], None) == [b"view", b"payload"]


async def test_an_unknown_group_has_no_parts(store: Store) -> None:
    assert await store.windows("nobody", [Window("payload"), Window("payload", 0, 4)], 60) == [None, None]


async def test_groups_do_not_mix(store: Store) -> None:
    groups = [next(NAMES) for _ in range(100)]
    await asyncio.gather(*(store.save(group, {"payload": group.encode()}, 60) for group in groups))
    found = await asyncio.gather(*(store.windows(group, [Window("payload")], 60) for group in groups))
    assert found == [[group.encode()] for group in groups]


async def test_a_group_expires(store: Store) -> None:
    short, long = next(NAMES), next(NAMES)
    await store.save(short, {"payload": b"x"}, 0.2)
    await store.save(long, {"payload": b"x"}, 60)
    assert await store.windows(short, [Window("payload")], None) == [b"x"]
    await asyncio.sleep(0.3)
    assert await store.windows(short, [Window("payload")], 60) == [None]
    assert await store.windows(long, [Window("payload")], None) == [b"x"]


async def test_a_touch_rearms_all_of_the_group(store: Store) -> None:
    group = next(NAMES)
    await store.save(group, {"payload": b"p" * (SEGMENT + 9), "view": b"v"}, 0.4)
    await store.windows(group, [Window("view")], 5)
    await asyncio.sleep(0.5)
    wanted = [Window("payload", SEGMENT - 1, SEGMENT + 1), Window("view")]
    assert await store.windows(group, wanted, None) == [b"pp", b"v"]


async def test_nothing_shortens_a_life(store: Store) -> None:
    group = next(NAMES)
    await store.save(group, {"payload": b"p"}, 5)
    await store.windows(group, [Window("payload")], 0.1)
    await store.save(group, {"view": b"v"}, 0.1)
    await asyncio.sleep(0.2)
    assert await store.windows(group, [Window("payload"), Window("view")], None) == [b"p", b"v"]


async def test_an_added_part_rearms_the_others(store: Store) -> None:
    group = next(NAMES)
    await store.save(group, {"payload": b"p"}, 0.3)
    await store.save(group, {"view": b"v"}, 5)
    await asyncio.sleep(0.4)
    assert await store.windows(group, [Window("payload"), Window("view")], None) == [b"p", b"v"]


async def test_what_is_kept_is_a_copy(store: Store) -> None:
    group, data = next(NAMES), bytearray(b"before")
    await store.save(group, {"payload": data}, 60)  # type: ignore[dict-item]  # a caller's buffer, on purpose
    data[:] = b"after!"
    assert await store.windows(group, [Window("payload")], None) == [b"before"]


async def test_sixteen_megabytes_come_back_whole(store: Store) -> None:
    if isinstance(store, Failover):
        pytest.skip("the same as Redis")
    group, block = next(NAMES), bytes(range(251)) * 4178
    await store.save(group, {"payload": block * 16, "cuts": b"c" * SEGMENT, "view": b"v"}, 60)
    whole, tail, view = await store.windows(
        group, [Window("payload"), Window("payload", 9_000_000), Window("view")], 60
    )
    assert whole == block * 16
    assert tail == (block * 16)[9_000_000:]
    assert view == b"v"


@given(
    size=st.one_of(
        st.integers(0, 300), st.integers(SEGMENT - 3, SEGMENT + 3), st.integers(2 * SEGMENT, 2 * SEGMENT + 9)
    ),
    windows=st.lists(
        st.tuples(st.integers(0, 3 * SEGMENT), st.none() | st.integers(0, 3 * SEGMENT)), min_size=1, max_size=4
    ),
    near=st.integers(-4, 4),
)
async def test_windows_are_slices(store: Store, size: int, windows: list[tuple[int, int | None]], near: int) -> None:
    group, data = next(NAMES), bytes(range(256)) * (size // 256) + bytes(size % 256)
    await store.save(group, {"payload": data}, 60)
    wanted = [Window("payload", start, end) for start, end in windows]
    wanted.append(Window("payload", max(0, SEGMENT + near), SEGMENT + 2 * near + 4))
    assert await store.windows(group, wanted, 60) == [data[w.start : w.end] for w in wanted]


async def test_it_is_alive(store: Store) -> None:
    assert 0 <= await store.alive() < 0.25
