"""The engine beside the least that JSON needs, and logs by megabytes a second."""

from collections.abc import Iterator

import msgspec

from schemas.policy import Policy
from service.core.payload import Payload, Wish
from service.core.pipeline import compact
from service.core.plan import compile_plan
from tests.bench.figures import Figure, ms, side_by_side
from tests.bench.payloads import log, rows

PLAN, WISH = compile_plan("default", Policy()), Wish(budget=4000, byte_cap=32_000)


def figures() -> Iterator[Figure]:
    for size, name, bound in ((100_000, "100 KB", "<= 25"), (8_000_000, "8 MB", "<= 12")):
        data = rows(size)
        ours, least = side_by_side(
            lambda data=data: compact(Payload(data, "json"), PLAN, WISH),  # type: ignore[misc]  # bound for the loop
            lambda data=data: msgspec.json.encode(msgspec.json.decode(data)),  # type: ignore[misc]  # the same
            times=5,
        )
        what = f"/compact of a list of {name}, beside msgspec decode and encode of it"
        yield Figure(what, ms(ours), ms(least), ours / least, bound)
    for size, name, least_speed in ((100_000, "100 KB", 7), (10_000_000, "10 MB", 15)):
        text = log(size)
        ours, _ = side_by_side(
            lambda text=text: compact(Payload(text, "text"), PLAN, WISH),  # type: ignore[misc]  # bound for the loop
            lambda: None,
            times=3,
        )
        speed = len(text) / ours / 1e6
        what = f"/compact of a log of {name}, MB a second"
        yield Figure(what, f"{speed:.0f}", f"{least_speed}", speed / least_speed, ">= 1")
