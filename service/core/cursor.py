"""A cursor on the wire: 47 bytes, signed, 63 letters that a model can copy.

    key id 1 | kind 1 | snapshot 12 | view 8 | position 5 | expiry 4 | MAC 16

The MAC is HMAC-SHA256 over the tenant (length first) and all of the fields, cut to 16 bytes. Nothing but the token, the
tenant and the keys is needed to check one. Every key of the ring is tried on every token, so neither the time nor the
text of a refusal tells whether the key, the tenant or a bit was wrong. Times are quarters of a second since 2024: whole
seconds would make a cursor of three seconds live for two or for four, and four bytes of quarters last until 2058.
"""

import hmac
import re
import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import IntEnum
from math import ceil, floor

from service.errors import CursorExpired, CursorInvalid, CursorMalformed

LETTERS = 63
EPOCH = 1_704_067_200  # 2024-01-01T00:00:00Z
TICKS = 4  # in a second
EXPIRED_HINT = "Call the original tool again without a cursor. Do not retry this one."
RETRY_HINT = "Send the cursor exactly as given, or call the original tool again without one to re-query from the start."

_SHAPE = re.compile(rf"[A-Za-z0-9_-]{{{LETTERS}}}", re.ASCII)
_FIELDS = struct.Struct(">BB12s8sBII")  # the position's five bytes are a byte and a word
_MAC_BYTES = 16
_LOCAL = 0x80


class Kind(IntEnum):
    """What a cursor goes on with."""

    page = 1
    chunk = 2
    hits = 3
    preview = 4


@dataclass(frozen=True, slots=True)
class Cursor:
    """A place in a view of a snapshot, for a while."""

    key_id: int
    kind: Kind
    snapshot: bytes
    view: bytes
    position: int
    expiry: float
    local: bool = False


def ticks(seconds: float, *, up: bool = False) -> int:
    """Epoch seconds in the four bytes that a cursor has for them."""
    exact = (seconds - EPOCH) * TICKS
    return max(0, min(ceil(exact) if up else floor(exact), 0xFFFFFFFF))


def moment(tick: int) -> float:
    """The epoch seconds that four bytes stand for."""
    return EPOCH + tick / TICKS


def seal(cursor: Cursor, tenant: str, secret: bytes) -> str:
    """The token of a cursor, signed for one tenant."""
    fields = _pack(cursor)
    return urlsafe_b64encode(fields + _mac(fields, tenant, secret)).rstrip(b"=").decode()


def unseal(token: str, tenant: str, keys: Iterable[tuple[int, bytes]], now: float) -> Cursor:
    """The cursor of a token that one of the keys signed for this tenant and that is still valid."""
    fields, mac = _split(token)
    genuine = False
    for key_id, secret in keys:  # no early end: the time must not tell which key it was, or whether there is one
        genuine |= hmac.compare_digest(mac, _mac(fields, tenant, secret)) & (key_id == fields[0])
    cursor = _unpack(fields) if genuine else None
    if cursor is None:
        raise CursorInvalid("This cursor was not issued to this caller by this service.", RETRY_HINT)
    if now >= cursor.expiry:
        raise expired(f"The cursor was valid until {stamp(cursor.expiry)}")
    return cursor


def peek(token: str) -> Cursor | None:
    """What a token claims, unchecked: for an operator's eyes only."""
    return _unpack(_split(token)[0])


def expired(what: str) -> CursorExpired:
    """The one refusal of a cursor that can never work again."""
    return CursorExpired(f"{what}. Re-query from the start.", EXPIRED_HINT)


def stamp(seconds: float) -> str:
    """Epoch seconds as UTC text."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _pack(cursor: Cursor) -> bytes:
    high, low = divmod(cursor.position, 1 << 32)
    kind = cursor.kind | (_LOCAL if cursor.local else 0)
    if len(cursor.snapshot) != 12 or len(cursor.view) != 8 or not 0 <= high < 256:
        raise ValueError("a cursor has a snapshot of 12 bytes, a view of 8 and a position of 5")
    return _FIELDS.pack(cursor.key_id, kind, cursor.snapshot, cursor.view, high, low, ticks(cursor.expiry, up=True))


def _unpack(fields: bytes) -> Cursor | None:
    key_id, kind, snapshot, view, high, low, expiry = _FIELDS.unpack(fields)
    if kind & ~_LOCAL not in set(Kind):
        return None
    local = bool(kind & _LOCAL)
    return Cursor(key_id, Kind(kind & ~_LOCAL), snapshot, view, (high << 32) | low, moment(expiry), local)


def _split(token: str) -> tuple[bytes, bytes]:
    if not _SHAPE.fullmatch(token):
        raise CursorMalformed(f"A cursor is {LETTERS} letters of A-Z a-z 0-9 _ -; this is not one.", RETRY_HINT)
    try:
        data = urlsafe_b64decode(token + "=")
    except NotBase64:
        data = b""
    # the last letter has bits that say nothing: only one spelling of the same bytes is a cursor
    if urlsafe_b64encode(data).rstrip(b"=").decode() != token:
        raise CursorMalformed("This is not the spelling that the cursor was issued in.", RETRY_HINT)
    return data[:-_MAC_BYTES], data[-_MAC_BYTES:]


def _mac(fields: bytes, tenant: str, secret: bytes) -> bytes:
    name = tenant.encode("utf-8", "surrogatepass")
    return hmac.digest(secret, struct.pack(">I", len(name)) + name + fields, "sha256")[:_MAC_BYTES]
