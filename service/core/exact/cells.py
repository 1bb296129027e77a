"""How the lossless notation spells the cells of one column."""

import re
from typing import Any

from service.core.exact.refs import Ref
from service.core.rank.columns import ABSENT, Absent
from service.core.render import spelling

LITERAL = re.compile(r"(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|-?Infinity|NaN)\Z")


def spell(value: Any) -> str:
    """Any value among others on a line, references included."""
    if isinstance(value, Ref):
        return f"&{value.label}"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{spelling.key(name)}: {spell(child)}" for name, child in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(spell, value)) + "]"
    if isinstance(value, str) and value.startswith("&"):
        return spelling.quoted(value)
    return spelling.cell(value)


def column(cells: list[Any]) -> tuple[str, list[str]]:
    """The suffix of a column's name, and its cells as text."""
    kinds = set(map(type, cells))
    optional = Absent in kinds
    suffix = "?" if optional else ""
    if kinds - {Absent, type(None)} == {str} and any(type(c) is str and LITERAL.match(c) for c in cells):
        return f"{suffix}:str", [_text(cell, optional) for cell in cells]
    inner = _item_keys(cells) if list in kinds else None
    if inner:
        names = ",".join(map(spelling.key, inner))
        return f"{suffix}[]{{{names}}}", [_items(cell, inner, optional) for cell in cells]
    return suffix, [_plain(cell, optional) for cell in cells]


def _plain(value: Any, optional: bool) -> str:
    if value is ABSENT or (value is None and not optional):
        return ""
    return spell(value)


def _text(value: Any, optional: bool) -> str:
    """A cell of a column of strings: digits need no quotes."""
    if type(value) is not str:
        return _plain(value, optional)
    return value if LITERAL.match(value) and value != "null" else spell(value)


def _item_keys(cells: list[Any]) -> list[str] | None:
    """The fields that all objects in all lists of a column have."""
    lists = [cell for cell in cells if type(cell) is list]
    items = [item for cell in lists for item in cell]
    if len(items) < 3 or len(lists) < len([c for c in cells if c is not ABSENT and c is not None]):
        return None
    if any(type(item) is not dict for item in items):
        return None
    keys = items[0].keys()
    return list(keys) if keys and all(item.keys() == keys for item in items) else None


def _items(value: Any, keys: list[str], optional: bool) -> str:
    if type(value) is not list:
        return _plain(value, optional)
    return "[" + ";".join(",".join(_inner(item[key]) for key in keys) for item in value) + "]"


def _inner(value: Any) -> str:
    """A value between commas and semicolons."""
    text = "" if value is None else spell(value)
    return spelling.quoted(value) if isinstance(value, str) and ";" in text and text[0] != '"' else text
