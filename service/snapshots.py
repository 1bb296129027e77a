"""Snapshots over a Store: names, lifetimes and the cursors into them.

A snapshot's id is its birth (4 bytes, as in a cursor) and 8 random bytes, so whoever holds a cursor knows when the
snapshot must end without asking anybody. A group in the store is named by the tenant's hash and that id: one tenant's
cursor can never name another's snapshot, and the store's keys say nothing about who asked.
"""

import hashlib
import os
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, TypeVar

from service.core.cursor import Cursor, Kind, expired, moment, peek, seal, stamp, ticks, unseal
from service.errors import CursorExpired, CursorInvalid, StoreUnavailable
from service.keys import KeyRing
from service.store import Store, StoreDown, StoreFull, Window
from service.store.quota import Quota

MAX_AGE = 3600.0
MARGIN = 2.0  # seconds that the store keeps a group beyond its newest cursor: clocks and ticks never open a gap
WHOLE_FROM = 60.0  # lifetimes from here on end at a whole second, so that `expiresAt` says it exactly
RETRY_AFTER = 2
GONE_HINT = "Try again in a few seconds. If that fails too, call the original tool again without a cursor."

Observe = Callable[[str, str, float], None]  # operation (save | add | windows), outcome, seconds
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Saved:
    """Where a snapshot went: `local` when only this process has it, `unsaved` when nobody has."""

    snapshot: bytes
    degraded: str | None = None

    @property
    def local(self) -> bool:
        """Whether cursors into it must be marked local."""
        return self.degraded == "local"


class Snapshots:
    """Saves, reads and names snapshots; clock and randomness are given."""

    def __init__(
        self,
        store: Store,
        keys: KeyRing,
        clock: Callable[[], float] = time.time,
        entropy: Callable[[int], bytes] = os.urandom,
        max_age: float = MAX_AGE,
        observe: Observe | None = None,
        quota: int | None = None,
    ) -> None:
        self.store, self.keys, self.max_age = store, keys, max_age
        self._clock, self._entropy, self._observe = clock, entropy, observe
        self._quota = Quota(quota, clock)

    async def save(self, tenant: str, parts: Mapping[str, bytes], ttl: float) -> Saved:
        """Keeps a new snapshot; never fails: without a store there is an answer without a snapshot."""
        snapshot = ticks(self._clock()).to_bytes(4, "big") + self._entropy(8)
        return await self._keep("save", tenant, snapshot, parts, ttl)

    async def add(self, tenant: str, snapshot: bytes, parts: Mapping[str, bytes], ttl: float) -> Saved:
        """Adds parts, such as a view, to a snapshot that is there."""
        return await self._keep("add", tenant, snapshot, parts, ttl)

    async def windows(
        self, tenant: str, snapshot: bytes, wanted: Sequence[Window], ttl: float, *, local: bool = False
    ) -> list[bytes]:
        """Reads windows and re-arms the snapshot; `local` is the cursor's flag."""
        group, lasting = group_name(tenant, snapshot), self._lasting(snapshot, ttl)
        try:
            found = await self._timed("windows", self.store.windows(group, wanted, lasting), _seen)
        except StoreDown:
            raise StoreUnavailable(
                "The store that holds this cursor's snapshot does not answer now.", GONE_HINT, retry_after=RETRY_AFTER
            ) from None
        there = [data for data in found if data is not None]
        if len(there) == len(found):
            self._quota.touch(tenant, snapshot, self._clock() + lasting)
            return there
        if local:  # another process made it while the store was gone, and may still write it there
            raise StoreUnavailable(
                "This cursor's snapshot is not in the store yet.", GONE_HINT, retry_after=RETRY_AFTER
            )
        raise expired("The snapshot behind this cursor is gone")

    def issue(
        self,
        tenant: str,
        snapshot: bytes,
        view: bytes,
        kind: Kind,
        position: int,
        ttl: float,
        *,
        local: bool = False,
    ) -> tuple[str, int]:
        """A signed token and the epoch second it is good until: never longer than the snapshot may live."""
        now = self._clock()
        began = ceil(now) if ttl >= WHOLE_FROM else now
        until = min(began + ttl, self.ends(snapshot))
        key_id, secret = self.keys.signing
        cursor = Cursor(key_id, kind, snapshot, view, position, until, local)
        return seal(cursor, tenant, secret), int(until)

    def open(self, token: str, tenant: str) -> Cursor:
        """The cursor of a token, checked without asking the store."""
        return unseal(token, tenant, self.keys.verifying, self._clock())

    def ends(self, snapshot: bytes) -> float:
        """The epoch second at which a snapshot is over, however often it is touched."""
        return moment(int.from_bytes(snapshot[:4], "big")) + self.max_age

    def _lasting(self, snapshot: bytes, ttl: float) -> float:
        return max(min(ttl, self.ends(snapshot) - self._clock()), 0.0) + MARGIN

    async def _keep(self, what: str, tenant: str, snapshot: bytes, parts: Mapping[str, bytes], ttl: float) -> Saved:
        size, lasting = sum(map(len, parts.values())), self._lasting(snapshot, ttl)
        if not self._quota.take(tenant, snapshot, size, self._clock() + lasting):
            return Saved(snapshot, "unsaved")
        saving = self.store.save(group_name(tenant, snapshot), parts, lasting)
        try:
            local = await self._timed(what, saving, lambda local: "local" if local else "ok")
        except (StoreDown, StoreFull):
            self._quota.give_back(tenant, snapshot, size)
            return Saved(snapshot, "unsaved")
        return Saved(snapshot, "local" if local else None)

    async def _timed(self, what: str, work: Awaitable[T], outcome: Callable[[T], str]) -> T:
        began, how = time.perf_counter(), "error"
        try:
            result = await work
            how = outcome(result)
            return result
        except StoreDown:
            how = "down"
            raise
        except StoreFull:
            how = "full"
            raise
        finally:
            if self._observe:
                self._observe(what, how, time.perf_counter() - began)


