"""How the text notations spell values: bare where nothing can be mistaken, as a JSON string otherwise."""

import re
from functools import lru_cache
from typing import Any

from service.core import markers, values

_LITERAL = re.compile(r"(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|-?Infinity|NaN)\Z")
_CELL = re.compile(
    r"""(?![\s"…#=-])[^\x00-\x1f\x7f\x85\u2028\u2029,\[\]{}"]+(?<!\s)\Z|-(?![\s-])[^\x00-\x1f\x7f\x85\u2028\u2029,\[\]{}"]+(?<!\s)\Z"""
)
_LINE = re.compile(r"""(?![\s"\[{…|])[^\x00-\x1f\x7f\x85\u2028\u2029]+(?<!\s)\Z""")
_KEY = re.compile(r"(?![-#@])[\w$@/+*#-]+(?: [\w$@/+*#-]+)*\Z")
SHORT = 60  # characters of a key that is remembered
DEEP = 40  # containers below are JSON
_BREAKS = str.maketrans({"\x85": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029", "\x7f": "\\u007f"})


def quoted(text: str) -> str:
    """A JSON string that stays on its line."""
    return values.encode(text).decode().translate(_BREAKS)


def scalar(value: Any) -> str:
    """Anything but a string or container."""
    if type(value) is values.Number:
        return value.text
    if value is None or value is True or value is False:
        return "null" if value is None else "true" if value else "false"
    return str(value)


def cell(value: Any, depth: int = 0) -> str:
    """A value among others on a line."""
    if type(value) is str:
        return value if _CELL.match(value) and not _LITERAL.match(value) else quoted(markers.escape(value))
    return inline(value, depth) if type(value) in (dict, list) else scalar(value)


def line(value: Any) -> str:
    """A value that has the rest of its line."""
    if type(value) is str:
        plain = _LINE.match(value) and markers.MARK not in value
        return value if plain and not _LITERAL.match(value) else quoted(markers.escape(value))
    return inline(value) if isinstance(value, dict | list) else scalar(value)


def plain(value: Any) -> str:
    """Anything but a string as JSON: for its size, and for what is too deep to be spelled step by step."""
    return values.encode(value).decode() if type(value) in (dict, list) else scalar(value)


def inline(value: Any, depth: int = 0) -> str:
    """A container on one line: JSON with as few quotes as it can do with."""
    if depth > DEEP:
        return plain(value).translate(_BREAKS)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key(name)}: {cell(child, depth + 1)}" for name, child in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(cell(child, depth + 1) for child in value) + "]"
    return cell(value)


def key(name: str) -> str:
    """A key on its own."""
    return _short_key(name) if len(name) <= SHORT else _key(name)


def _key(name: str) -> str:
    return name if _KEY.match(name) else quoted(markers.escape_key(name))


_short_key = lru_cache(maxsize=4096)(_key)  # keys come again in every object, and in every render of it
