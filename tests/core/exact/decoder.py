"""Reads the lossless notation back, written from its grammar alone: a round trip proves that nothing is lost."""

import json
import re
from typing import Any

from service.core.values import Number

LITERAL = re.compile(r"(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)\Z")
FORGED = re.compile(r"…(…+ (?:\d+ more |object of |array of |\[\d+ more ))")
TAIL = re.compile(r"(…+)…( \[\d+ more characters\])\Z")
OPEN, CLOSE = "[{", "]}"
ABSENT = object()


class Called:
    """A reference whose table has not been read yet."""

    def __init__(self, label: str) -> None:
        self.label = label


def decode(text: str) -> Any:
    """The value that a text in the notation stands for."""
    return _Reader(text.split("\n")).document()


class _Reader:
    def __init__(self, lines: list[str]) -> None:
        self.lines, self.at = lines, 0
        self.shelf: dict[str, Any] = {}

    def document(self) -> Any:
        box: dict[str, Any] = {}
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if line.startswith("&"):
                self.entry(0, {}, line[1:], shelf=True)
            elif (
                not box
                and not re.match(r'(?:[^\s\[{"…&#-]|-\w|"(?:[^"\\]|\\.)*"(?::|\.|\[| \()|\[\d+\](?:[:.{\[]| \())', line)
            ) or (not box and not re.match(r".*?(?::|\{)", line)):
                box["root"] = scalar(line)
                self.at += 1
            else:
                self.entry(0, box, line)
        return self.called(box["root"])

    def entry(self, depth: int, box: dict[str, Any], line: str, shelf: bool = False) -> None:
        path, rest = name(line)
        self.at += 1
        head = re.match(r"\[(\d+)\]\{", rest)
        if head:
            value = self.table(int(head[1]), rest[head.end() :], depth, shelf)
        elif text := re.match(r" \((\d+) lines\):\Z", rest):
            lines = self.lines[self.at : self.at + int(text[1])]
            self.at += int(text[1])
            value = "\n".join(
                FORGED.sub(r"\1", one[depth + 1 :])
                if one[depth + 1 :].lstrip(" \t").startswith("…")
                else one[depth + 1 :]
                for one in lines
            )
        elif rest == ":":
            inner: dict[str, Any] = {}
            while self.at < len(self.lines) and self.lines[self.at].startswith(" " * (depth + 1)):
                self.entry(depth + 1, inner, self.lines[self.at][depth + 1 :])
            value = inner["root"]
        else:
            assert rest.startswith(": "), (line, rest)
            value = scalar(rest[2:])
        if not shelf:
            put(box, ["root", *path], value)

    def table(self, count: int, head: str, depth: int, shelf: bool) -> Any:
        assert head[-1] == "}"
        columns = [column(one) for one in split(head[:-1])] if head != "}" else []
        shared: list[tuple[list[Any], str]] = []
        mark = " " * depth + "# every row: "
        if self.at < len(self.lines) and self.lines[self.at].startswith(mark):
            shared = [assignment(one) for one in split(self.lines[self.at][len(mark) :], ", ")]
            self.at += 1
        rows, keys = [], []
        for line in self.lines[self.at : self.at + count]:
            key, label, row = read_row(line[depth:], columns, shared)
            rows.append(row)
            keys.append(key)
            if shelf:
                self.shelf[label if label is not None else key] = row
        self.at += count
        many = any(one["key"] == "@key[]" for one in columns)
        if not any(one["key"] for one in columns):
            return rows
        made: dict[str, Any] = {}
        for key, row in zip(keys, rows, strict=True):
            if many:
                made.setdefault(key, []).append(row)
            else:
                made[key] = row
        return made

    def called(self, value: Any) -> Any:
        if isinstance(value, Called):
            return self.called(self.shelf[value.label])
        if isinstance(value, dict):
            return {key: self.called(child) for key, child in value.items()}
        return [self.called(child) for child in value] if isinstance(value, list) else value


def put(box: Any, path: list[Any], value: Any) -> None:
    for step, after in zip(path, [*path[1:], None], strict=True):
        fresh: Any = value if after is None else [] if isinstance(after, int) else {}
        if isinstance(box, list):
            box.extend([ABSENT] * (step + 1 - len(box)))
            if after is None or box[step] is ABSENT:
                box[step] = fresh
            box = box[step]
        else:
            if after is None or step not in box:
                box[step] = fresh
            box = box[step]


