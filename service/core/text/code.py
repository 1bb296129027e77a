"""Source code: definitions, what a file is, what it raises, and what somebody left to do."""

import re

from service.core.text.documents import GOLDEN
from service.core.text.lines import Span, offsets
from service.core.text.pieces import LONG, sentences

_DEFINITION = re.compile(
    r"\s*(?:export\s+|default\s+|public\s+|private\s+|protected\s+|internal\s+|static\s+|final\s+|abstract\s+|async\s+"
    r"|pub(?:\([^)]*\))?\s+|unsafe\s+|inline\s+|virtual\s+|override\s+|sealed\s+|declare\s+)*"
    r"(?:def|class|func|function\*?|fn|interface|type|struct|enum|trait|impl|module|namespace|package|record|object|CREATE"
    r"|protocol|extension|macro_rules!)\s+[\w(\[<*]"
    r"|(?:export\s+)?(?:const|let|var)\s+\w+\s*[:=].*(?:=>|function)"
    r"|\s*(?:public|private|protected)\s.*\("
    r"|[A-Za-z_][\w:<>,*& ]+\s+\*?[\w:~]+\([^;]*\)\s*(?:const)?\s*\{?\s*$"
)
_IMPORT = re.compile(
    r"\s*(?:import\b|from\s+\S+\s+import|#include|use\s+\w|using\s+\w|require\(|\"[\w./-]+\"$|const .*= require)"
)
_TODO = re.compile(r"\b(?:TODO|FIXME|HACK|XXX|BUG|WARNING|DEPRECATED|deprecated|Deprecated)\b")
_RAISES = re.compile(
    r"\b(?:raise|throw|throws|panic!?|errors\.New|fmt\.Errorf|Errorf|Error\(|Exception\(|log\.Fatal|klog\.E\w+|assert|abort|exit)\b"
)
_COMMENT = re.compile(r"\s*(?:#(?!include|define|if|endif)|//|/?\*|--|\"\"\"|'''|;;|<!--)")
_CONSTANT = re.compile(
    r"(?:export\s+)?(?:const\s+|static\s+|final\s+|#define\s+)*[A-Z][A-Z0-9_]{2,}\b.*[=:]|(?:export )?const \w+ = "
)
_CLOSER = re.compile(r"\s*[\])}>;,]*\s*$|\s*(?:end|else:?|try:?|\{|fi|done)\s*$")


def spans(body: str, lines: list[str]) -> list[Span]:
    """The lines of code as units; the lines below a definition are worth more while they explain it."""
    found: list[Span] = []
    at, after = offsets(lines), 0.0
    for number, line in enumerate(lines):
        weight = _weight(line)
        if weight >= 2:
            after = 1.0
        elif after > 0.2 and line.strip():
            weight *= 1 + after * (1.2 if _COMMENT.match(line) else 0.3)
            after *= 0.45
        weight *= 1.8 - number * 0.08 if number < 10 and line.strip() else 1
        weight *= 0.95 + 0.1 * (number * GOLDEN % 1)
        found += _pieces(body, number, at[number], len(line), weight)
    return _explained(lines, found) if len(found) == len(lines) else found


def _pieces(body: str, number: int, start: int, length: int, weight: float) -> list[Span]:
    if length <= 4 * LONG:
        return [Span(start, start + length, number, number, weight)]
    return [Span(*piece, number, number, weight) for piece in sentences(body, start, start + length)]


def _explained(lines: list[str], found: list[Span]) -> list[Span]:
    """The comment that begins right above a definition says what it is for."""
    for number in range(len(lines) - 1, 0, -1):
        if found[number].weight < 2 or not _COMMENT.match(lines[number - 1]):
            continue
        first = number - 1
        while first > 0 and _COMMENT.match(lines[first - 1]) and number - first < 30:
            first -= 1
        if found[first].weight < 1.3:
            found[first] = found[first]._replace(weight=1.3)
    return found


def _weight(line: str) -> float:
    if not line or line.isspace() or _CLOSER.match(line):
        return 0.15
    indent = len(line) - len(line.lstrip())
    if _DEFINITION.match(line):
        return 2.0 + 1.0 / (1 + indent / 4)
    if _IMPORT.match(line):
        return 0.35
    weight = 0.45 if _COMMENT.match(line) else 0.6 / (1 + indent / 24)
    if not indent and _CONSTANT.match(line):
        weight = 1.3
    weight *= 2.2 if _TODO.search(line) else 1
    return weight * (1.7 if _RAISES.search(line) else 1)
