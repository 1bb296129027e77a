"""Objects that occur again and again are told once, in a table of their own, and called by a label."""

import re
from collections import Counter
from typing import Any

import msgspec

from service.core import values
from service.core.rank.names import kind_of

KEYS, BYTES = 3, 60  # an object below has nothing to win
PAYS = 300  # bytes that the objects of one kind must save
_WORD = re.compile(r"[a-zA-Z]\w*\Z")
_LABEL = re.compile(r"[\w.@-]{1,40}\Z")


class Ref:
    """Stands in a value for an object of a dictionary."""

    __slots__ = ("label",)

    def __init__(self, label: str) -> None:
        self.label = label


def _sized(value: Any) -> Any:
    return msgspec.Raw(value.text.encode()) if isinstance(value, values.Number) else getattr(value, "label", "")


_ENCODER = msgspec.json.Encoder(enc_hook=_sized)


def size(value: Any) -> int:
    """Bytes of a value with references in it, as JSON."""
    return len(_ENCODER.encode(value))


class Shelf:
    """The dictionaries of one value: by name, the label field and the objects by label."""

    def __init__(self) -> None:
        self.tables: dict[str, tuple[str, dict[str, dict[str, Any]]]] = {}


def shelve(value: Any) -> tuple[Any, Shelf]:
    """The value with references in it, and what they refer to."""
    counted: Counter[bytes] = Counter()
    names: dict[bytes, tuple[str, dict[str, Any]]] = {}
    _count(value, "", counted, names)
    groups: dict[tuple[str, ...], list[bytes]] = {}
    for code, count in counted.items():
        if count > 1:
            groups.setdefault(tuple(sorted(names[code][1])), []).append(code)
    shelf, labels = Shelf(), dict[bytes, Ref]()
    taken: set[str] = set()
    for codes in groups.values():
        if sum((counted[code] - 1) * len(code) for code in codes) >= PAYS:
            _shelve_group(codes, names, shelf, labels, taken)
    return _replaced(value, labels), shelf


def _count(value: Any, name: str, counted: "Counter[bytes]", names: dict[bytes, tuple[str, dict[str, Any]]]) -> None:
    if isinstance(value, list):
        for child in value:
            _count(child, name, counted, names)
    elif isinstance(value, dict):
        if len(value) >= KEYS:
            code = values.encode(value)
            if len(code) >= BYTES:
                counted[code] += 1
                names.setdefault(code, (name, value))
                if counted[code] > 1:
                    return  # what is in it was counted the first time
        for key, child in value.items():
            if isinstance(child, dict | list):
                _count(child, key, counted, names)


def _shelve_group(
    codes: list[bytes],
    names: dict[bytes, tuple[str, dict[str, Any]]],
    shelf: Shelf,
    labels: dict[bytes, Ref],
    taken: set[str],
) -> None:
    objects = [names[code][1] for code in codes]
    field = _label_field(objects, taken)
    name = first = re.sub(r"\W", "", names[codes[0]][0]) or "object"
    number = 1
    while name in shelf.tables:
        number += 1
        name = f"{first}{number}"
    told: dict[str, dict[str, Any]] = {}
    for at, (code, one) in enumerate(zip(codes, objects, strict=True)):
        label = str(one[field]) if field else f"{name}.{at}"
        taken.add(label)
        labels[code], told[label] = Ref(label), one
    shelf.tables[name] = field, told


def _label_field(objects: list[dict[str, Any]], taken: set[str]) -> str:
    """The field whose values are short, distinct and not used as labels yet."""
    for field in objects[0]:
        if not _WORD.match(field) or kind_of(field) not in ("name", "id"):
            continue
        found = [one[field] for one in objects]
        short = all(type(one) is str and _LABEL.match(one) and not one.isdigit() for one in found)
        if short and len(set(found)) == len(found) and taken.isdisjoint(found):
            return field
    return ""


def _replaced(value: Any, labels: dict[bytes, Ref]) -> Any:
    if isinstance(value, list):
        return [_replaced(child, labels) for child in value]
    if not isinstance(value, dict):
        return value
    if len(value) >= KEYS:
        known = labels.get(values.encode(value))
        if known is not None:
            return known
    return {key: _replaced(child, labels) for key, child in value.items()}
