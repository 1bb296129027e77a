"""YAML as tools print it. Events only: no tags, aliases by their name; dates and `no` stay what they look like."""

import re
from typing import Any

import yaml

from service.core.forms.calls import key_text
from service.core.forms.depth import DEPTH
from service.core.forms.pairs import BLOCK
from service.core.forms.reading import Reading
from service.core.forms.sample import Sample
from service.core.forms.scalars import number

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_SLOW = 128 * 1024  # what the loader in pure Python may be given
_ENTRY = re.compile(
    r"\s*(?:- +)*(?:(?:[\w./$()@*<>-][^\s:#{}\[\],&*!|>%@`\"']*(?: [^\s:{}]+){0,6}|\"[^\"]+\"|'[^']+'):(?:\s|$)|"
    r"- *\S|\? |-$)"
)
_KEY = re.compile(r"\s*(?:- +)*(?:[^\s:#{}\[\],\"'][^:{}\[\]]{0,80}|\"[^\"]+\"|'[^']+'): *(?:\S|$)")
_LOOKED = 200  # lines
_NUMBERS = re.compile(r"\s*(?:- )+'?-?\d")
_MORE = re.compile(r"\s+\S|#|---|\.\.\.$|[\]}]")
_CONSTANTS: dict[str, Any] = {"": None, "~": None} | dict.fromkeys(("null", "Null", "NULL"))
_CONSTANTS |= dict.fromkeys(("true", "True", "TRUE"), True) | dict.fromkeys(("false", "False", "FALSE"), False)
_NUMBER = re.compile(r"[-+]?(?:0|[1-9]\d*)(?:\.\d*(?:[eE][-+]\d+)?)?|[-+]?\.\d+")  # as YAML 1.1


class _Refused(Exception):
    pass


def looks_yaml(seen: Sample) -> bool:
    """Whether the lines are entries of block maps and lists, with some structure in them."""
    lines = _uncommented(seen.lines)
    if any(BLOCK.match(line) for line in lines[:40]):
        return False
    if len(lines) < 2 or not _ENTRY.match(lines[0] if lines[0] != "---" else lines[1]):
        return False
    if any(not _ENTRY.match(line) and not _MORE.match(line) for line in lines[:8]):
        return False
    lines = lines[:_LOOKED]
    keys_at_left = [line.split(":")[0] for line in lines if line and line[0] not in " \t-#"]
    if (
        "---" not in lines and len(set(keys_at_left)) * 4 < len(keys_at_left) * 3
    ):  # records of `key: value`, which YAML does not have
        return False
    entries = sum(_ENTRY.match(line) is not None for line in lines)
    keys = sum(_KEY.match(line) is not None for line in lines)
    numbers = keys and sum(_NUMBERS.match(line) is not None for line in lines)
    others = sum(_MORE.match(line) is not None and _ENTRY.match(line) is None for line in lines)
    return entries + others >= 0.95 * len(lines) and keys + numbers >= max(1, 0.05 * len(lines))


def _uncommented(lines: tuple[str, ...]) -> tuple[str, ...]:
    """The lines without comments before the first key: `# Title` above a list is markdown's."""
    first = next((at for at, line in enumerate(lines) if line[:1] != "#"), 0)
    return lines[first:] if first and _KEY.match(lines[first]) and lines[first][0] not in "- " else lines


def read_yaml(text: str) -> Reading | None:
    """The documents of a YAML text; None for anything with duplicate keys or no map in it."""
    if len(text) > _SLOW and _LOADER is yaml.SafeLoader:
        return None
    try:
        documents = _documents(text)
    except (yaml.YAMLError, _Refused, ValueError, RecursionError):
        return None
    if not documents or not any(_is_value(document) for document in documents):
        return None
    return Reading("code", documents if documents[1:] else documents[0], True)


def _is_value(document: Any) -> bool:
    """A map, or a list of maps or lists: a list of words may as well stand in a document."""
    if not isinstance(document, list):
        return isinstance(document, dict)
    return bool(document) and all(isinstance(item, dict | list) for item in document)


class _Node:
    """An open map or list."""

    __slots__ = ("key", "value")

    def __init__(self, value: Any) -> None:
        """Nothing in it yet."""
        self.value = value
        self.key: str | None = None

    def add(self, item: Any) -> None:
        """The next item, key or value."""
        if isinstance(self.value, list):
            self.value.append(item)
        elif self.key is None:
            self.key = item if isinstance(item, str) else _key(item)
            if self.key in self.value:
                raise _Refused
        else:
            self.value[self.key] = item
            self.key = None


def _key(item: Any) -> str:
    if isinstance(item, dict | list):
        raise _Refused
    return key_text(item)


def _documents(text: str) -> list[Any]:
    root = _Node([])
    stack = [root]
    anchored: dict[str, Any] = {}  # scalars; a map is told where its anchor is, and named where it comes again
    for event in yaml.parse(text, Loader=_LOADER):
        if isinstance(event, yaml.AliasEvent):
            stack[-1].add(anchored.get(str(event.anchor), f"*{event.anchor}"))
        elif isinstance(event, yaml.ScalarEvent):
            plain = event.implicit[0] and not event.style
            value = _scalar(event.value) if plain else event.value
            anchored |= {event.anchor: value} if event.anchor else {}
            stack[-1].add(value)
        elif isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
            if len(stack) > DEPTH:
                raise _Refused
            stack.append(_opened(event, stack[-1].key))
        elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            done = stack.pop()
            stack[-1].add(done.value)
    documents: list[Any] = root.value
    return documents


def _opened(event: Any, key: str | None) -> _Node:
    """A new map or list; a map whose anchor is not named by its key keeps the name."""
    if not isinstance(event, yaml.MappingStartEvent):
        return _Node([])
    return _Node({"&": event.anchor} if event.anchor and event.anchor != key else {})


def _scalar(text: str) -> Any:
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    return number(text) if text[0] in "-+.0123456789" and _NUMBER.fullmatch(text) else text
