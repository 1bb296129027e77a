"""Logs whose lines are records: logfmt, JSON behind a prefix, W3C fields; and the log of git."""

import re
from typing import Any

from service.core.forms.columns import named, typed
from service.core.forms.reading import Reading
from service.core.forms.sample import Sample
from service.core.forms.scalars import scalar, unescaped
from service.core.values import decode

_PAIR = re.compile(r"([A-Za-z_][\w.@/-]*)=(\"[^\"\\]*+(?:\\.[^\"\\]*+)*+\"|[^\s\"]*+)(?:\s+|$)")
_COMMIT = re.compile(r"^commit ([0-9a-f]{7,64})(?: \((.*)\))?$", re.M)
_LISTED = re.compile(
    r"\s*(?:(\d+) +(\d+) +)?([-dlbcps][-rwxsStT]{9})[.+@]? +(\d+) +(\S+) +(\S+) +(\d[\d.,]*[KMGTP]?) +"
    r"(\d{4}-\d\d-\d\d \S+(?: [+-]\d{4})?|[A-Z][a-z]{2} +\d+ +[\d:]+) (.+)"
)
_LISTED_NAMES = ("inode", "blocks", "mode", "links", "owner", "group", "size", "modified", "name")
_HIT = re.compile(r"((?:[A-Za-z]:\\)?[^\s:]*[./][^\s:]*):([1-9]\d{0,6})[:-](?!\d+: (?:error|warning|note))(.*)")
_HEAD = re.compile(r"(Author|AuthorDate|Commit|CommitDate|Date|Merge): *(.*)")


def looks_fields(seen: Sample) -> bool:
    """Whether lines are records of one of these sorts."""
    return read_fields("\n".join(seen.lines[:40])) is not None


def read_fields(text: str) -> Reading | None:
    """The lines as objects."""
    if re.match(r"#(?:Software|Version|Date|Fields): ", text):
        return _w3c(text)
    if text.startswith("commit ") and _COMMIT.match(text):
        return _git(text)
    lines = [line for line in text.split("\n") if line and not line.isspace()]
    if len(lines) < 2:
        return None
    if _LISTED.match(lines[1]):
        return listed(lines)
    if _HIT.match(lines[0]):
        return _hits(lines)
    reader = _logfmt if _PAIR.match(lines[0].lstrip()) else _behind_prefix
    rows = [reader(line.strip()) for line in lines]
    bad = sum(row is None for row in rows)
    if bad * 10 > len(rows):
        return None
    values = [{"line": line.strip()} if row is None else row for line, row in zip(lines, rows, strict=True)]
    notes = (f"{bad} lines are no records",) if bad else ()
    return Reading("log", values, True, notes=notes, lines=tuple(lines) if reader is _logfmt else ())


def _logfmt(line: str) -> dict[str, Any] | None:
    """`level=info msg="..."`, every part a pair."""
    row: dict[str, Any] = {}
    at = 0
    while found := _PAIR.match(line, at):
        value = found[2]
        row[found[1]] = unescaped(value[1:-1]) if value[:1] == '"' else scalar(value)
        at = found.end()
    return row if at == len(line) and len(row) >= 3 else None


def _behind_prefix(line: str) -> dict[str, Any] | None:
    """`2024-01-01T00:00:00Z stdout F {"level": "info"}`."""
    at = line.find("{", 0, 200)
    if at <= 0 or line[-1] != "}":
        return None
    try:
        value = decode(line[at:])
    except ValueError:
        return None
    return {"prefix": line[:at].strip(), **value} if isinstance(value, dict) and value else None


def listed(lines: list[str]) -> Reading | None:
    """Files as `ls -l` prints them."""
    total = lines[0] if lines[0].startswith("total ") else ""
    rows = [_LISTED.fullmatch(line.rstrip()) for line in lines[1 if total else 0 :]]
    if not rows or not all(rows):
        return None
    told = [zip(_LISTED_NAMES, row.groups(), strict=True) for row in rows if row is not None]
    values = [{name: scalar(cell) for name, cell in row if cell is not None} for row in told]
    return Reading("log", values, True, total)


def _hits(lines: list[str]) -> Reading | None:
    """`path:line:text`, as grep prints it."""
    rows = [_HIT.match(line) for line in lines if line != "--"]
    found = [row for row in rows if row is not None]
    if len(found) < len(rows) or len(found) < 2:
        return None
    values = [{"path": row[1], "line": int(row[2]), "text": row[3]} for row in found]
    return Reading("log", values, True)


def _w3c(text: str) -> Reading | None:
    """The lines below `#Fields:`, one column per name."""
    found = re.search(r"^#Fields: (.*?)\s*$", text, re.M)
    if found is None:
        return None
    names = found[1].split()
    rows = [line.split() for line in text.split("\n") if line.strip() and line[0] != "#"]
    if not rows or sum(len(row) != len(names) for row in rows) * 20 > len(rows):
        return None
    before = "\n".join(line.strip() for line in text[: found.start()].split("\n")).strip()
    return Reading("log", typed(named(names, max(map(len, rows))), rows), True, before)


def _git(text: str) -> Reading | None:
    """Commits as objects: sha, refs, the named heads, and the message with all that follows it."""
    marks = list(_COMMIT.finditer(text))
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    commits = []
    for mark, end in zip(marks, ends, strict=True):
        head, _, body = text[mark.end() : end].strip("\n").partition("\n\n")
        commit: dict[str, Any] = {"commit": mark[1]} | ({"refs": mark[2]} if mark[2] else {})
        for line in head.split("\n"):
            if found := _HEAD.match(line):
                commit[found[1].lower()] = found[2]
        lines = [line.removeprefix("    ") for line in body.rstrip().split("\n")]
        commits.append(commit | {"message": "\n".join(lines)})
    return Reading("log", commits, True) if "author" in commits[0] else None