def view_id(view: bytes) -> bytes:
    """The eight bytes that name a view: equal views of a snapshot are one."""
    return hashlib.sha256(view).digest()[:8]


def group_name(tenant: str, snapshot: bytes) -> str:
    """The name of a snapshot's group: the tenant's hash and the id, in the letters of a Redis hash tag."""
    owner = hashlib.sha256(b"decant tenant\0" + tenant.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"{owner}.{snapshot.hex()}"


def explain(token: str, keys: KeyRing, tenant: str = "anonymous", now: float | None = None) -> dict[str, Any]:
    """What `decant cursor` prints: what a token says and whether it holds for this tenant."""
    claims = peek(token)
    if claims is None:
        raise CursorInvalid("No cursor of this version has such a kind.")
    verdict = _verdict(token, keys, tenant, time.time() if now is None else now)
    known = [key for key, _ in keys.verifying]
    born = moment(int.from_bytes(claims.snapshot[:4], "big"))
    return {
        "verdict": verdict,
        "tenant": tenant,
        "key": "signing" if claims.key_id == known[0] else "verifying" if claims.key_id in known else "unknown",
        "keyId": claims.key_id,
        "kind": claims.kind.name,
        "local": claims.local,
        "snapshot": claims.snapshot.hex(),
        "born": stamp(born),
        "view": claims.view.hex(),
        "position": claims.position,
        "expiresAt": stamp(claims.expiry),
        "group": group_name(tenant, claims.snapshot),
    }


def _verdict(token: str, keys: KeyRing, tenant: str, now: float) -> str:
    try:
        unseal(token, tenant, keys.verifying, now)
    except CursorExpired:
        return "expired"
    except CursorInvalid:
        return "invalid"
    return "valid"


def _seen(found: Sequence[bytes | None]) -> str:
    return "missing" if None in found else "ok"