def name(line: str) -> tuple[list[Any], str]:
    """The path at the start of a line, and what follows it."""
    path: list[Any] = []
    at = 0
    while at < len(line):
        if line[at] == '"':
            key, end = json.JSONDecoder().raw_decode(line, at)
            path.append(unescaped(key))
            at = end
        elif index := re.compile(r"\[(\d+)\](?!\{)").match(line, at):
            path.append(int(index[1]))
            at = index.end()
        elif bare := re.compile(r"[\w$@/+*#-]+(?: [\w$@/+*#-]+)*").match(line, at):
            path.append(bare[0])
            at = bare.end()
        else:
            break
        if line.startswith(".", at):
            at += 1
    return path, line[at:]


def column(text: str) -> dict[str, Any]:
    if text in ("@key", "@key[]"):
        return {"key": text, "paths": [], "optional": False, "text": True, "items": None, "label": False}
    names, rest, label = [], text, False
    while True:
        label = label or rest.startswith("&")
        path, rest = name(rest.removeprefix("&"))
        names.append(path)
        if not rest.startswith("="):
            break
        rest = rest[1:]
    items = re.match(r"\??\[\]\{(.*)\}\Z", rest, re.DOTALL)
    return {
        "key": "", "paths": names, "optional": rest.startswith("?"),
        "text": rest.endswith(":str") and not items, "label": label,
        "items": [name(one)[0][0] for one in split(items[1])] if items else None,
    }  # fmt: skip


def assignment(text: str) -> tuple[list[Any], str]:
    path, rest = name(text)
    assert rest.startswith("="), text
    return path, rest[1:]


def read_row(line: str, columns: list[dict[str, Any]], shared: list[tuple[list[Any], str]]) -> tuple[Any, Any, Any]:
    cells = split(line) if line else []
    cells += [""] * (len(columns) - len(cells))
    box: dict[str, Any] = {}
    key = label = None
    told: dict[str, Any] = {}
    for text, one in zip(cells, columns, strict=False):
        value = cell(text, one)
        if one["key"]:
            key = value if isinstance(value, str) else text
            continue
        label = value if one["label"] else label
        for path in one["paths"]:
            told[json.dumps(path)] = value
            if value is not ABSENT:
                put(box, ["root", *path], value)
    for extra in cells[len(columns) :]:
        paths, text = [], extra
        while (found := name(text))[0] and found[1].startswith("="):
            paths.append(found[0])
            text = found[1][1:]
        for path in paths:
            put(box, ["root", *path], scalar(text))
    for path, text in shared:
        put(box, ["root", *path], template(text, path, told) if "{" in text and text[0] not in '"{[&' else scalar(text))
    return key, label, box.get("root", {})


def template(text: str, path: list[Any], told: dict[str, Any]) -> str:
    def fill(hit: re.Match[str]) -> str:
        if hit[0] in ("{{", "}}"):
            return hit[0][0]
        source = path if hit[1] == "*" else name(hit[1])[0]
        return str(told[json.dumps(source)])

    return re.sub(r"\{\{|\}\}|\{([^{}]*)\}", fill, text)


def cell(text: str, one: dict[str, Any]) -> Any:
    if text == "":
        return ABSENT if one["optional"] else None
    if one["items"] is not None and text[0] == "[":
        inner = text[1:-1]
        return (
            [
                dict(zip(one["items"], [scalar(x) if x else None for x in split(item)], strict=True))
                for item in split(inner, ";")
            ]
            if inner
            else []
        )
    if one["text"] and LITERAL.match(text) and (text != "null" or one["key"]):
        return text
    return scalar(text)


def scalar(text: str) -> Any:
    if text[:1] == '"':
        return unescaped(json.loads(text))
    if text[:1] == "&":
        return Called(text[1:])
    if text[:1] == "[":
        return [scalar(one) for one in split(text[1:-1])] if text != "[]" else []
    if text[:1] == "{":
        return dict(pair(one) for one in split(text[1:-1], ", ")) if text != "{}" else {}
    if LITERAL.match(text):
        return json.loads(text, parse_float=Number)
    return text


def pair(text: str) -> tuple[str, Any]:
    path, rest = name(text)
    return path[0], scalar(rest[1:].strip())


def unescaped(text: str) -> str:
    if FORGED.match(text):
        return text[1:]
    if text and not text.strip("…") and len(text) > 1:
        return text[1:]
    return TAIL.sub(r"\1\2", text)


def split(text: str, sign: str = ",") -> list[str]:
    """The parts between separators that stand in no string and no bracket."""
    parts, depth, start, at = [], 0, 0, 0
    while at < len(text):
        if text[at] == '"':
            at = json.JSONDecoder().raw_decode(text, at)[1]
            continue
        depth += (text[at] in OPEN) - (text[at] in CLOSE)
        if depth == 0 and text.startswith(sign, at):
            parts.append(text[start:at])
            at = start = at + len(sign)
            continue
        at += 1
    return [*parts, text[start:]]
