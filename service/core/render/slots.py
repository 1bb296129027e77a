"""What fills a slot of a template: a value of the row, as one line, through its filters."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from service.core import values
from service.core.render.wording import Filled, Slot
from service.core.shorten import ago, moment, short_id

_BREAKS = re.compile(r"\s*[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]\s*")
_LOSSY = frozenset(("short", "cut", "first", "last", "ago", "len"))
ABSENT = object()


@dataclass(frozen=True, slots=True)
class Scope:
    """Where slots look: what is known of the list, the row, and the time that relative times count from."""

    known: dict[str, Any]
    row: Any
    as_of: str | None
    known_first: bool = False

    def now(self) -> datetime | None:
        """The time that relative times count from."""
        return moment(self.as_of) if self.as_of else None


@dataclass(frozen=True, slots=True)
class Fill:
    """Fills the slots of one row; None when the value is missing."""

    scope: Scope

    def __call__(self, slot: Slot) -> Filled | None:
        """What stands in a slot."""
        path, value = self._find(slot)
        if value is ABSENT:
            spare = next((text for name, text in slot.filters if name == "default"), None)
            return None if spare is None else Filled(spare)
        if slot.forms:
            return Filled(slot.forms[value != 1], path)
        text = full = plain(value)
        for name, argument in slot.filters:
            text = plain(value := _FILTERS[name](value, argument, self.scope))
        lossy = any(name in _LOSSY for name, _ in slot.filters)
        return Filled(text, path, min(len(text), len(full)) if lossy else len(full), len(full))

    def _find(self, slot: Slot) -> tuple[tuple[str, ...] | None, Any]:
        for path in slot.paths:
            spots = [(None, self.scope.known.get(path[0], ABSENT) if len(path) == 1 else ABSENT)]
            own: list[tuple[Any, Any]] = [(path, at(self.scope.row, path))]
            for place, value in spots + own if self.scope.known_first else own + spots:
                if value is not ABSENT and value is not None:
                    return place, value
        return None, ABSENT


def at(row: Any, path: tuple[str, ...]) -> Any:
    """What stands at a path, or ABSENT; no list is entered."""
    for segment in path:
        if not isinstance(row, dict) or segment not in row:
            return ABSENT
        row = row[segment]
    return row


def plain(value: Any) -> str:
    """A value as one line of text: a line break in it cannot forge a row."""
    if isinstance(value, str):
        return _BREAKS.sub(" ", value).strip() if not value.isprintable() else value
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return ", ".join(map(plain, value))
    return "" if value is None else values.encode(value).decode()


def _percent(value: Any, argument: str, scope: Scope) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float) or not value:
        return "" if not value else plain(value)
    return f"{value * 100:.0f}%" if -1 <= value <= 1 else f"{value:.0f}%"


def _ago(value: Any, argument: str, scope: Scope) -> Any:
    now = scope.now()
    return ago(value, now) if now and isinstance(value, str) else value


def _cut(value: Any, argument: str, scope: Scope) -> str:
    """At most so many characters, at a word where there is one, `...` included."""
    text, room = plain(value), int(argument)
    if len(text) <= room:
        return text
    head = text[: max(0, room - 3)]
    before = head.rfind(" ") if not text[len(head) : len(head) + 1].isspace() else len(head)
    return (head[:before].rstrip() if before > 0 else head) + "..."[: max(0, room)]


def _end(value: Any, index: int) -> Any:
    return (value[index] if value else "") if isinstance(value, list) else value


_FILTERS: dict[str, Callable[[Any, str, Scope], Any]] = {
    "words": lambda value, _, __: plain(value).replace("_", "-").lower(),
    "percent": _percent,
    "ago": _ago,
    "short": lambda value, _, __: short_id(value) if isinstance(value, str) else value,
    "upper": lambda value, _, __: plain(value).upper(),
    "lower": lambda value, _, __: plain(value).lower(),
    "first": lambda value, _, __: _end(value, 0),
    "last": lambda value, _, __: _end(value, -1),
    "default": lambda value, argument, _: value if plain(value) else argument,
    "cut": _cut,
    "len": lambda value, _, __: len(value) if isinstance(value, list | dict) else value,
}
