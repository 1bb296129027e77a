"""What a call in a Python repr stands for: dates, decimals, ordered dictionaries, records."""

import re
from typing import Any

_SHELLS = frozenset(
    ("deque", "set", "frozenset", "list", "tuple", "array", "dict", "OrderedDict", "Counter", "defaultdict")
)
_SHELLS |= {
    "dict_values",
    "dict_keys",
    "dict_items",
    "mappingproxy",
    "tensor",
    "bytearray",
    "odict_values",
    "ndarray",
    "str",
    "Some",
    "Ok",
    "Box",
    "Rc",
    "Arc",
    "Mutex",
}
_DATES = frozenset(("datetime", "date", "time", "DatetimeWithNanoseconds"))
_MODULE = re.compile(r"^(?:\w+\.)+")


def called(name: str, args: list[Any], named: dict[str, Any]) -> Any:
    """The value of `Name(args, named)`: what a reader takes it for."""
    if name.endswith(")"):  # `Map(2) {...}` and `Set(2) {...}` of JavaScript
        return named or args
    short = _MODULE.sub("", name)
    if short in _DATES and args and all(type(arg) is int for arg in args):
        return _date(short, args, named)
    if short in ("defaultdict", "OrderedDict", "Counter", "dict") and args and _pairs(args[-1]) is not None:
        return {**(_pairs(args[-1]) or {}), **named}
    if short in _SHELLS and len(args) <= 2:
        return args[0] if args else ({} if short in ("OrderedDict", "Counter", "dict", "defaultdict") else [])
    if len(args) == 1 and set(named) <= {"dtype", "tzinfo", "tz"} and not isinstance(args[0], dict | list):
        return args[0]
    if named and not args:
        return {"@type": short, **named}
    return {"@type": short, "args": args, **named} if args else f"{name}()"


def _pairs(value: Any) -> dict[str, Any] | None:
    if isinstance(value, dict):
        return value
    if isinstance(value, list) and all(isinstance(pair, list) and len(pair) == 2 for pair in value):
        return {key_text(key): item for key, item in value}
    return None


def key_text(key: Any) -> str:
    """A key that is no string, as JSON would name it."""
    if isinstance(key, str):
        return key
    if key is None or isinstance(key, bool):
        return {None: "null", True: "true", False: "false"}[key]
    text = getattr(key, "text", None)
    return text if isinstance(text, str) else str(key)


def _date(kind: str, parts: list[int], named: dict[str, Any]) -> str:
    if kind == "time":
        return ":".join(f"{part:02}" for part in [*parts, 0][:3])
    day = "-".join(f"{part:02}" for part in parts[:3])
    if kind == "date":
        return day
    clock = ":".join(f"{part:02}" for part in [*parts[3:6], 0, 0, 0][:3])
    micro = f".{parts[6]:06}" if len(parts) > 6 else ""
    zone = named.get("tzinfo", "")
    return f"{day} {clock}{micro}{'+00:00' if zone and 'utc' in str(zone).lower() else ''}"
