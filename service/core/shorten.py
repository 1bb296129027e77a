"""Shorten: long ids to their last characters, unique in the answer, and times to how long ago they were."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from service.core.globs import Machine, State, Tree
from service.core.paths import EACH
from service.core.tally import Place, Tally

TAIL = 8  # characters of an id that stay, more when two would look alike
_ID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{24,64}", re.IGNORECASE)
_TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)", re.IGNORECASE)
_MINUTE, _HOUR, _DAY, _MONTH, _YEAR = 60, 3600, 86400, 30, 365


def shorten(value: Any, guard: Tree, tally: Tally, *, ids: bool, as_of: str | None, at: tuple[str, ...] = ()) -> Any:
    """The value with ids and times in short; guarded fields stay as they are."""
    machine, now = Machine(guard), moment(as_of) if as_of else None
    known = short_ids(_all_ids(value)) if ids else {}

    def short(text: str) -> str:
        return known.get(text) or (ago(text, now) if now else text)

    return _walk(value, machine, machine.at(at), (), short, tally)


def _walk(value: Any, machine: Machine, state: State, place: Place, short: Callable[[str], str], tally: Tally) -> Any:
    if state.ends:
        return value
    if isinstance(value, dict):
        return {
            key: _walk(child, machine, machine.key(state, key), (*place, key), short, tally)
            for key, child in value.items()
        }
    if isinstance(value, list):
        inner = (*place, EACH)
        return [
            _walk(child, machine, machine.element(state, index), inner, short, tally)
            for index, child in enumerate(value)
        ]
    if not isinstance(value, str):
        return value
    brief = short(value)
    if brief != value:
        tally.reduced(place, "text", value[: len(value) - len(brief)], len(brief), len(value))
    return brief


def _all_ids(value: Any) -> list[str]:
    found, todo = dict[str, None](), [value]
    while todo:
        here = todo.pop()
        if isinstance(here, dict):
            todo.extend(here.values())
        elif isinstance(here, list):
            todo.extend(here)
        elif isinstance(here, str) and 24 <= len(here) <= 64 and _ID.fullmatch(here):
            found[here] = None
    return list(found)


def short_ids(ids: list[str]) -> dict[str, str]:
    """The short form of each id: `...` and as many of its last characters as no other id ends with."""
    short: dict[str, str] = {}
    waiting, size = sorted(set(ids)), TAIL
    while waiting and size < 60:
        tails: dict[str, list[str]] = {}
        for one in waiting:
            tails.setdefault(one[-size:].lower(), []).append(one)
        for same in tails.values():
            if len(same) == 1 and size + 3 < len(same[0]):
                short[same[0]] = "..." + same[0][-size:]
        waiting, size = [one for same in tails.values() if len(same) > 1 for one in same], size + 4
    return short


def short_id(text: str) -> str:
    """An id alone, in short; what is short already, or no id at all, stays."""
    return short_ids([text]).get(text, text) if _ID.fullmatch(text) else text


def moment(text: str) -> datetime | None:
    """The moment an ISO time with a zone names; None when there is none (without a zone nobody knows which)."""
    if not _TIME.fullmatch(text):
        return None
    try:
        return datetime.fromisoformat(text.replace(",", ".").upper())
    except (ValueError, OverflowError):
        return None


def ago(text: str, now: datetime) -> str:
    """How long before `now` a time was; a future or unreadable one stays as it is written."""
    if len(text) < 17 or text[4] != "-" or (then := moment(text)) is None:
        return text
    return since(now - then) or text


def since(gap: timedelta) -> str:
    """A span in its largest unit, or nothing when it lies in the future."""
    seconds = gap.days * _DAY + gap.seconds
    if seconds < 0:
        return ""
    if seconds < _DAY:
        steps = ((_HOUR, "h"), (_MINUTE, "m"))
        return next((f"{seconds // size}{unit} ago" for size, unit in steps if seconds >= size), "just now")
    days = gap.days
    if days < _MONTH:
        return f"{days}d ago"
    return f"{min(days // _MONTH, 11)}mo ago" if days < _YEAR else f"{days // _YEAR}y ago"
