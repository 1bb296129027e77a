"""Records that are the entries of a log, as lines: they fold to templates, which rows of a table do not."""

import re
from collections.abc import Sequence
from typing import Any

from service.core.forms.logs import is_entry
from service.core.values import Number, encode

FEW, SAMPLE = 30, 200  # a shorter list is no log; so many records are looked at
MOST = 0.8  # of them say when, how bad and what
_BEHIND = frozenset({"prefix"})  # what stood before a record on its line
_TIME = frozenset("time ts timestamp @timestamp datetime asctime date t eventtime".split())
_LEVEL = frozenset("level lvl severity levelname loglevel log_level log.level @l action".split())
_SAID = frozenset("msg message event log text output textpayload @m @mt".split())
_HEADS = (_BEHIND, _TIME, _LEVEL, _SAID)
_PLACES = {name: place for place, names in enumerate(_HEADS) for name in sorted(names)}
_DOCKER, _CLOUDWATCH = frozenset({"log", "stream", "time"}), frozenset({"message", "timestamp", "ingestiontime"})
_GO_TEST = frozenset({"time", "action", "package"})
_RAW = "line"  # a line between records, as the readers keep it
_SPEAKS = re.compile(r"[^\x00-\x08\x0a-\x1f\x7f\x85\u2028\u2029]+\Z")  # stays on its line
_BARE = re.compile(r"[^\x00-\x20\x7f\x85\u2028\u2029\"={}\[\]]+\Z")  # and is one word


def event_lines(value: list[Any], told: Sequence[str] = ()) -> Sequence[str] | None:
    """One line per record: as it stood there, or time, level, message and `name=value`; None when this is no log."""
    if len(value) < FEW or not _is_log(value[:: max(1, len(value) // SAMPLE)]):
        return None
    return told or [_line(record) if isinstance(record, dict) else _told(record, _SPEAKS) for record in value]


def _is_log(records: list[Any]) -> bool:
    good = sum(isinstance(record, dict) and _is_entry(record) for record in records)
    return good >= MOST * len(records) and any(isinstance(record, dict) and len(record) > 1 for record in records)


def _is_entry(record: dict[str, Any]) -> bool:
    """Whether a record says when something happened, how bad it is and what it is; or is a line of its own."""
    if record.keys() == {_RAW}:
        return True
    names = {name.lower() for name in record}
    before = record.get("prefix")
    if isinstance(before, str) and is_entry(before):
        return True
    if names >= _DOCKER or names >= _CLOUDWATCH or names >= _GO_TEST:
        return True
    return not (_TIME.isdisjoint(names) or _LEVEL.isdisjoint(names) or _SAID.isdisjoint(names))


def _line(record: dict[str, Any]) -> str:
    """One record: what heads it as it is, what follows by name."""
    heads, rest = [""] * len(_HEADS), list[str]()
    for name, value in record.items():
        place = _PLACES.get(name.lower(), -1)
        if name == _RAW and len(record) == 1:
            place = len(_HEADS) - 1
        bare = isinstance(value, str) or (place == 1 and not isinstance(value, dict | list))
        if place < 0 or heads[place] or not bare:
            rest.append(f"{name}={_told(value, _BARE)}")
        else:
            heads[place] = _told(value, _SPEAKS)
    return " ".join([*filter(None, heads), *rest])


def _told(value: Any, plain: re.Pattern[str]) -> str:
    """A value as it is, or as JSON where it would not stay on its line or be told from what follows."""
    if isinstance(value, str) and value:
        text = value[:-1] if value.endswith("\n") else value
        return text if plain.match(text) else encode(text).decode()
    return value.text if isinstance(value, Number) else encode(value).decode()
