"""What stands inside strings: JSON, reprs, tables and texts in the leaves of a value."""

import re
from dataclasses import dataclass
from typing import Any

from service.core.forms.jsons import read_json, read_jsonl
from service.core.forms.reprs import read_repr
from service.core.kinds import recognise
from service.core.read.ladder import read_text
from service.core.read.promises import promises

_SHORTEST = 24  # a repr or a table is not shorter
_LONG = 300  # from here a text of several lines gets the text engine
_ONE_LINE = 1000  # and a text of one line
_OPENINGS = ("{", "[")
_DEEPEST = 400  # levels, so that no walk over the result meets the recursion limit
_BRANCHES = re.compile(r"\n[│|\s]*(?:[├└]─|[+`|\\]--)")  # of a tree


@dataclass(frozen=True, slots=True)
class Embedded:
    """A string that holds a value: what it says, and the string itself."""

    kind: str
    value: Any
    text: str
    before: str = ""
    after: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Text:
    """A long string that is read line by line."""

    text: str

    @property
    def kind(self) -> str:
        """The contentType it looks like; found when asked for."""
        return recognise(self.text)


def unwrap(value: Any, level: int = 0) -> Any:
    """The value with `Embedded` and `Text` in the place of strings that hold more than words; the rest is shared."""
    if isinstance(value, str):
        return leaf(value, level)
    if level > _DEEPEST or not isinstance(value, dict | list):
        return value
    # One frame per level and no comprehension: 500 levels must stay below the recursion limit.
    changed: Any = None
    for place, item in value.items() if isinstance(value, dict) else enumerate(value):
        kind = type(item)
        if kind is str:
            if len(item) < _SHORTEST and item[:1] not in _OPENINGS:
                continue
            new: Any = leaf(item, level)
        elif kind is dict or kind is list:
            new = unwrap(item, level + 1)
        else:
            continue
        if new is not item:
            changed = value.copy() if changed is None else changed
            changed[place] = new
    return value if changed is None else changed


def leaf(text: str, level: int = 0) -> "str | Embedded | Text":
    """What one string holds: a value, a text to be read by lines, or nothing but itself."""
    start = text[:1] if not text[:1].isspace() else text.lstrip()[:1]
    if start in ("{", "[") and text.rstrip()[-1:] in ("}", "]"):
        found = read_json(text) or read_jsonl(text)
        if found is None and len(text) >= _SHORTEST:
            found = read_repr(text)
            found = found if found is not None and not found.after else None
        if found is not None and found.value and isinstance(found.value, dict | list):
            return Embedded(found.kind, unwrap(found.value, level + 1), text, notes=found.notes)
    if len(text) < _SHORTEST or ("\n" not in text and len(text) < _ONE_LINE):
        return text
    if promises(text):
        found = read_text(text)
        if found.structured and found.value and isinstance(found.value, dict | list):
            value = unwrap(found.value, level + 1)
            return Embedded(found.kind, value, text, found.before, found.after, found.notes)
    long = len(text) >= (_LONG if "\n" in text else _ONE_LINE)
    if long and _BRANCHES.search(text, 0, 2000):
        return Text(str(read_text(text).value))
    return Text(text) if long and " " in text[:500] else text


def plain(value: Any) -> Any:
    """The value without marks: what the strings hold in their place."""
    if isinstance(value, Embedded):
        return plain(value.value)
    if isinstance(value, Text):
        return value.text
    if not isinstance(value, dict | list):
        return value
    bare = value.copy()
    for place, item in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(item, dict | list | Embedded | Text):
            bare[place] = plain(item)
    return bare
