"""How deep JSON is nested, at C speed: strings are dropped in bulk, brackets are counted in blocks."""

from itertools import accumulate

_NOT_STRUCTURE = bytes(set(range(256)) - set(b'[]{}"'))
_STEPS = [0] * 256
for _byte, _step in ((b"[", 1), (b"{", 1), (b"]", -1), (b"}", -1)):
    _STEPS[_byte[0]] = _step
_NEAR = 64  # closer to the limit than this, blocks would be too short to pay
_BLOCK = 4096


def deeper_than(data: bytes, limit: int) -> bool:
    """Whether valid JSON is nested deeper than `limit`."""
    if data.count(b"[") + data.count(b"{") <= limit:
        return False
    return _passes(_brackets(data), limit)


def _brackets(data: bytes) -> bytes:
    if b"\\" in data:
        data = data.replace(b"\\\\", b"").replace(b'\\"', b"")
    # A closing quote next to an opening one: two strings become one, which changes nothing outside of them.
    kept = data.translate(None, _NOT_STRUCTURE).replace(b'""', b"")
    return b"".join(kept.split(b'"')[::2]) if b'"' in kept else kept


def _passes(brackets: bytes, limit: int) -> bool:
    depth = at = 0
    while at < len(brackets):
        room = limit - depth
        block = brackets[at : at + (room if room > _NEAR else _BLOCK)]
        if room <= _NEAR and max(accumulate(map(_STEPS.__getitem__, block))) > room:
            return True
        # A block no longer than the room left cannot pass the limit, wherever its brackets stand.
        depth += 2 * (block.count(b"[") + block.count(b"{")) - len(block)
        at += len(block)
    return False
