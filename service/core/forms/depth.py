"""How deeply brackets are nested in JSON-like bytes, without decoding them."""

import re
from itertools import accumulate

DEPTH = 500
_KEPT = b'"[]{}'
_OTHERS = bytes(b for b in range(256) if b not in _KEPT)
_STEP = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
_STRING = re.compile(rb'"[^"]*"')


def deeper(data: bytes, limit: int = DEPTH) -> bool:
    """Whether JSON bytes nest deeper than the limit; linear, and mostly at the speed of bytes.replace."""
    if data.count(b"[") + data.count(b"{") <= limit:
        return False
    bare = data.replace(b"\\\\", b"").replace(b'\\"', b"").translate(None, _OTHERS).replace(b'""', b"")
    bare = _STRING.sub(b"", bare).replace(b"[]", b"").replace(b"{}", b"").replace(b"[]", b"").translate(None, b'"')
    return max(accumulate(map(_STEP.__getitem__, bare)), default=0) + 2 > limit
