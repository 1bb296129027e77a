"""Snapshots and their cursors over a walk: lifetimes, tenants, keys, and a store that goes away."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from service.core.cursor import EPOCH, Kind
from service.errors import CursorExpired, CursorInvalid, StoreUnavailable
from service.keys import KeyRing
from service.snapshots import Saved, Snapshots, explain, group_name, view_id
from service.store import StoreDown, StoreFull, Window
from service.store.connect import connect
from service.store.failover import Failover
from service.store.memory import MemoryStore
from service.store.redis import RedisStore
from tests.redis_server import RedisServer

PAYLOAD = {"payload": b"0123456789"}
WHOLE = [Window("payload")]
VIEW = b"view_id!"
SECRETS = "the-secret-of-these-tests"


class Clock:
    """One clock for the cursors and the store."""

    def __init__(self) -> None:
        self.now = EPOCH + 1e8 + 0.6

    def __call__(self) -> float:
        return self.now


class Broken:
    """A store that fails in the one way it is told to."""

    def __init__(self, failure: type[Exception]) -> None:
        self.failure = failure

    async def save(self, group: str, parts: Mapping[str, bytes], ttl: float) -> bool:
        raise self.failure

    async def windows(self, group: str, wanted: Sequence[Window], ttl: float | None) -> list[bytes | None]:
        raise self.failure

    async def alive(self) -> float:
        raise self.failure

    async def close(self) -> None:
        return


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def snapshots(clock: Clock) -> AsyncIterator[Snapshots]:
    """Over memory, with a clock that stands."""
    store = MemoryStore(clock=clock)
    yield Snapshots(store, KeyRing.from_settings(SECRETS), clock)
    await store.close()


async def _page(snapshots: Snapshots, token: str, ttl: float = 3) -> str:
    """One step of a walk: opens a cursor, reads its window, issues the next."""
    cursor = snapshots.open(token, "acme")
    await snapshots.windows("acme", cursor.snapshot, WHOLE, ttl)
    return snapshots.issue("acme", cursor.snapshot, VIEW, Kind.page, cursor.position + 1, ttl)[0]


async def _first(snapshots: Snapshots, ttl: float = 3) -> str:
    saved = await snapshots.save("acme", PAYLOAD, ttl)
    return snapshots.issue("acme", saved.snapshot, VIEW, Kind.page, 0, ttl)[0]


@pytest.mark.parametrize("begin", [0.0, 0.1, 0.26, 0.5, 0.74, 0.99])
async def test_every_page_rearms_the_walk(snapshots: Snapshots, clock: Clock, begin: float) -> None:
    clock.now += begin
    first = await _first(snapshots)
    clock.now += 2
    second = await _page(snapshots, first)
    clock.now += 0.9
    await _page(snapshots, first)
    clock.now += 0.6
    with pytest.raises(CursorExpired):
        snapshots.open(first, "acme")
    clock.now += 0.5
    third = await _page(snapshots, second)
    assert snapshots.open(third, "acme").position == 2


async def test_an_untouched_walk_ends(snapshots: Snapshots, clock: Clock) -> None:
    first = await _first(snapshots)
    clock.now += 3.5
    with pytest.raises(CursorExpired):
        await _page(snapshots, first)


@given(st.lists(st.floats(0, 3), max_size=40), st.floats(0, 1))
async def test_a_valid_cursor_always_finds_its_snapshot(pauses: list[float], begin: float) -> None:
    clock = Clock()
    clock.now += begin
    snapshots = Snapshots(MemoryStore(clock=clock), KeyRing.from_settings(SECRETS), clock, max_age=20)
    tokens = [await _first(snapshots)]
    born = clock.now
    for pause in pauses:
        clock.now += pause
        for token in list(tokens):
            try:
                snapshots.open(token, "acme")
            except CursorExpired:
                tokens.remove(token)
            else:
                tokens[-1:] = [tokens[-1], await _page(snapshots, token)][-2:]
        tokens = tokens[-5:]
        if clock.now - born > 20:
            assert not tokens
    await snapshots.store.close()


async def test_the_last_cursors_end_with_the_snapshot(snapshots: Snapshots, clock: Clock) -> None:
    born, token = clock.now, await _first(snapshots, 600)
    until = 0
    while clock.now - born < 3500:
        clock.now += 500
        token = await _page(snapshots, token, 600)
        _, until = snapshots.issue("acme", snapshots.open(token, "acme").snapshot, VIEW, Kind.page, 0, 600)
    assert 3599 <= until - born + 0.6 <= 3601
    clock.now = until - 0.1
    token = await _page(snapshots, token, 600)
    clock.now = until + 0.9
    with pytest.raises(CursorExpired):
        snapshots.open(token, "acme")


async def test_a_cursor_lives_at_least_as_long_as_it_says(snapshots: Snapshots, clock: Clock) -> None:
    saved = await snapshots.save("acme", PAYLOAD, 600)
    token, until = snapshots.issue("acme", saved.snapshot, VIEW, Kind.page, 0, 600)
    assert 600 <= until - clock.now < 601
    clock.now = until - 0.01
    assert snapshots.open(token, "acme").expiry == until
    assert await snapshots.windows("acme", saved.snapshot, WHOLE, 600) == [b"0123456789"]


async def test_a_cursor_is_its_tenants_alone(snapshots: Snapshots) -> None:
    token = await _first(snapshots)
    snapshot = snapshots.open(token, "acme").snapshot
    with pytest.raises(CursorInvalid):
        snapshots.open(token, "other")
    with pytest.raises(CursorExpired):
        await snapshots.windows("other", snapshot, WHOLE, 3)
    assert group_name("acme", snapshot) != group_name("other", snapshot)
    assert "acme" not in group_name("acme", snapshot)


async def test_a_new_key_signs_and_the_old_one_still_opens(clock: Clock, tmp_path: Path) -> None:
    file, looks = tmp_path / "keys", Clock()
    file.write_text("old-secret-of-decant\n")
    snapshots = Snapshots(MemoryStore(clock=clock), KeyRing.from_settings(None, file, clock=looks), clock)
    old = await _first(snapshots)
    file.write_text("new-secret-of-decant\nold-secret-of-decant\n")
    looks.now += 1
    new = await _page(snapshots, old)
    file.write_text("new-secret-of-decant\n")
    looks.now += 1
    await _page(snapshots, new)
    with pytest.raises(CursorInvalid):
        await _page(snapshots, old)
    await snapshots.store.close()


async def test_views_are_added_and_read_with_the_payload(snapshots: Snapshots) -> None:
    saved = await snapshots.save("acme", PAYLOAD, 3)
    name = view_id(b"a view").hex()
    assert await snapshots.add("acme", saved.snapshot, {name: b"a view"}, 3) == Saved(saved.snapshot)
    wanted = [Window(name), Window("payload", 3, 5)]
    assert await snapshots.windows("acme", saved.snapshot, wanted, 3) == [b"a view", b"34"]


async def test_parallel_reads_are_alike(snapshots: Snapshots) -> None:
    saved = await snapshots.save("acme", PAYLOAD, 3)
    reads = (snapshots.windows("acme", saved.snapshot, WHOLE, 3) for _ in range(20))
    assert await asyncio.gather(*reads) == [[b"0123456789"]] * 20


async def test_equal_payloads_are_two_snapshots(snapshots: Snapshots) -> None:
    one, two = await snapshots.save("acme", PAYLOAD, 3), await snapshots.save("acme", PAYLOAD, 3)
    assert one.snapshot != two.snapshot


@pytest.mark.parametrize("failure", [StoreDown, StoreFull])
async def test_without_a_store_there_is_an_answer_without_a_snapshot(failure: type[Exception], clock: Clock) -> None:
    snapshots = Snapshots(Broken(failure), KeyRing.from_settings(), clock)
    saved = await snapshots.save("acme", PAYLOAD, 600)
    assert (saved.degraded, saved.local) == ("unsaved", False)
    assert (await snapshots.add("acme", saved.snapshot, PAYLOAD, 600)).degraded == "unsaved"


async def test_only_the_store_can_say_that_something_is_gone(clock: Clock) -> None:
    snapshots = Snapshots(Broken(StoreDown), KeyRing.from_settings(), clock)
    with pytest.raises(StoreUnavailable) as refused:
        await snapshots.windows("acme", b"snapshot_id!", WHOLE, 600)
    assert refused.value.retry_after
    assert "call the original tool again" in refused.value.hint


async def test_a_local_cursor_is_not_gone_because_another_process_has_it(snapshots: Snapshots, clock: Clock) -> None:
    with pytest.raises(StoreUnavailable):
        await snapshots.windows("acme", b"snapshot_id!", WHOLE, 600, local=True)
    with pytest.raises(CursorExpired):
        await snapshots.windows("acme", b"snapshot_id!", WHOLE, 600)


async def test_redis_dies_and_returns_in_mid_walk(own_redis: RedisServer) -> None:
    def replica() -> Snapshots:
        store = Failover(RedisStore(connect(own_redis.url)), MemoryStore(), look_seconds=0.05)
        return Snapshots(store, KeyRing.from_settings(SECRETS))

    here, there = replica(), replica()
    before = await here.save("acme", PAYLOAD, 600)
    own_redis.kill()
    during = await here.save("acme", PAYLOAD, 600)
    assert (before.degraded, during.degraded) == (None, "local")
    token, _ = here.issue("acme", during.snapshot, VIEW, Kind.page, 5, 600, local=during.local)
    assert there.open(token, "acme").local
    assert await here.windows("acme", during.snapshot, WHOLE, 600, local=True) == [b"0123456789"]
    for replicas, snapshot in ((here, before.snapshot), (there, during.snapshot)):
        with pytest.raises(StoreUnavailable):
            await replicas.windows("acme", snapshot, WHOLE, 600)
    own_redis.start()
    assert await _in_the_end(there, during.snapshot) == [b"0123456789"]
    with pytest.raises(CursorExpired):
        await here.windows("acme", before.snapshot, WHOLE, 600)
    assert (await here.save("acme", PAYLOAD, 600)).degraded is None
    await here.store.close()
    await there.store.close()


async def _in_the_end(snapshots: Snapshots, snapshot: bytes) -> list[bytes]:
    for _ in range(100):
        with suppress(StoreUnavailable):
            return await snapshots.windows("acme", snapshot, WHOLE, 600, local=True)
        await asyncio.sleep(0.1)
    raise AssertionError("the snapshot has not moved over")


async def test_a_spent_quota_leaves_an_answer_without_a_snapshot(clock: Clock) -> None:
    snapshots = Snapshots(MemoryStore(clock=clock), KeyRing.from_settings(), clock, quota=3000)
    saved = [await snapshots.save(tenant, {"payload": b"x" * 2000}, 600) for tenant in ("a", "a", "b")]
    assert [one.degraded for one in saved] == [None, "unsaved", None]
    clock.now += 603
    assert (await snapshots.save("a", {"payload": b"x" * 2000}, 600)).degraded is None
    await snapshots.store.close()


async def test_every_store_call_is_observed(clock: Clock) -> None:
    seen: list[tuple[str, str]] = []

    def observe(operation: str, outcome: str, seconds: float) -> None:
        assert seconds >= 0
        seen.append((operation, outcome))

    snapshots = Snapshots(MemoryStore(2000, clock=clock), KeyRing.from_settings(), clock, observe=observe)
    saved = await snapshots.save("acme", PAYLOAD, 600)
    await snapshots.add("acme", saved.snapshot, {"view": b"v"}, 600)
    await snapshots.windows("acme", saved.snapshot, WHOLE, 600)
    await snapshots.save("acme", {"payload": b"x" * 3000}, 600)
    with pytest.raises(CursorExpired):
        await snapshots.windows("acme", b"snapshot_id!", WHOLE, 600)
    expected = [("save", "ok"), ("add", "ok"), ("windows", "ok"), ("save", "full"), ("windows", "missing")]
    assert seen == expected
    await snapshots.store.close()


async def test_an_operator_is_told_what_a_token_says(snapshots: Snapshots, clock: Clock) -> None:
    token, keys = await _first(snapshots), snapshots.keys
    told = explain(token, keys, "acme", clock.now)
    assert (told["verdict"], told["key"], told["kind"], told["position"]) == ("valid", "signing", "page", 0)
    assert told["group"] == group_name("acme", snapshots.open(token, "acme").snapshot)
    assert explain(token, keys, "acme", clock.now + 9)["verdict"] == "expired"
    assert explain(token, keys, "other", clock.now)["verdict"] == "invalid"
    assert explain(token, KeyRing.from_settings("another-secret-of-decant"), "acme", clock.now)["verdict"] == "invalid"
