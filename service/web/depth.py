"""How deep JSON is nested, at C speed: strings are dropped in bulk, brackets are counted in blocks, piece by piece.

Between two pieces, each of about 0.1 ms, the event loop may look after others: a body of 16 MB takes about 30 ms.
"""

from collections.abc import Iterator
from itertools import accumulate

PIECE = 1 << 16
_NOT_STRUCTURE = bytes(set(range(256)) - set(b'[]{}"'))
_STEPS = [0] * 256
for _byte, _step in ((b"[", 1), (b"{", 1), (b"]", -1), (b"}", -1)):
    _STEPS[_byte[0]] = _step
_NEAR = 64  # closer to the limit than this, blocks would be too short to pay
_BLOCK = 4096


def deeper_than(data: bytes, limit: int, piece: int = PIECE) -> bool:
    """Whether valid JSON is nested deeper than `limit`."""
    return any(looking(data, limit, piece))


def looking(data: bytes, limit: int, piece: int = PIECE) -> Iterator[bool]:
    """The same for each piece in turn, until it is true."""
    if len(data) <= piece and data.count(b"[") + data.count(b"{") <= limit:
        return
    depth, inside, at = 0, b"", 0
    while at < len(data):
        end = _before_escape(data, at + piece)
        kept = inside + _structure(data[at:end])
        inside = b'"' if kept.count(b'"') % 2 else b""
        brackets = b"".join(kept.split(b'"')[::2]) if b'"' in kept else kept
        depth, passed = _walk(brackets, depth, limit)
        yield passed
        at = end


def _before_escape(data: bytes, end: int) -> int:
    """The end of a piece that cuts no escape in two: an even number of backslashes stands before it."""
    start = end
    while start and data[start - 1 : start] == b"\\":
        start -= 1
    return end - (end - start) % 2


def _structure(data: bytes) -> bytes:
    if b'\\"' in data:
        data = data.replace(b"\\\\", b"").replace(b'\\"', b"")
    # A closing quote next to an opening one: two strings become one, which changes nothing outside of them.
    return data.translate(None, _NOT_STRUCTURE).replace(b'""', b"")


def _walk(brackets: bytes, depth: int, limit: int) -> tuple[int, bool]:
    """The depth behind these brackets, and whether it passed the limit on the way."""
    at = 0
    while at < len(brackets):
        room = limit - depth
        block = brackets[at : at + (room if room > _NEAR else _BLOCK)]
        if room <= _NEAR and max(accumulate(map(_STEPS.__getitem__, block))) > room:
            return depth, True
        # A block no longer than the room left cannot pass the limit, wherever its brackets stand.
        depth += 2 * (block.count(b"[") + block.count(b"{")) - len(block)
        at += len(block)
    return depth, False
