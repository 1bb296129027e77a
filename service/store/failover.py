"""A store that goes on when the one behind it is gone: new snapshots stay here and move over when it is back.

Reads ask this process first for what it holds, then the primary. Nothing is kept twice: a group that has moved over is
forgotten here. A full primary is no reason to stay here: it has answered, and that answer (StoreFull) is the caller's.
"""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress

from service.store import Store, StoreDown, StoreFull, Window
from service.store.memory import MemoryStore

LOOK_SECONDS = 1.0  # between two questions whether the primary is back
LONGEST_PAUSE = 30.0  # between two attempts to move something into a primary that is full
PARTING_SECONDS = 2.0  # for the last move at shutdown


class Failover:
    """The primary while it answers; what it could not take lies in the local store, bounded by that one's ceiling."""

    def __init__(self, primary: Store, local: MemoryStore, look_seconds: float = LOOK_SECONDS) -> None:
        self.primary, self.local, self._look_seconds = primary, local, look_seconds
        self._moving: asyncio.Task[None] | None = None

    async def save(self, group: str, parts: Mapping[str, bytes], ttl: float) -> bool:
        """To the primary, unless the group is here already or the primary is gone; true when it is here."""
        if not self.local.holds(group):
            try:
                return await self.primary.save(group, parts, ttl)
            except StoreDown:
                pass
        await self.local.save(group, parts, ttl)
        self._move_later()
        return True

    async def windows(self, group: str, wanted: Sequence[Window], ttl: float | None) -> list[bytes | None]:
        """From here what is here, the rest from the primary."""
        here = await self.local.windows(group, wanted, ttl)
        missing = [place for place, data in enumerate(here) if data is None]
        if missing or (ttl is not None and not self.local.holds(group)):
            there = await self.primary.windows(group, [wanted[place] for place in missing], ttl)
            for place, data in zip(missing, there, strict=True):
                here[place] = data
        return here

    async def alive(self) -> float:
        """Whether the primary is: this process needs no question."""
        return await self.primary.alive()

    async def close(self) -> None:
        """Tries once more to move what is here, then lets go."""
        if self._moving:
            self._moving.cancel()
            with suppress(asyncio.CancelledError):
                await self._moving
        with suppress(StoreDown, StoreFull, TimeoutError):
            async with asyncio.timeout(PARTING_SECONDS):
                await self._move_all()
        await self.local.close()
        await self.primary.close()

    def _move_later(self) -> None:
        if self._moving is None or self._moving.done():
            self._moving = asyncio.create_task(self._move_until_empty())

    async def _move_until_empty(self) -> None:
        pause = self._look_seconds
        while len(self.local):
            await asyncio.sleep(pause)
            try:
                await self.primary.alive()
                await self._move_all()
                pause = self._look_seconds
            except StoreDown:
                continue
            except StoreFull:  # what is here goes on serving from here until it expires
                pause = min(pause * 2, LONGEST_PAUSE)
            finally:
                self.local.sweep()

    async def _move_all(self) -> None:
        """One group after the other, oldest first: the way back never floods a store that has just come up."""
        for group in self.local.groups():
            await self._move(group)

    async def _move(self, group: str) -> None:
        kept = self.local.parts(group)
        if kept is None:
            return
        parts, ttl = kept
        await self.primary.save(group, parts, ttl)
        now = self.local.parts(group)
        if now and len(now[0]) == len(parts):  # else a view was added on the way: the next round takes it along
            self.local.forget(group)
