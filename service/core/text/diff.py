"""Diffs: which files and how much of each, then what was added and removed, files that tools write last."""

import re
from collections import Counter
from dataclasses import dataclass, field

from service.core.markers import MARK
from service.core.text.code import line_weight
from service.core.text.lines import Span, offsets
from service.core.text.pieces import LONG, sentences

GOLDEN = 0.6180339887  # spreads what is worth the same evenly over the text
FILE = 3.0  # what the line is worth that names a file
_FILE = re.compile(r"diff --(?:git|cc|combined) |diff -|Index: ")
_NOTED = re.compile(r"rename |new file|deleted file|Binary files|copy (?:from|to)|GIT binary patch")
_COMMIT = re.compile(r"From: |Subject: |commit [0-9a-f]{7}|Author: |Date: |From [0-9a-f]{40}|AuthorDate: ")
_OLD = re.compile(r"index [0-9a-f]|old mode|new mode|similarity|dissimilarity|={20,}|Commit")
_HUNK = re.compile(r"@@|\d+(?:,\d+)?[acd]\d+(?:,\d+)?$|\*{15}$")
_WRITTEN = re.compile(
    r"(?:package-lock|npm-shrinkwrap|composer\.lock|pnpm-lock|yarn\.lock|uv\.lock|poetry\.lock|Cargo\.lock|go\.sum|Gemfile\.lock"
    r"|Pipfile\.lock|\.min\.(?:js|css)|\.map\b|\.svg\b|\.snap\b|_pb2|\.pb\.go|/dist/|/vendor/|node_modules|generated)",
    re.I,
)
_ASIDE = re.compile(r"\btests?/|_test\.|\.test\.|\.spec\.|test_|fixtures/|CHANGELOG|\.md\b", re.I)
_DIGITS = re.compile(r"[\d.]+")


@dataclass(slots=True)
class _File:
    """A file of a diff: its unit, what its lines are worth, and how many there were."""

    unit: int = -1
    factor: float = 1.0
    hunk: int = -1  # the unit that names what is changed: the hunk's head when it does, else the file's
    inside: bool = False  # a hunk has begun
    lines: int = 0
    added: int = 0
    removed: int = 0


@dataclass(slots=True)
class Patch:
    """What is read of a diff: its units, and what is said behind the units that name files."""

    spans: list[Span] = field(default_factory=list)
    files: list[_File] = field(default_factory=list)
    said: Counter[str] = field(default_factory=Counter)

    @property
    def notes(self) -> dict[int, str]:
        """How many lines each file gained and lost, by the unit that names it."""
        return {file.unit: f" {MARK} [+{file.added} -{file.removed}]" for file in self.files if file.unit >= 0}


def patch(body: str, lines: list[str]) -> Patch:
    """The lines of a diff as units: files, hunk heads, changed lines, and last the lines around them."""
    found, at, file = Patch(files=[_File()]), offsets(lines), _File()
    for number, line in enumerate(lines):
        if _FILE.match(line) or _begins(lines, number, file):
            file = _File(len(found.spans), _importance(line))
            found.files.append(file)
            weight, under = FILE * float(file.factor**0.4), -1
        elif _HUNK.match(line):
            named = line[-2:] != "@@"
            file.hunk = len(found.spans) if named else file.unit
            file.inside, weight, under = True, (0.5 if named else 0.15) * file.factor, file.unit
        else:
            file.inside = file.inside and not line.startswith("diff ")
            weight = _weight(found, file, line) * file.factor
            under = file.hunk if file.inside else file.unit
        weight *= 0.95 + 0.1 * (number * GOLDEN % 1)
        end = at[number] + len(line)
        pieces = [(at[number], end)] if len(line) <= 4 * LONG else list(sentences(body, at[number], end))
        found.spans += [Span(*piece, number, number, weight, under) for piece in pieces]
    return found


def _begins(lines: list[str], number: int, file: _File) -> bool:
    """Whether a file begins here that no line before names: `--- a`, `+++ b`, `@@`."""
    if not lines[number].startswith("--- ") or number + 2 >= len(lines) or (file.unit >= 0 and not file.inside):
        return False
    return lines[number + 1].startswith("+++ ") and _HUNK.match(lines[number + 2]) is not None


def _importance(line: str) -> float:
    """What the changes of a file are worth for what the file is."""
    return 0.2 if _WRITTEN.search(line) else 0.6 if _ASIDE.search(line) else 1.0


def summary(lines: list[str]) -> str:
    """Files and changed lines: `3 files, +120 -14`."""
    files = sum(1 for line in lines if line.startswith("+++ "))
    added = sum(1 for line in lines if line.startswith("+")) - files
    removed = sum(1 for line in lines if line.startswith("-")) - sum(1 for line in lines if line.startswith("--- "))
    return f"{files} files, +{max(0, added)} -{max(0, removed)}"


def _weight(found: Patch, file: _File, line: str) -> float:
    sign = line[:1]
    if file.inside and sign in ("+", "-"):
        file.added, file.removed = file.added + (sign == "+"), file.removed + (sign == "-")
        file.lines += 1
        bare = _DIGITS.sub("", line[1:].strip())
        found.said[bare] += 1
        weight = (0.4 + line_weight(line[1:])) * (1.0 if sign == "+" else 0.8)
        return weight * float(found.said[bare] ** -0.6 * (1 + file.lines / 12) ** -0.35) if bare else 0.1
    if file.inside:
        return 0.2
    if line.startswith(("--- ", "+++ ")) or _OLD.match(line):
        return 0.3
    if _NOTED.match(line):
        return 2.0
    return 2.5 if _COMMIT.match(line) else 1.0 if file.unit < 0 and line.strip() else 0.3
