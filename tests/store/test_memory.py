"""The memory store's own promises: a ceiling, the least used first, the expired gone, a clock that is given."""

import asyncio

import pytest
from hypothesis import given, strategies as st

from service.store import StoreFull, Window, memory as module
from service.store.memory import PART_OVERHEAD, MemoryStore

WHOLE = [Window("payload")]


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


async def test_the_least_recently_used_leaves_first() -> None:
    store = MemoryStore(ceiling=3 * (1000 + PART_OVERHEAD))
    for name in ("a", "b", "c"):
        await store.save(name, {"payload": b"x" * 1000}, 60)
    await store.windows("a", WHOLE, None)
    await store.windows("a", WHOLE, 60)
    await store.save("d", {"payload": b"x" * 1000}, 60)
    there = [name for name in "abcd" if (await store.windows(name, WHOLE, None))[0] is not None]
    assert there == ["a", "c", "d"]
    await store.close()


async def test_what_can_never_fit_is_refused_and_costs_nobody_a_place() -> None:
    store = MemoryStore(ceiling=5000)
    await store.save("a", {"payload": b"x" * 1000}, 60)
    with pytest.raises(StoreFull):
        await store.save("b", {"payload": b"x" * 5000}, 60)
    with pytest.raises(StoreFull):
        await store.save("a", {"more": b"x" * 4000}, 60)
    assert await store.windows("a", WHOLE, None) == [b"x" * 1000]
    await store.close()


async def test_ten_thousand_expired_groups_are_swept() -> None:
    clock = Clock()
    store = MemoryStore(clock=clock)
    for number in range(10_000):
        await store.save(str(number), {"payload": b"x"}, 1)
    assert len(store) == 10_000
    clock.now += 0.9
    await store.windows("17", WHOLE, 5)
    clock.now += 0.2
    await store.save("new", {"payload": b"x"}, 1)
    assert len(store) < 10_000
    store.sweep()
    assert sorted(store.groups()) == ["17", "new"]
    assert store.size == 2 * (1 + PART_OVERHEAD)
    await store.close()


async def test_an_idle_store_sweeps_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SWEEP_SECONDS", 0.02)
    store = MemoryStore()
    await store.save("a", {"payload": b"x"}, 0.01)
    await store.save("b", {"payload": b"x"}, 60)
    await asyncio.sleep(0.1)
    assert store.groups() == ["b"]
    await store.close()


async def test_what_expired_is_unknown_before_it_is_swept() -> None:
    clock = Clock()
    store = MemoryStore(clock=clock)
    await store.save("a", {"payload": b"old", "view": b"v"}, 10)
    clock.now += 10
    assert store.parts("a") is None
    await store.save("a", {"payload": b"new"}, 10)
    assert await store.windows("a", [*WHOLE, Window("view")], None) == [b"new", None]
    await store.close()


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 900), st.floats(0.1, 20), st.floats(0, 5))))
async def test_the_size_is_what_is_there_and_never_above_the_ceiling(
    steps: list[tuple[str, int, float, float]],
) -> None:
    clock = Clock()
    store = MemoryStore(ceiling=3000, clock=clock)
    for place, (group, size, ttl, pause) in enumerate(steps):
        await store.save(group, {f"part{place % 2}": b"x" * size}, ttl)
        assert store.size <= store.ceiling
        held = [parts for parts in map(store.parts, store.groups()) if parts]
        assert sum(len(data) + PART_OVERHEAD for parts, _ in held for data in parts.values()) <= store.size
        clock.now += pause
    clock.now += 100
    store.sweep()
    assert (len(store), store.size) == (0, 0)
    await store.close()
