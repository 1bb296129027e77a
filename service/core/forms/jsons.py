"""JSON: whole, one value per line, or one value after another."""

import re
from itertools import islice
from json import JSONDecoder
from typing import Any

import msgspec

from service.core.forms.depth import deeper
from service.core.forms.reading import Reading
from service.core.forms.reprs import read_repr_at
from service.core.forms.sample import SMALL, Sample
from service.core.values import Number, decode

_SCAN = JSONDecoder()
_LINES = msgspec.json.Decoder(float_hook=Number)
_OPENING = re.compile(r"^[ \t]*[\[{]", re.M)
_LONGEST = 1024 * 1024  # of a first line that is looked at
_BAD_SHARE = 5  # one line in five may be something else
_ENDS = {"{": "}", "[": "]", '"': '"'}
_BEGINS = re.compile(
    r"[\ufeff\s]*+(?:(?:\[\s*+)++(?:[\"\]]|-?\d[\d.eE+-]*+\s*+[,\]]|(?:true|false|null)\b|\{\s*+[\"}])|\{\s*+[\"}]|\")"
)
_JSON_LINE = re.compile(r"\s*(?:[\[\]{},]+\s*$|\"|[\[{]\s*[\"{\[]|-?\d[\d.eE+-]*,?\s*$|true|false|null)")
_FENCE_BEFORE = re.compile(r"(?:```|~~~)[\w-]*\s*\Z")
_FENCE_AFTER = re.compile(r"\A\s*(?:```|~~~)")
_KEY_EVERY = 200  # characters of JSON there is a key, at least
_SCALARS = frozenset("-0123456789tfn")


def looks_json(seen: Sample) -> bool:
    """Whether the whole is likely one JSON value."""
    if seen.first in _SCALARS:
        return seen.whole and len(seen.lines) == 1 and read_json(seen.text) is not None
    return seen.first in _ENDS and seen.last == _ENDS[seen.first] and _BEGINS.match(seen.text) is not None


def read_json(text: str) -> Reading | None:
    """The text as one JSON value."""
    try:
        data = text.removeprefix("\ufeff").encode()
        return None if deeper(data) else Reading("json", decode(data), True)
    except ValueError:
        return None


def looks_jsonl(seen: Sample) -> bool:
    """Whether most lines are JSON objects or arrays of their own."""
    if seen.first in ("{", "["):
        first = seen.full.lstrip("\ufeff \t\r\n") if seen.whole else seen.full
        end = first.find("\n", 0, _LONGEST)
        return end > 0 and first[end:_LONGEST].lstrip()[:1] in ("{", "[") and _is_record(first[:end])
    lines = seen.lines[:40]
    return bool(lines) and sum(_is_record(line) for line in lines) * 4 >= len(lines) * 3


def _is_record(line: str) -> bool:
    line = line.strip()
    if line[:1] not in ("{", "[") or line[-1:] not in ("}", "]"):
        return False
    return len(line) > 65536 or _value(line) is not None


def read_jsonl(text: str) -> Reading | None:
    """One value per line; lines that are none stay as `{"line": ...}` and are noted, or stand before and after."""
    text = text.removeprefix("\ufeff")
    try:
        values = None if deeper(text.encode()) else _LINES.decode_lines(text)
    except ValueError:
        return _mixed(text)
    if values is None or len(values) < 2:
        return None
    return Reading("jsonl", values, True)


def _mixed(text: str) -> Reading | None:
    rows = [(row, _value(row)) for row in text.split("\n") if row and not row.isspace()]
    good = [at for at, (_, value) in enumerate(rows) if value is not None]
    if len(good) < 2 or (good[-1] - good[0] + 1 - len(good)) * _BAD_SHARE > len(good):
        return None
    inner = rows[good[0] : good[-1] + 1]
    bad = [str(good[0] + at + 1) for at, (_, value) in enumerate(inner) if value is None]
    around = "\n".join(row for row, _ in rows[: good[0]]), "\n".join(row for row, _ in rows[good[-1] + 1 :])
    if sum(map(len, around)) * 2 > len(text):
        return None
    values = [{"line": row.strip()} if value is None else value for row, value in inner]
    notes = (f"{len(bad)} lines are not JSON: {', '.join(bad[:10])}{', …' if len(bad) > 10 else ''}",) if bad else ()
    return Reading("jsonl", values, True, *around, notes)


def _value(line: str) -> Any:
    """The object or array a line holds, else None."""
    line = line.strip()
    if line[:1] not in ("{", "[") or line[-1:] not in ("}", "]"):
        return None
    try:
        value = None if deeper(line.encode()) else decode(line)
    except ValueError:
        return None
    return value if isinstance(value, dict | list) else None


def read_joined(text: str) -> Reading | None:
    """Two or more JSON objects or arrays, one after another."""
    text, at, found = text.strip("\ufeff \t\r\n"), 0, []
    while at < len(text):
        end = value_end(text, at)
        value = _value(text[at:end]) if end else None
        if value is None:
            return None
        found.append(value)
        at = end
        while at < len(text) and text[at] in " \t\r\n,\x1e":
            at += 1
    return (
        Reading("jsonl", found, True, notes=(f"{len(found)} JSON values one after another",))
        if at and found[1:]
        else None
    )


def looks_joined(seen: Sample) -> bool:
    """Whether JSON objects or arrays may follow one another."""
    if seen.first not in ("{", "[") or seen.last not in ("}", "]"):
        return False
    return _BEGINS.match(seen.text) is not None


def value_end(text: str, at: int) -> int:
    """Where the JSON value that begins here ends; 0 when there is none."""
    try:
        return _SCAN.raw_decode(text, at)[1] if text[at : at + 1] in ("{", "[") else 0
    except (ValueError, RecursionError):
        return 0


def looks_within(seen: Sample) -> bool:
    """Whether JSON or a literal may make up most of a text that begins or ends with prose."""
    if not _openings(seen.text[:4096]):
        return False
    if len(seen.full) <= SMALL:
        return True
    lines, half = seen.lines[3:-3], len(seen.full) // 2
    middle = seen.full[half : half + 4000]
    if (middle.count('":') + middle.count("':")) * _KEY_EVERY > len(middle):
        return True
    return sum(_JSON_LINE.match(line) is not None for line in lines) >= 0.8 * len(lines)


def read_within(text: str) -> Reading | None:
    """One JSON value that makes up most of a text, with prose before or after it."""
    for at in _openings(text[: len(text) // 2]):
        end = _quick_end(text, at) or value_end(text, at)
        if end and (end - at) * 2 >= len(text):
            value = _value(text[at:end])
            return None if value is None else Reading("json", value, True, *around(text[:at], text[end:]))
        found = None if end else read_repr_at(text, at)
        if found is not None:
            return found
    return None


def around(before: str, after: str) -> tuple[str, str]:
    """The prose around a value, without the fence that held it."""
    return _FENCE_BEFORE.sub("", before).strip(), _FENCE_AFTER.sub("", after).strip()


def _openings(text: str) -> list[int]:
    """The first few places where a line begins with a bracket, and the first bracket of each sort."""
    found = [match.end() - 1 for match in islice(_OPENING.finditer(text), 8)]
    found += [at for at in (text.find("{"), text.find("[")) if at >= 0]
    return sorted(set(found))


def _quick_end(text: str, at: int) -> int:
    """The end of the value when nothing with a bracket follows it, which is the usual case."""
    end = text.rfind(_ENDS[text[at]]) + 1
    if end <= at:
        return 0
    try:
        msgspec.json.decode(text[at:end], type=msgspec.Raw)
    except (ValueError, RecursionError):
        return 0
    return end
