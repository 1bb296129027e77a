"""Diffs: which files, which hunks, what was added and removed."""

import re

from service.core.text.lines import Span, offsets
from service.core.text.pieces import LONG, sentences

_FILE = re.compile(
    r"diff |Index: |\+\+\+ |rename |new file|deleted file|similarity|Binary files|From |Subject: |commit [0-9a-f]"
    r"|Author: |Date: "
)
_OLD = re.compile(r"--- |index [0-9a-f]|old mode|new mode")
_HUNK = re.compile(r"@@|\d+(?:,\d+)?[acd]\d+(?:,\d+)?$")


def spans(body: str, lines: list[str]) -> list[Span]:
    """The lines of a diff as units: files, hunk heads, changed lines, and last the lines around them."""
    found: list[Span] = []
    at, changes = offsets(lines), 0
    for number, line in enumerate(lines):
        changes = 0 if _HUNK.match(line) else changes + 1
        weight = _weight(line) * (1 + 1 / (1 + changes / 3))
        if len(line) <= 4 * LONG:
            found.append(Span(at[number], at[number] + len(line), number, number, weight))
            continue
        pieces = sentences(body, at[number], at[number] + len(line))
        found += [Span(*piece, number, number, weight) for piece in pieces]
    return found


def summary(lines: list[str]) -> str:
    """Files and changed lines: `3 files, +120 -14`."""
    files = sum(1 for line in lines if line.startswith("+++ "))
    added = sum(1 for line in lines if line.startswith("+")) - files
    removed = sum(1 for line in lines if line.startswith("-")) - sum(1 for line in lines if line.startswith("--- "))
    return f"{files} files, +{max(0, added)} -{max(0, removed)}"


def _weight(line: str) -> float:
    if _FILE.match(line):
        return 3.0
    if _OLD.match(line):
        return 0.4
    if _HUNK.match(line):
        return 1.6
    if line[:1] in "+-":
        return 1.0 if line[1:].strip() else 0.15
    return 0.3
