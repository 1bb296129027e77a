"""Where snapshots live: groups of named byte parts that expire together, in memory or in Redis.

A group is one snapshot: its payload, its cut points, its views. Parts never change once they are saved, so a reader
needs no lock: a part is there whole or not at all. A group lives as long as its newest cursor, so every touch re-arms
all of it and none ever shortens its life. How long that may be is the caller's arithmetic (service/snapshots.py).
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol


class StoreDown(Exception):
    """The store does not answer: nothing is known about what it holds."""


class StoreFull(Exception):
    """The store answers, and has no room for this."""


class Window(NamedTuple):
    """A stretch of one part: bytes start..end, end excluded; None is the part's end."""

    part: str
    start: int = 0
    end: int | None = None

    @property
    def empty(self) -> bool:
        """Whether it asks for no byte at all, whatever the part holds."""
        return self.end is not None and self.end <= self.start


class Store(Protocol):
    """What a snapshot needs from the place it lies in."""

    async def save(self, group: str, parts: Mapping[str, bytes], ttl: float) -> bool:
        """Adds parts to a group, all of them or none, and re-arms it; true when only this process holds them."""
        ...

    async def windows(self, group: str, wanted: Sequence[Window], ttl: float | None) -> list[bytes | None]:
        """Reads windows in one round trip; None for an unknown part; a ttl re-arms the whole group."""
        ...

    async def alive(self) -> float:
        """Asks for a sign of life and tells how many seconds it took."""
        ...

    async def close(self) -> None:
        """Lets go of everything it holds open."""
        ...
