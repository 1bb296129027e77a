"""Pages: the first one beside the decode of the list it comes from, the next one from Redis whatever the size."""

import asyncio
import time
from collections.abc import Iterator

import msgspec
from msgspec import Raw

from schemas.api import Answer, Ask
from schemas.policy import Policy
from service import actions
from service.compute import Compute
from service.core.payload import Payload
from service.core.plan import Plan, compile_plan
from service.job import Deps
from service.keys import KeyRing
from service.snapshots import Snapshots
from service.store import Store
from service.store.choose import choose
from tests.bench.figures import Figure, ms, side_by_side
from tests.bench.payloads import rows
from tests.redis_server import MISSING, RedisServer

MB = 1 << 20
PLAN = compile_plan("default", Policy())


class OnePolicy:
    """The default, whatever is asked for."""

    def plan(self, _name: str | None, _source: str | None) -> Plan:
        return PLAN


def deps(store: Store) -> Deps:
    return Deps(
        policies=OnePolicy(),  # type: ignore[arg-type]  # reads no folder, which is all that it lacks
        snapshots=Snapshots(store, KeyRing.from_settings()),
        compute=Compute(0),
        clock=time.time,
    )


def first_page() -> Iterator[Figure]:
    data = rows(5_000_000)
    decode = msgspec.json.Decoder(list[Raw]).decode
    known = deps(choose(None, 512 * MB))
    with asyncio.Runner() as runner:

        def page() -> Answer:
            return runner.run(actions.paginate(known, Ask(), "bench", Payload(data, "json")))

        assert page().meta.total_count == 10_000
        ours, theirs = side_by_side(page, lambda: decode(data))
    what = f"first page of 10,000 items in {len(data) / 1e6:.1f} MB, beside the decode of that list to undecoded items"
    yield Figure(what, ms(ours), ms(theirs), ours / theirs, "<= 4")


def next_page() -> Iterator[Figure]:
    if MISSING:
        return
    server = RedisServer().start()
    try:
        with asyncio.Runner() as runner:
            small, large = (runner.run(walk(server.url, size * MB)) for size in (1, 16))
            middle = runner.run(walk(server.url, 8 * MB))
    finally:
        server.kill()
    yield Figure("next page from Redis, snapshot of 8 MB", ms(middle), "2 ms", middle / 0.002, "<= 1")
    yield Figure("the same, snapshot of 16 MB beside 1 MB", ms(large), ms(small), large / small, "<= 1.2")


async def walk(url: str, size: int) -> float:
    """The shortest time of a page in the middle of a walk."""
    store = choose(url, 64 * MB)
    known = deps(store)
    answer = await actions.paginate(known, Ask(), "bench", Payload(rows(size), "json"))
    times = []
    for _ in range(40):
        ask = Ask(cursor=answer.next_cursor)
        start = time.perf_counter()
        answer = await actions.more(known, ask, "bench")
        times.append(time.perf_counter() - start)
    await store.close()
    return min(times)


def figures() -> Iterator[Figure]:
    yield from first_page()
    yield from next_page()
