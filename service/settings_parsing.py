"""Parsers of setting values: text in, value out, ValueError with the expected form."""

import ipaddress
import re
from collections.abc import Callable

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_SPANS = {"": 1.0, "MS": 0.001, "S": 1.0, "M": 60.0, "H": 3600.0}


def text(value: str) -> str:
    """Any text."""
    return value


def whole(value: str) -> int:
    """A whole number from 0."""
    if not re.fullmatch(r"\d{1,12}", value, re.ASCII):
        raise ValueError(f"expected a whole number, got {value!r}")
    return int(value)


def count(value: str) -> int:
    """A whole number from 1."""
    if whole(value) < 1:
        raise ValueError(f"expected a whole number from 1, got {value!r}")
    return int(value)


def port(value: str) -> int:
    """A TCP port."""
    if not value.isdecimal() or int(value) > 65535:
        raise ValueError(f"expected a port from 0 to 65535, got {value!r}")
    return int(value)


def size(value: str) -> int:
    """Bytes: 16777216, 16M or 16MiB."""
    match = re.fullmatch(r"(\d{1,15})\s*([KMG]?)(?:I?B)?", value.upper(), re.ASCII)
    if not match or not int(match[1]):
        raise ValueError(f"expected a size such as 16MiB or 16777216, got {value!r}")
    return int(match[1]) * _UNITS[match[2]]


def size_or_none(value: str) -> int | None:
    """Bytes, or nothing for no bound."""
    return size(value) if value else None


def seconds(value: str) -> float:
    """A time: 30, 1.5s, 250ms, 10m or 1h."""
    match = re.fullmatch(r"(\d{1,9}(?:\.\d{1,6})?)\s*(MS|S|M|H)?", value.upper(), re.ASCII)
    if not match:
        raise ValueError(f"expected a time such as 30, 1.5s or 10m, got {value!r}")
    return float(match[1]) * _SPANS[match[2] or ""]


def one_of(*words: str) -> Callable[[str], str]:
    """A parser of one of these words, in any case."""
    known = {word.lower(): word for word in words}

    def parse(value: str) -> str:
        if value.lower() not in known:
            raise ValueError(f"expected one of {', '.join(words)}, got {value!r}")
        return known[value.lower()]

    return parse


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a listener on `host`."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"
