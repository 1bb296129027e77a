"""Paths: dotted (`data.items.0.name`) or, when they begin with `/`, JSON pointers; `[]` stands for every element."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any

from service.core import values
from service.errors import PathUnknown

EACH = "[]"
_SHOWN = 12  # keys that an error names


def parse(path: str) -> tuple[str, ...]:
    """The segments of a path; the empty path is the whole."""
    if path.startswith("/"):
        return tuple(part.replace("~1", "/").replace("~0", "~") for part in path[1:].split("/"))
    segments: list[str] = []
    for part in path.split(".") if path else ():
        name = part
        while name.endswith(EACH):
            name = name[: -len(EACH)]
        if name or not part:
            segments.append(name)
        segments += [EACH] * ((len(part) - len(name)) // len(EACH))
    return tuple(segments)


def spell(segments: Sequence[str]) -> str:
    """The path that parses to these segments: dotted where that is possible, else a JSON pointer."""
    joined = ".".join(segments)
    if _plain(joined, segments):
        return joined.replace("." + EACH, EACH)
    dotted = ""
    for segment in segments:
        if segment == EACH:
            dotted += EACH
        else:
            dotted += f".{segment}" if dotted else segment
    if parse(dotted) == tuple(segments):
        return dotted
    return "".join("/" + segment.replace("~", "~0").replace("/", "~1") for segment in segments)


def _plain(joined: str, segments: Sequence[str]) -> bool:
    """Whether no key among the segments, joined by dots, could be read as something else."""
    dots, lists = joined.count("."), joined.count(EACH)
    return dots == len(segments) - 1 and lists == segments.count(EACH) and "" not in segments and joined[:1] != "/"


def is_index(segment: str) -> bool:
    """Whether a segment is an index when it meets an array: digits, no leading zero."""
    return segment.isascii() and segment.isdigit() and (segment == "0" or segment[0] != "0")


def opened(value: Any) -> Any:
    """The JSON that stands inside a string, or the value itself when there is none."""
    if not isinstance(value, str) or value.lstrip()[:1] not in ("{", "[", '"'):
        return value
    try:
        inner = values.decode(value)
    except ValueError:
        return value
    return opened(inner) if isinstance(inner, str) else inner


def resolve(value: Any, path: str) -> Any:
    """What stands at a path; enters JSON inside strings; PathUnknown names what is there instead."""
    return _walk(value, parse(path), 0, path)


def _walk(value: Any, segments: tuple[str, ...], start: int, path: str) -> Any:
    for position in range(start, len(segments)):
        value, segment = opened(value), segments[position]
        if isinstance(value, dict) and segment in value:
            value = value[segment]
        elif isinstance(value, list) and is_index(segment) and len(segment) < 12 and int(segment) < len(value):
            value = value[int(segment)]
        elif isinstance(value, list) and segment == EACH:
            return _each(value, segments, position + 1, path)
        else:
            raise _unknown(value, segments, position, path)
    return value


def _each(elements: list[Any], segments: tuple[str, ...], start: int, path: str) -> list[Any]:
    """What stands at the rest of the path in every element that has it; the path of a ledger entry opens like this."""
    found, failure = [], None
    for element in elements:
        try:
            found.append(_walk(element, segments, start, path))
        except PathUnknown as unknown:
            failure = failure or unknown
    if failure and not found:
        raise failure
    return found


def _unknown(value: Any, segments: tuple[str, ...], position: int, path: str) -> PathUnknown:
    where = spell(segments[:position])
    place = f"at `{where}`" if where else "at the root"
    segment = segments[position]
    if isinstance(value, dict):
        missing = f"the object {place} has no key `{segment}`"
        return PathUnknown(f"Nothing at `{path}`: {missing}.", _hint(value, segments, position))
    if isinstance(value, list):
        span = f"Use an index from 0 to {len(value) - 1}." if value else "The array is empty."
        return PathUnknown(f"Nothing at `{path}`: {place} is an array of {len(value)} items, not `{segment}`.", span)
    kind = {str: "a string", bool: "true or false", type(None): "null"}.get(type(value), "a number")
    return PathUnknown(f"Nothing at `{path}`: {place} is {kind}.", f"Ask for `{where}` itself." if where else "")


def _hint(value: dict[str, Any], segments: tuple[str, ...], position: int) -> str:
    """Where the reader meant to go: a key with dots, a key that is spelled alike, or whatever there is."""
    for end in range(len(segments), position, -1):
        if (joined := ".".join(segments[position:end])) in value and "." in joined:
            pointer = "".join("/" + s.replace("~", "~0").replace("/", "~1") for s in (*segments[:position], joined))
            return f"Use the JSON pointer `{pointer}`: the key has a dot in it."
    keys = nearest(segments[position], value)
    here = ", ".join(f"`{spell((*segments[:position], key))}`" for key in keys)
    more = f" and {len(value) - len(keys)} more" if len(value) > len(keys) else ""
    return f"There is: {here}{more}." if here else "The object is empty."


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """The known names, those spelled most like `name` first, no more than an error can show."""
    names = [key for key, _ in zip(known, range(2000), strict=False)]
    close = get_close_matches(name, names, n=3, cutoff=0.6)
    lowered = [key for key in names if key.lower() == name.lower() and key not in close]
    first = lowered + close
    return (first + [key for key in names if key not in first])[:_SHOWN]
