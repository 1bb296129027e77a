"""How deeply brackets are nested in JSON-like bytes, without decoding them."""

import re
from itertools import accumulate

DEPTH = 500
_NO_BRACKET = bytes(b for b in range(256) if b not in b"[]{}")
_OTHERS = bytes(b for b in range(256) if b not in b'"[]{}')
_STEP = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
_STRING = re.compile(rb'"[^"]*"')
_BLOCK = 256


def deeper(data: bytes, limit: int = DEPTH) -> bool:
    """Whether JSON bytes nest deeper than the limit; linear, and mostly at the speed of bytes.translate."""
    if data.count(b"[") + data.count(b"{") <= limit:
        return False
    return not _surely_shallow(data.translate(None, _NO_BRACKET), limit) and _exactly(data, limit)


def _surely_shallow(brackets: bytes, limit: int) -> bool:
    """Whether no block of brackets can reach the limit, those inside strings counted too."""
    level = lowest = 0
    for at in range(0, len(brackets), _BLOCK):
        block = brackets[at : at + _BLOCK]
        opened = block.count(b"[") + block.count(b"{")
        if level - lowest + opened > limit:
            return False
        level += 2 * opened - len(block)
        lowest = min(lowest, level)  # closing ones in strings must not hide opening ones
    return True


def _exactly(data: bytes, limit: int) -> bool:
    bare = data.replace(b"\\\\", b"").replace(b'\\"', b"").translate(None, _OTHERS).replace(b'""', b"")
    bare = _STRING.sub(b"", bare).replace(b"[]", b"").replace(b"{}", b"").translate(None, b'"')
    return max(accumulate(map(_STEP.__getitem__, bare)), default=0) + 2 > limit
