"""Snapshots in this process: a byte ceiling, the least recently used leaves first, the expired leave by themselves."""

import asyncio
import heapq
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from service.store import StoreFull, Window

PART_OVERHEAD = 256  # what a part costs beside its bytes, so that many small ones cannot pass below the ceiling
SWEEP_SECONDS = 30.0
SWEEP_AT_ONCE = 64  # the most groups one call clears away: no caller pays for everybody's rubbish


@dataclass(slots=True)
class _Group:
    deadline: float
    parts: dict[str, bytes] = field(default_factory=dict)
    size: int = 0


class MemoryStore:
    """Groups in a dict, in the order of their last use; deadlines in a heap, one entry for each group."""

    def __init__(self, ceiling: int = 256 * 1024 * 1024, clock: Callable[[], float] = time.monotonic) -> None:
        self.ceiling, self.size, self._clock = ceiling, 0, clock
        self._groups: OrderedDict[str, _Group] = OrderedDict()
        self._deadlines: list[tuple[float, str]] = []
        self._timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._groups)

    async def save(self, group: str, parts: Mapping[str, bytes], ttl: float) -> bool:
        """Keeps copies; makes room by dropping what was used longest ago."""
        self.sweep(SWEEP_AT_ONCE)
        kept = self._living(group)
        grown = {**(kept.parts if kept else {}), **{name: bytes(data) for name, data in parts.items()}}
        size = sum(len(data) + PART_OVERHEAD for data in grown.values())
        if size > self.ceiling:
            raise StoreFull(f"a snapshot of {size} bytes does not fit in {self.ceiling}")
        if kept is None:
            kept = self._begin(group, self._clock() + ttl)
        self.size += size - kept.size
        kept.parts, kept.size = grown, size
        self._touch(group, kept, ttl)
        self._make_room()
        return False

    async def windows(self, group: str, wanted: Sequence[Window], ttl: float | None) -> list[bytes | None]:
        """Slices of what is kept; an expired group is unknown even before it is swept."""
        self.sweep(SWEEP_AT_ONCE)
        kept = self._living(group)
        if kept and ttl is not None:
            self._touch(group, kept, ttl)
        return [b"" if window.empty else _slice(kept, window) for window in wanted]

    async def alive(self) -> float:
        """Memory is always there."""
        return 0.0

    async def close(self) -> None:
        """Forgets everything."""
        if self._timer:
            self._timer.cancel()
        self._timer = None
        self._groups.clear()
        self._deadlines.clear()
        self.size = 0

    def parts(self, group: str) -> tuple[dict[str, bytes], float] | None:
        """All parts of a living group and the seconds it still has."""
        kept = self._living(group)
        return (dict(kept.parts), kept.deadline - self._clock()) if kept else None

    def holds(self, group: str) -> bool:
        """Whether a living group is here."""
        return self._living(group) is not None

    def groups(self) -> list[str]:
        """The names of all groups, the least recently used first."""
        return list(self._groups)

    def forget(self, group: str) -> None:
        """Drops one group, if it is there."""
        kept = self._groups.pop(group, None)
        self.size -= kept.size if kept else 0

    def sweep(self, most: int | None = None) -> None:
        """Drops expired groups, at most so many; a re-armed one goes back into the heap with its new deadline."""
        now = self._clock()
        while self._deadlines and self._deadlines[0][0] <= now and most != 0:
            _, group = heapq.heappop(self._deadlines)
            kept = self._groups.get(group)
            if kept and kept.deadline > now:
                heapq.heappush(self._deadlines, (kept.deadline, group))
            elif kept:
                self.forget(group)
            most = None if most is None else most - 1

    def _living(self, group: str) -> _Group | None:
        kept = self._groups.get(group)
        return kept if kept and kept.deadline > self._clock() else None

    def _begin(self, group: str, deadline: float) -> _Group:
        self.forget(group)
        self._groups[group] = _Group(deadline)
        heapq.heappush(self._deadlines, (deadline, group))
        if len(self._deadlines) > 2 * len(self._groups) + SWEEP_AT_ONCE:  # evicted groups left their entries behind
            self._deadlines = [(kept.deadline, name) for name, kept in self._groups.items()]
            heapq.heapify(self._deadlines)
        self._wake_later()
        return self._groups[group]

    def _touch(self, group: str, kept: _Group, ttl: float) -> None:
        kept.deadline = max(kept.deadline, self._clock() + ttl)
        self._groups.move_to_end(group)

    def _make_room(self) -> None:
        if self.size > self.ceiling:
            self.sweep()
        while self.size > self.ceiling:
            self.forget(next(iter(self._groups)))

    def _wake_later(self) -> None:
        # a timer, not a task: nothing to await at shutdown, and an error in one sweep does not end the next
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(SWEEP_SECONDS, self._wake)

    def _wake(self) -> None:
        self._timer = None
        self.sweep()
        if self._groups:
            self._wake_later()


def _slice(kept: _Group | None, window: Window) -> bytes | None:
    data = kept.parts.get(window.part) if kept else None
    return None if data is None else data[window.start : window.end]
