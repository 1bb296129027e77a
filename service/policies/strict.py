"""One policy file, read strictly: what YAML would guess, swallow or blow up is an error with its line."""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

LARGEST = 1_000_000  # bytes of a policy file
DEEPEST = 32  # nested collections
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_STRING = "tag:yaml.org,2002:str"
_INT = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_FLOAT = re.compile(r"[-+]?[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?")
_WORDS = {"": None, "~": None, "null": None, "true": True, "false": False}
Place = tuple[str, ...]


@dataclass(frozen=True, slots=True, order=True)
class PolicyProblem:
    """What is wrong with a policy file, and where."""

    file: str
    line: int = 0
    policy: str = ""
    field: str = ""
    message: str = ""
    expected: str = ""
    nearest: str = ""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        names = [f"policy `{self.policy}`"] if self.policy else []
        names += [f"`{self.field}`"] if self.field else []
        said = self.message + (f"; expected {self.expected}" if self.expected else "")
        asked = f"; did you mean `{self.nearest}`?" if self.nearest else ""
        return ": ".join([place, *([", ".join(names)] if names else []), said + asked])


@dataclass(slots=True)
class Document:
    """A file's value, the line of every key, and what was wrong."""

    file: str
    value: Any = None
    lines: dict[Place, int] = field(default_factory=dict)
    problems: list[PolicyProblem] = field(default_factory=list)

    def wrong(self, line: int, message: str) -> None:
        """Note a problem."""
        self.problems.append(PolicyProblem(self.file, line, message=message))

    def given_up(self, line: int, message: str) -> None:
        """Note a problem after which nothing can be read."""
        self.value = None
        self.wrong(line, message)


def read_file(path: Path) -> Document:
    """The document in a file; its problems instead of an exception, whatever the file is."""
    document = Document(path.name)
    try:
        data = path.read_bytes()
    except OSError as error:
        document.wrong(0, f"cannot be read: {error.strerror or error}")
        return document
    if len(data) > LARGEST:
        document.wrong(0, f"{len(data)} bytes are more than the {LARGEST} a policy file may have")
    elif b"\0" in data:
        document.wrong(0, "this is a binary file, not YAML")
    else:
        _parse(data, document, is_json=path.suffix == ".json")
    return document


def _parse(data: bytes, document: Document, *, is_json: bool) -> None:
    try:
        text = data.decode("utf-8-sig")
        if is_json and text.strip():
            json.loads(text)
            text = text.replace("\t", " ")  # between tokens YAML refuses it, inside strings JSON does
        _Builder(document).build(text)
    except UnicodeDecodeError as error:
        document.given_up(0, f"this is not UTF-8: byte {error.start} is 0x{data[error.start]:02x}")
    except json.JSONDecodeError as error:
        document.given_up(error.lineno, f"this is not JSON: {error.msg}")
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        document.given_up(
            mark.line + 1 if mark else 0, f"this is not YAML: {getattr(error, 'problem', None) or 'syntax'}"
        )


@dataclass(slots=True)
class _Open:
    """A collection that is being filled."""

    value: dict[str, Any] | list[Any]
    place: Place
    key: str | None = None


class _Builder:
    """A document from its events, in one loop: no depth, alias or guessed type can hurt."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.stack: list[_Open] = []
        self.documents = 0

    def build(self, text: str) -> None:
        """Fill the document."""
        for event in yaml.parse(text, Loader=_LOADER):
            line = event.start_mark.line + 1 if event.start_mark else 0
            if isinstance(event, yaml.DocumentStartEvent):
                self.documents += 1
                if self.documents > 1:
                    return self.document.given_up(line, "a file holds one YAML document; remove the `---`")
            elif isinstance(event, yaml.AliasEvent):
                return self.document.given_up(line, "anchors and aliases are not allowed; use `extends`")
            elif isinstance(event, yaml.NodeEvent):
                self._node(event, line)
                if len(self.stack) > DEEPEST:
                    return self.document.given_up(line, f"nested deeper than {DEEPEST} levels")
            elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
                self.stack.pop()
        return None

    def _node(self, event: Any, line: int) -> None:
        if event.anchor:
            self.document.wrong(line, f"the anchor `&{event.anchor}` is not allowed; use `extends`")
        if event.tag not in (None, "!", _STRING):
            self.document.wrong(line, f"the tag `{event.tag}` is not allowed")
        if isinstance(event, yaml.ScalarEvent):
            plain = not event.style and event.tag is None
            self._put(_scalar(event.value) if plain else event.value, event.value, line)
        else:
            value: Any = {} if isinstance(event, yaml.MappingStartEvent) else []
            place = self._put(value, None, line)
            self.stack.append(_Open(value, place))

    def _put(self, value: Any, as_key: str | None, line: int) -> Place:
        """Puts a value where it belongs; says where that is."""
        if not self.stack:
            self.document.value = value
            return ()
        top = self.stack[-1]
        if isinstance(top.value, list):
            top.value.append(value)
            place = (*top.place, str(len(top.value) - 1))
        elif top.key is None:
            return self._key(top, as_key, line)
        else:
            place, top.value[top.key] = (*top.place, top.key), value
            top.key = None
        self.document.lines.setdefault(place, line)
        return place

    def _key(self, top: _Open, key: str | None, line: int) -> Place:
        if key is None:
            self.document.wrong(line, "a key must be a word")
            key = ""
        if isinstance(top.value, dict) and key in top.value:
            first = self.document.lines[(*top.place, key)]
            self.document.wrong(line, f"the key `{key}` is here twice, first in line {first}")
        top.key = key
        self.document.lines[(*top.place, key)] = line
        return (*top.place, key)


def _scalar(text: str) -> Any:
    """The value of a plain scalar: `no` and `on` are words, `12:30:00` is text, and numbers are decimal."""
    if text in _WORDS:
        return _WORDS[text]
    if _INT.fullmatch(text) and len(text) < 19:
        return int(text)
    return float(text) if _FLOAT.fullmatch(text) and len(text) < 40 else text
