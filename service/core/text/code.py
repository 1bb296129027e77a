"""Source code: definitions, what a file is, what it raises, and what somebody left to do."""

import re

from service.core.text.documents import GOLDEN
from service.core.text.lines import Span, offsets
from service.core.text.pieces import LONG, sentences

DEFINED = 2.0  # the weight of a definition, from here up
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
    """The lines of code as units, blank lines with what stands before them."""
    at, found = offsets(lines), list[Span]()
    weights = _explained(lines, [_weight(line) for line in lines])
    number = 0
    while number < len(lines):
        reach = number + 1
        while reach < len(lines) and not weights[reach]:
            reach += 1
        end = at[number] + len(lines[number])
        weight = weights[number] * (0.95 + 0.1 * (number * GOLDEN % 1))
        pieces = [(at[number], end)] if end - at[number] <= 4 * LONG else sentences(body, at[number], end)
        found += [Span(*piece, number, number, weight) for piece in pieces]
        found[-1] = found[-1]._replace(last=reach - 1)
        number = reach
    return found


def _explained(lines: list[str], weights: list[float]) -> list[float]:
    """Raise the head of the file, what follows a definition, and the comment that stands above one."""
    after = 0.0
    for number, line in enumerate(lines):
        weight = weights[number]
        if weight >= DEFINED:
            after = 1.0
            _above(lines, weights, number)
        elif weight and after > 0.2:
            weights[number] = weight * (1 + after * (1.2 if _COMMENT.match(line) else 0.3))
            after *= 0.45
        if number < 10:
            weights[number] *= 1.8 - number * 0.08
    return weights


def _above(lines: list[str], weights: list[float], number: int) -> None:
    """The comment that stands right above a definition says in its first line what it is for."""
    first = number
    while first > max(0, number - 30) and _COMMENT.match(lines[first - 1]):
        first -= 1
    if first < number:
        weights[first] = max(weights[first], 1.3)


def _weight(line: str) -> float:
    line = line[: 2 * LONG]
    if not line or line.isspace():
        return 0.0
    if _CLOSER.match(line):
        return 0.15
    indent = len(line) - len(line.lstrip())
    if _DEFINITION.match(line):
        return DEFINED + 1.0 / (1 + indent / 4)
    if _IMPORT.match(line):
        return 0.35
    weight = 0.45 if _COMMENT.match(line) else 0.6 / (1 + indent / 24)
    if not indent and _CONSTANT.match(line):
        weight = 1.3
    weight *= 2.2 if _TODO.search(line) else 1
    return weight * (1.7 if _RAISES.search(line) else 1)
