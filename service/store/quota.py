"""How much of the store one tenant may hold at a time: a count in this process, of what it saved and still keeps alive.

Every process counts its own, as the rate limit does without Redis: the quota bounds a runaway caller, it is no invoice.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice

SNAPSHOT_OVERHEAD = 512  # so that many tiny snapshots are counted too
AT_ONCE = 8  # the most expired snapshots one call clears away


@dataclass(slots=True)
class _Share:
    size: int
    until: float


@dataclass(slots=True)
class _Tenant:
    held: int = 0
    shares: dict[bytes, _Share] = field(default_factory=dict)


class Quota:
    """Bytes by tenant; what has expired no longer counts, and a tenant with nothing left is forgotten."""

    def __init__(self, most: int | None, clock: Callable[[], float]) -> None:
        self.most, self._clock = most, clock
        self._tenants: dict[str, _Tenant] = {}  # in the order of their last save

    def take(self, tenant: str, snapshot: bytes, size: int, until: float) -> bool:
        """Whether so many bytes more fit; if so they count from now on."""
        if self.most is None:
            return True
        self._forget_the_oldest()
        owner = self._tenants[tenant] = self._tenants.pop(tenant, _Tenant())
        self._expire(owner, everything=owner.held + size + SNAPSHOT_OVERHEAD > self.most)
        if owner.held + size + SNAPSHOT_OVERHEAD > self.most:
            return False
        share = owner.shares.pop(snapshot, _Share(0, until))
        owner.shares[snapshot] = _Share(share.size + size + SNAPSHOT_OVERHEAD, max(share.until, until))
        owner.held += size + SNAPSHOT_OVERHEAD
        return True

    def touch(self, tenant: str, snapshot: bytes, until: float) -> None:
        """A snapshot lives longer, and counts as long as it lives."""
        owner = self._tenants.get(tenant)
        share = owner.shares.pop(snapshot, None) if owner else None
        if owner and share:
            owner.shares[snapshot] = _Share(share.size, max(share.until, until))

    def give_back(self, tenant: str, snapshot: bytes, size: int) -> None:
        """What could not be saved after all does not count."""
        owner = self._tenants.get(tenant)
        share = owner.shares.get(snapshot) if owner else None
        if owner and share:
            share.size -= size + SNAPSHOT_OVERHEAD
            owner.held -= size + SNAPSHOT_OVERHEAD

    def held(self, tenant: str) -> int:
        """The bytes that count against a tenant now."""
        owner = self._tenants.get(tenant)
        return owner.held if owner else 0

    def __len__(self) -> int:
        return len(self._tenants)

    def _expire(self, owner: _Tenant, *, everything: bool = False) -> None:
        """Drops what has expired: from the least recently used on, or wherever it is."""
        now = self._clock()
        for snapshot in list(owner.shares) if everything else list(islice(owner.shares, AT_ONCE)):
            if owner.shares[snapshot].until <= now:
                owner.held -= owner.shares.pop(snapshot).size
            elif not everything:
                return

    def _forget_the_oldest(self) -> None:
        oldest = next(iter(self._tenants), None)
        if oldest is not None:
            owner = self._tenants.pop(oldest)
            self._expire(owner)
            if owner.shares:
                self._tenants[oldest] = owner
