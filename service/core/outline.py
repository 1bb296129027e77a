"""Outline: the rung above the one marker. What there is, by name, when not even the best of it could be shown whole."""

from dataclasses import dataclass
from typing import Any

from service.core import markers, values
from service.core.fit import Limits
from service.core.ledger import Ledger, unit_of
from service.core.paths import EACH, spell
from service.core.tokens import estimate
from service.core.truncate import beginning, truncate

SIZES = (200, 60, 24)  # characters that a string may have, tried in turn
GAP = 24  # tokens that the marker of what is not named may take
LOOKED = 200  # fields that are tried
Place = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Outline:
    """A value by its outermost names, containers and long strings as their markers."""

    value: Any
    ledger: Ledger
    named: int = 0  # fields
    full: bool = False  # all of them


def outline(value: Any, limits: Limits) -> Outline | None:
    """The fullest outline within the limits; None when there is nothing to say but one marker."""
    if isinstance(value, str):
        return _text(value, limits)
    if not isinstance(value, dict | list) or not value:
        return None
    best = None
    for chars in SIZES:
        found = _items(value, chars, limits) if isinstance(value, list) else _fields(value, chars, limits, ())
        if found is not None and limits.hold(values.encode(found.value)):
            if found.full:
                return found
            best = found if best is None or found.named > best.named else best
    return best


def _text(value: str, limits: Limits) -> Outline | None:
    """As much of a text as fits, up to the end of a sentence or word."""
    low, high, best = 0, min(len(value) - 1, 8 * limits.tokens), ""
    if markers.MARK in value[:high]:  # lines of it may look like ours
        return None
    while high - low > high // 50 + 8:
        middle = (low + high) // 2
        text = truncate(value, middle)
        if limits.hold(text.encode()):
            low, best = middle, text
        else:
            high = middle
    lost = markers.cut_characters(best)
    if not 0 < lost < len(value):
        return None
    ledger = Ledger()
    ledger.add("", "text", "fit", len(value) - lost, len(value), estimate(value, limits.family))
    return Outline(best, ledger)


def _fields(value: dict[str, Any], chars: int, limits: Limits, path: Place) -> Outline | None:
    """The fields that there is room for, in their order."""
    room, ledger, shown = limits.tokens - GAP, Ledger(), dict[str, Any]()
    for key in list(value)[:LOOKED]:
        name, told = markers.escape_key(key), _brief(value[key], chars)
        cost = estimate(values.encode({name: told}), limits.family)
        if cost <= room:
            room, shown[key] = room - cost, told
    if not shown:
        return None
    hidden = [key for key in value if key not in shown]
    while True:
        body = {markers.escape_key(key): told for key, told in shown.items()}
        if hidden:
            body[markers.MARK] = markers.object_gap(hidden, len(hidden))
        if limits.hold(values.encode(body)) or len(shown) == 1:
            break
        hidden.insert(0, shown.popitem()[0])
    for key in shown:
        _count(value[key], shown[key], (*path, key), ledger)
    if hidden:
        rest = estimate(values.encode({key: value[key] for key in hidden}), limits.family)
        ledger.add(spell(path), "fields", "fit", len(shown), len(value), rest)
    return Outline(body, ledger, len(shown), not hidden)


def _items(value: list[Any], chars: int, limits: Limits) -> Outline | None:
    """The first item, and how many more there are."""
    gap = [markers.array_gap(len(value) - 1, 1, len(value) - 1)] if len(value) > 1 else []
    room = Limits(limits.tokens - GAP, limits.size, limits.family)
    first = value[0]
    found = _fields(first, chars, room, (EACH,)) if isinstance(first, dict) and first else None
    if found is None:
        found = Outline(_brief(first, chars), Ledger(), full=not isinstance(first, dict))
        _count(first, found.value, (EACH,), found.ledger)
    if gap:
        found.ledger.add("", "items", "fit", 1, len(value), estimate(values.encode(value[1:]), limits.family))
    return Outline([found.value, *gap], found.ledger, found.named, found.full)


def _brief(value: Any, chars: int) -> Any:
    """A scalar, or what stands for anything larger."""
    if isinstance(value, dict | list):
        return markers.stand_in(value) if value else value
    if not isinstance(value, str):
        return value
    if len(value) <= chars:
        return markers.escape(value)
    return beginning(value, chars)


def _count(value: Any, told: Any, path: Place, ledger: Ledger) -> None:
    """Writes down what stands for more."""
    if isinstance(value, dict | list) and value:
        ledger.add(spell(path), unit_of(value), "fit", 0, len(value), len(values.encode(value)) / 3.4)
    elif isinstance(value, str) and (lost := markers.cut_characters(told)) and len(told) < len(value):
        ledger.add(spell(path), "text", "fit", len(value) - lost, len(value), lost / 3.4)
