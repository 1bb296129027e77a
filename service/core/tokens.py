"""How many tokens a text costs, counted without a vocabulary.

A tokenizer's merges follow what a character is and what stands before it, so the estimate is a sum over the bytes, each
weighing what three tables say:

  A  the class of the byte (space, digit, vowel, bracket, ...) after a state of the two bytes before it
  B  the letter after the letter before it: this tells words from hashes
  E  outside ASCII only: the second byte of a UTF-8 sequence after its lead byte, which names the script

A sum is additive and never negative: adding text never lowers it, and the costs of items come from one pass over what
holds them. All of it runs at C speed: `translate` turns bytes into 4-bit codes, one big integer `x | x << 12` brings
every code together with the one before it in one byte, `translate` turns these pairs into weights, and `adler32` adds
them up, 512 at a time (512 x 127 < 65521, so its low half is the sum).
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple
from zlib import adler32

from service.core.token_weights import ROWS

CHARS4 = "chars4"  # the named method of the requirements: code points / 4, plus 20 %
FAMILIES: tuple[str, ...] = (*ROWS, CHARS4)
EXACT_BYTES = 1 << 20  # longer texts are sampled
WINDOWS, WINDOW = 128, 512  # many small windows beat few large ones: within 1.5 % at p95
_SMALL = 4096  # what fits goes out as it came and is asked for at every stop on its way: remember the last few
CELL = 512  # so many weights are surely added up by one adler32
_BLOCK = 1 << 16  # this much is weighed at a time: what it takes on the way stays small

_ASCII = bytes(range(128))
_CONTINUATION = bytes(range(0x80, 0xC0))
_CODE_POINT = bytes(0 if 0x80 <= byte < 0xC0 else 30 for byte in range(256))


def _codes(*groups: Sequence[int]) -> bytes:
    """A translation of each byte to the number of its group, from 1; 0 when it is in none."""
    table = bytearray(256)
    for code, group in enumerate(groups, 1):
        for byte in group:
            table[byte] = code
    return bytes(table)


def _between(*edges: int) -> list[range]:
    return [range(low, high) for low, high in pairwise(edges)]


_CLASS = _codes(
    *(b" ", b"\n\r", b"\t", b"0123456789"),
    *(b"aeiou", b"cdhlnrst", b"bfgjkmpqvwxyz", b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    *(b"\"'", b",:;", b"()<>[]{}", b"-./_", b"!#$%&*+=?@\\^`|~"),
    *(range(0xC0, 0x100), range(0x80, 0xC0)),
)
_LETTER = _codes(
    *(b"Aa", b"Ee", b"Ii", b"Oo", b"Uu", b"Tt", b"Nn", b"Ss", b"Rr", b"Hh"),
    *(b"DLdl", b"CMPcmp", b"BFGbfg", b"KVWYkvwy", b"JQXZjqxz"),
)
_LEAD = _codes(
    *_between(0xC2, 0xC4, 0xCC, 0xD0, 0xD5, 0xD8, 0xE0, 0xE1),  # Latin, Greek, Cyrillic, Hebrew, Arabic
    *_between(0xE1, 0xE2, 0xE3, 0xE4, 0xE7, 0xEA, 0xEE, 0xF0, 0xF5),  # India, signs, kana, Han, Hangul, emoji
)
_SECOND = _codes(*_between(*range(0x84, 0xC1, 4)))
_AFTER = {  # the state after a byte of each class, where the byte before it was ...
    "any": bytes((0, 1, 3, 0, 4, 9, 9, 9, 6, 13, 13, 13, 13, 13, 15, 15)),
    "space": bytes((0, 2, 3, 0, 4, 9, 9, 9, 6, 13, 13, 13, 13, 13, 15, 15)),
    "digit": bytes((0, 1, 3, 0, 5, 9, 9, 9, 6, 13, 13, 13, 13, 13, 15, 15)),
    "lower": bytes((0, 1, 3, 0, 4, 11, 12, 12, 8, 13, 13, 13, 13, 13, 15, 15)),
    "upper": bytes((0, 1, 3, 0, 4, 10, 10, 10, 7, 13, 13, 13, 13, 13, 15, 15)),
    "sign": bytes((0, 1, 3, 0, 4, 9, 9, 9, 6, 14, 14, 14, 14, 14, 15, 15)),
}
_BEFORE = "any space any any digit lower lower lower upper sign sign sign sign sign any any"
_STATE = b"".join(_AFTER[before] for before in _BEFORE.split())


class _Tables(NamedTuple):
    """The weights of a family by pair: A and B in hundredths of a token, E in thirtieths."""

    a: bytes
    b: bytes
    e: bytes


class _Pairs(NamedTuple):
    """What the tables are asked for, a byte for each byte of the text and a few behind it that do not count."""

    a: bytes
    b: bytes
    e: bytes


@cache
def _tables(family: str) -> _Tables:
    rows = ROWS[family].split()
    return _Tables(*(bytes.fromhex("".join(rows[table::3])) for table in range(3)))


@cache
def _low_halves() -> int:
    return int.from_bytes(b"\x0f" * (EXACT_BYTES + 2), "little")


def _halves(data: bytes, low: bytes, high: bytes) -> tuple[int, int]:
    """The codes of two translations, as integers: one look at the text for both."""
    both = int.from_bytes(data.translate(_merged(low, high)), "little")
    return both & _low_halves(), both >> 4 & _low_halves()


@cache
def _merged(low: bytes, high: bytes) -> bytes:
    return bytes(one | other << 4 for one, other in zip(low, high, strict=True))


def _after(codes: int, before: int, size: int) -> bytes:
    """Byte i: code i in its low half, what stands before it in its high half."""
    return (codes | before << 12).to_bytes(size, "little")


def _pairs(data: bytes, wide: bytes) -> _Pairs:
    """The work that is the same for every family; `wide` is what E looks at."""
    size = len(data) + 2
    classes, letters = _halves(data, _CLASS, _LETTER)
    states = int.from_bytes(_after(classes, classes, size).translate(_STATE), "little")
    scripts = wide and _after(*_halves(wide, _SECOND, _LEAD), len(wide) + 2)
    return _Pairs(_after(classes, states, size + 2), _after(letters, letters, size), scripts)


def _sum(weights: bytes | memoryview, start: int, stop: int) -> int:
    if stop - start <= CELL:
        return adler32(weights[start:stop], 0) & 0xFFFF
    part = memoryview(weights)[:stop]
    total = 0
    for i in range(start, stop, CELL):
        total += adler32(part[i : i + CELL], 0) & 0xFFFF
    return total


def _weigh(data: bytes, family: str) -> float:
    """The estimate before it is rounded."""
    wide = b"" if data.isascii() else data.translate(None, _ASCII)
    pairs, tables = _pairs(data, wide), _tables(family)
    hundredths = _sum(pairs.a.translate(tables.a), 0, len(data)) + _sum(pairs.b.translate(tables.b), 0, len(data))
    return hundredths / 100 + (_sum(pairs.e.translate(tables.e), 0, len(wide)) / 30 if wide else 0)


_again = lru_cache(maxsize=64)(_weigh)


def _sampled(data: bytes, family: str) -> float:
    step = (len(data) - WINDOW) / (WINDOWS - 1)
    sample = b"".join(data[int(i * step) : int(i * step) + WINDOW] for i in range(WINDOWS))
    return _weigh(sample, family) * len(data) / len(sample)


def _code_points(data: bytes) -> int:
    return len(data.translate(None, _CONTINUATION))


def estimate(data: bytes | str, family: str = "claude") -> int:
    """The tokens of a text: 0 only when it is empty, sampled when it is longer than EXACT_BYTES."""
    if isinstance(data, str):
        data = data.encode("utf-8", "surrogatepass")
    if not data:
        return 0
    if family == CHARS4:
        return -(-3 * _code_points(data) // 10) or 1
    weigh = _again if len(data) <= _SMALL else _weigh if len(data) <= EXACT_BYTES else _sampled
    return int(weigh(data, family) + 0.5) or 1


class Weighed:
    """A text weighed once and kept, three bytes for each of its own: any part of it is then summed at C speed."""

    __slots__ = ("_a", "_b", "_e")

    def __init__(self, data: bytes, family: str = "claude") -> None:
        """Weigh every byte in its context."""
        ascii_only = data.isascii()
        blocks = [_block_weights(data, start, family, ascii_only) for start in range(0, len(data), _BLOCK)]
        self._a, self._b, self._e = (
            memoryview(b"".join(parts)) for parts in zip((b"", b"", b""), *blocks, strict=True)
        )

    def cost(self, start: int, stop: int) -> float:
        """The tokens, not rounded, of data[start:stop]."""
        hundredths = _sum(self._a, start, stop) + (_sum(self._b, start, stop) if self._b else 0)
        return hundredths / 100 + (_sum(self._e, start, stop) / 30 if self._e else 0)

    def furthest(self, start: int, stop: int, cost: float) -> int:
        """The last offset, at most CELL behind `start`, up to which the text costs no more than this."""
        a, b, e = self._a, self._b, self._e
        while start < stop:
            middle = (start + stop + 1) // 2
            part = (adler32(a[start:middle], 0) & 0xFFFF) / 100
            if b:
                part += (adler32(b[start:middle], 0) & 0xFFFF) / 100
            if e:
                part += (adler32(e[start:middle], 0) & 0xFFFF) / 30
            if part <= cost:
                start, cost = middle, cost - part
            else:
                stop = middle - 1
        return start

    def cells(self) -> list[float]:
        """The tokens of each CELL bytes."""
        starts = range(0, len(self._a), CELL)
        tables = ((self._a, 100), (self._b, 100), (self._e, 30))
        sums = [[(adler32(table[i : i + CELL], 0) & 0xFFFF) / unit for i in starts] for table, unit in tables if table]
        return list(map(sum, zip(*sums, strict=True)))


def item_costs(data: bytes, bounds: Sequence[int], family: str = "claude") -> list[float]:
    """The tokens, not rounded, of data[bounds[i]:bounds[i + 1]] for each i: in one pass, each item in its context."""
    if not bounds:
        return []
    origin = max(bounds[0] - 2, 0)  # two bytes of what stands before it make a byte's context
    cost = Weighed(data[origin : bounds[-1]], family).cost
    return [cost(start - origin, stop - origin) for start, stop in pairwise(bounds)]


def _block_weights(data: bytes, start: int, family: str, ascii_only: bool) -> tuple[bytes, bytes, bytes]:
    """The weights of a block, by table."""
    if family == CHARS4:
        return data[start : start + _BLOCK].translate(_CODE_POINT), b"", b""
    tables, origin = _tables(family), max(start - 2, 0)
    block = data[origin : start + _BLOCK]
    pairs = _pairs(block, b"" if block.isascii() else block)
    part = slice(start - origin, len(block))
    scripts = (
        pairs.e[part].translate(tables.e) if pairs.e else b"" if ascii_only else bytes(len(block) + origin - start)
    )
    return pairs.a[part].translate(tables.a), pairs.b[part].translate(tables.b), scripts
