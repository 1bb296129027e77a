"""JSON by its bytes: descend, list and compare slices without decoding what nobody will see."""

import re
from array import array
from collections.abc import Sequence
from itertools import accumulate

import msgspec
from msgspec import Raw

from service.core import values
from service.core.paths import is_index

_LIST = msgspec.json.Decoder(list[Raw])
_OBJECT = msgspec.json.Decoder(dict[str, Raw])
_GAP = re.compile(rb"[\s,]*")
_SPACE = b" \t\r\n"
_GAP_BYTES = _SPACE + b","
_BETWEEN = frozenset(_GAP_BYTES)
_DEEPEST_LIST = 24  # a list is looked for so many objects down: every level is one pass over its bytes


def first_byte(data: bytes | Raw) -> bytes:
    """The byte that tells what kind of JSON value this is."""
    return bytes(memoryview(data)[:64]).lstrip(_SPACE)[:1] or bytes(data).lstrip(_SPACE)[:1]


def is_list(data: bytes | Raw) -> bool:
    """Whether the JSON text is an array."""
    return first_byte(data) == b"["


def is_object(data: bytes | Raw) -> bool:
    """Whether the JSON text is an object."""
    return first_byte(data) == b"{"


def elements(data: bytes | Raw) -> list[Raw]:
    """The elements of a JSON array, undecoded."""
    return _LIST.decode(data)


def members(data: bytes | Raw) -> dict[str, Raw]:
    """The members of a JSON object, undecoded; the last of equal keys wins."""
    return _OBJECT.decode(data)


def starts(data: bytes, parts: Sequence[Raw]) -> "array[int]":
    """Where every element of the array that `data` is starts, and at the end where the last one ends."""
    if not parts:
        return array("I", [0])
    first = _start(data, data.index(b"[") + 1)
    lengths = list(map(len, parts))
    gap = _start(data, first + lengths[0]) - first - lengths[0] if len(parts) > 1 else 1
    found = list(accumulate(map(gap.__add__, lengths), initial=first))
    found[-1] -= gap
    if not _verified(data, found, gap):
        found = _one_by_one(data, first, lengths)
    return array("I", found)


def _verified(data: bytes, found: list[int], gap: int) -> bool:
    """Whether elements that stand `gap` bytes apart really start there: no bytes but a gap's stand before one."""
    if gap > 2 or found[-1] >= len(data):
        return False
    heads = map(data.__getitem__, found[:-1])
    if not _BETWEEN.isdisjoint(heads):
        return False
    return gap == 1 or _BETWEEN.issuperset(map(data.__getitem__, [start - 1 for start in found[1:-1]]))


def _one_by_one(data: bytes, first: int, lengths: list[int]) -> list[int]:
    found, start, end = [], first, first
    for length in lengths:
        found.append(start)
        end = start + length
        start = _start(data, end)
    return [*found, end]


def _start(data: bytes, at: int) -> int:
    """Where the next element begins."""
    found = _GAP.match(data, at)
    return found.end() if found else at


def element(data: bytes, start: int, behind: int) -> bytes:
    """One element: what stands between its start and the next one's, without the gap."""
    return data[start:behind].rstrip(_GAP_BYTES)


def at_path(data: bytes, steps: Sequence[str]) -> bytes | None:
    """The JSON text at a path, as it was written; None when nothing is there. Enters JSON inside strings."""
    if not steps:
        return data
    here: bytes | Raw = data
    for step in steps:
        kind = first_byte(here)
        if kind == b'"':
            inner = inside(here)
            if inner is None:
                return None
            here, kind = inner, first_byte(inner)
        found: Raw | None = None
        if kind == b"{":
            found = members(here).get(step)
        elif kind == b"[" and is_index(step):
            parts = elements(here)
            found = parts[int(step)] if int(step) < len(parts) else None
        if found is None:
            return None
        here = found
    return bytes(here).strip(_SPACE)


def inside(data: bytes | Raw) -> bytes | None:
    """The JSON array or object that stands inside a JSON string, or None."""
    text: str = msgspec.json.decode(data)
    inner = text.encode()
    return inner if holds(inner) else None


def holds(data: bytes) -> bool:
    """Whether a text is a JSON array or object."""
    if first_byte(data) not in (b"[", b"{"):
        return False
    try:
        msgspec.json.decode(data, type=Raw)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def largest_list(data: bytes) -> tuple[str, ...] | None:
    """Path of the array with most bytes among the members of an object, at any level that is not inside an array."""
    best: tuple[str, ...] | None = None
    best_size = 0
    front: list[tuple[tuple[str, ...], bytes | Raw]] = [((), data)]
    for _ in range(_DEEPEST_LIST):
        below: list[tuple[tuple[str, ...], bytes | Raw]] = []
        for path, here in front:
            for key, part in members(here).items():
                size, kind = len(memoryview(part)), first_byte(part)
                if kind == b"[" and size > best_size:
                    best, best_size = (*path, key), size
                elif kind == b"{":
                    below.append(((*path, key), part))
        front = [(path, part) for path, part in below if len(memoryview(part)) > best_size]
        if not front:
            break
    return best


def replaced(data: bytes | Raw, steps: Sequence[str], value: bytes) -> bytes:
    """The same JSON with the value at a path of object keys and indexes replaced."""
    if not steps:
        return value
    head, rest = steps[0], steps[1:]
    if is_object(data):
        fields = members(data)
        fields[head] = Raw(replaced(fields[head], rest, value))
        return msgspec.json.encode(fields)
    parts = elements(data)
    parts[int(head)] = Raw(replaced(parts[int(head)], rest, value))
    return msgspec.json.encode(parts)


_NUMBER, _WORD, _FLAG, _PART, _MISSING = range(5)  # kinds of sort keys, in the order in which they stand


def sort_key(part: bytes, steps: Sequence[str]) -> tuple[int, float, str]:
    """Orders items by one field: its kind, then a number or a text; a missing one is last of all."""
    found = at_path(part, steps) if first_byte(part) in (b"{", b"[") else None
    value = None if found is None else values.decode(found)
    if value is None or found is None:
        return (_MISSING, 0.0, "")
    if isinstance(value, bool):
        return (_FLAG, float(value), "")
    if isinstance(value, dict | list):
        return (_PART, 0.0, found.decode())
    return (_WORD, 0.0, value) if isinstance(value, str) else (_NUMBER, float(value), "")


def ordered(items: Sequence[bytes], sort: str, steps: Sequence[str]) -> list[int]:
    """Offsets of the items in stable order by their commonest kind of key; other kinds and missing keys stay last."""
    keys = [sort_key(item, steps) for item in items]
    kinds: list[list[int]] = [[] for _ in range(_MISSING + 1)]
    for index in sorted(range(len(keys)), key=keys.__getitem__, reverse=sort.startswith("-")):
        kinds[keys[index][0]].append(index)
    main = max(range(_PART), key=lambda kind: len(kinds[kind]))
    kinds.insert(0, kinds.pop(main))
    return [index for kind in kinds for index in kind]
