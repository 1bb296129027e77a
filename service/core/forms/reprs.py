"""Literals as whole payloads: one, several in a row, cut off at the end, or with prose around them."""

import re
from dataclasses import replace
from typing import Any

from service.core.forms.literal import Literal, literal
from service.core.forms.reading import Reading
from service.core.forms.sample import Sample
from service.core.values import decode

_CALL = re.compile(
    r"(?:[a-z_]\w*\.)*(?:[A-Z]\w*|array|deque|defaultdict|namedtuple|datetime|date|tensor)\(|"
    r"[A-Z]\w*(?:\(\d+\))? ?\{|array ?\("
)
_KEYWORD = re.compile(r"\s*([A-Za-z_]\w*)=(?=[\[({'\"\d<-]|[A-Z])")
_MORE = re.compile(r"\.\.\. \d+ more \w+$")
_GAP = re.compile(r"[\s,;]*")
_LOOK = 4096  # characters that are read to see whether it goes on as it begins
_MISSING_MOST = 5  # a cut-off end may leave one character in five unread
_LENIENT = "not strict JSON (quotes, comments, commas or constants): read leniently"


def looks_repr(seen: Sample) -> bool:
    """Whether the text begins with a literal as only Python prints it."""
    if _KEYWORD.match(seen.text):
        return _keywords(seen.text[:_LOOK]) > 1
    found = _begun(seen)
    return found is not None and found.python and not found.script


def looks_lenient(seen: Sample) -> bool:
    """Whether the text begins with almost-JSON."""
    return _begun(seen) is not None


def _begun(seen: Sample) -> Literal | None:
    """The literal at the beginning, when it can be read as far as one looks."""
    text = seen.text[:_LOOK]
    at = len(text) - len(text.lstrip("\ufeff \t\r\n"))
    if seen.first not in ("[", "{", "(") and not _CALL.match(text, at):
        return None
    found = literal(text, at)
    if found is None:
        return None
    return found if len(found.stack) == 1 or found.end * 2 > len(text) or _cut(text, found) else None


def _keywords(text: str) -> int:
    """How many `name=literal` follow one another."""
    count = at = 0
    while (found := _KEYWORD.match(text, at)) and (value := literal(text, found.end())) and len(value.stack) == 1:
        count, at = count + 1, value.end
    return count


def _cut(text: str, found: Literal) -> bool:
    """Whether reading stopped at a string that the end of the text cuts."""
    rest = text[found.end :].lstrip()
    return rest[:1] in ("'", '"') and text.count(rest[0], found.end) < 3


def _enough(found: Literal, text: str, at: int) -> bool:
    """Whether the literal is closed, or open and yet most of the text."""
    closed = len(found.stack) == 1
    if closed or _cut(text, found):
        return closed or (found.end - at > 40 and "," in text[:400])
    return found.end - at > 40 and (len(text) - found.end) * _MISSING_MOST < len(text) and "," in text[:400]


def read_repr(text: str) -> Reading | None:
    """The literals of a text; what cannot be read stands before or after them."""
    if _KEYWORD.match(text):
        return read_keywords(text)
    at = len(text) - len(text.lstrip("\ufeff \t\r\n"))
    return _from(text, at) if text[at : at + 1] in ("[", "{", "(") or _CALL.match(text, at) else None


def _from(text: str, begin: int) -> Reading | None:
    values: list[Any] = []
    at, python, cut = begin, False, 0
    while at < len(text) and (found := literal(text, at)):
        if not _enough(found, text, begin if values else at) and not values:
            return None
        open_now = len(found.stack) - 1
        try:
            value = found.value
        except ValueError:
            break
        if not isinstance(value, dict | list) or (open_now and values and not value):
            break
        values.append(value)
        python, cut = python or (found.python and not found.script), open_now
        at = _gap(text, found.end)
        if cut:
            break
    after = text[at:].strip()
    if not values or (len(text) - len(after) - begin) * 2 < len(text) - begin:
        return None
    strict = not python and not values[1:] and not cut and _strict(text[begin : len(text) - len(after)])
    return _reading(values, python, strict, cut, after)


def read_keywords(text: str) -> Reading | None:
    """`name='x' tags=['a']`, as models print themselves; one object, or one for each time a name comes again."""
    records: list[dict[str, Any]] = [{}]
    at = 0
    while found := _KEYWORD.match(text, at):
        value = literal(text, found.end())
        if value is None or len(value.stack) > 1:
            return None
        if found[1] in records[-1]:
            records.append({})
        records[-1][found[1]] = value.value
        at = value.end
    if text[at:].strip() or len(records[0]) < 2:
        return None
    return Reading("repr", records if records[1:] else records[0], True)


def _gap(text: str, at: int) -> int:
    found = _GAP.match(text, at)
    return found.end() if found else at


def _strict(text: str) -> bool:
    """Whether this is JSON as it should be."""
    try:
        decode(text.rstrip(" \t\r\n,;"))
    except ValueError:
        return False
    return True


def _reading(values: list[Any], python: bool, strict: bool, cut: int, after: str) -> Reading:
    notes = [] if python or strict else [_LENIENT]
    if cut:
        notes.append(f"the text ends early: {cut} brackets were never closed")
    if len(values) > 1:
        notes.append(f"{len(values)} values one after another")
    value = values if values[1:] else values[0]
    if isinstance(value, list) and len(value) > 2 and _MORE.match(str(value[-1])) and isinstance(value[0], dict):
        notes.append(f"the list ends with: {value.pop()}")  # of console.log
    return Reading("repr" if python else "json", value, True, "", after, tuple(notes))


def read_repr_at(text: str, begin: int) -> Reading | None:
    """The literals that begin here and make up most of a text whose beginning is prose."""
    found = _from(text, begin)
    if found is None or (len(text) - begin - len(found.after)) * 2 < len(text):
        return None
    return replace(found, before=text[:begin].strip())
