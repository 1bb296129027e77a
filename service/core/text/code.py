"""Source code: what a file is, what it defines and how that is called, what it raises, and what was left to do."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from service.core.text.lines import Span, offsets
from service.core.text.pieces import LONG, sentences
from service.core.text.telling import FORMAL, bare, telling

GOLDEN = 0.6180339887  # spreads what is worth the same evenly over the text
DEFINED = 2.0  # the weight of a definition, from here up
RAISED = 1.4  # what a line is worth at least that raises an error
MOST = 14  # lines of one statement that are shown together
WIDE = 600  # characters of one statement that are shown together
HEAD = 10  # lines of a file that say what it is
_DEFINITION = re.compile(
    r"\s*(?:export\s+|default\s+|public\s+|private\s+|protected\s+|internal\s+|static\s+|final\s+|abstract\s+|async\s+"
    r"|pub(?:\([^)]*\))?\s+|unsafe\s+|inline\s+|virtual\s+|override\s+|sealed\s+|declare\s+)*"
    r"(?:def|class|func|function\*?|fn|interface|type|struct|enum|trait|impl|module|namespace|package|record|object|CREATE"
    r"|protocol|extension|macro_rules!)\s+[\w(\[<*]"
    r"|(?:export\s+)?(?:const|let|var)\s+\w+\s*[:=].*(?:=>|function)"
    r"|\s*(?:public|private|protected)\s.*\("
    r"|[A-Za-z_][\w:<>,*& ]+\s+\*?[\w:~]+\([^;]*\)\s*(?:const)?\s*\{?\s*$"
    r"|[\w-]+\s*\(\)\s*\{?\s*$"
    r"|\s+(?:static |get |set |async )*(?!if\b|for\b|while\b|switch\b|catch\b|return\b|with\b|do\b)[\w$#]+\([^()]*\)"
    r"\s*(?::[^{=]+)?\{$"
)
_IMPORT = re.compile(
    r"\s*(?:import\b|from\s+\S+\s+import|#include|use\s+\w|using\s+\w|require\(|\"[\w./-]+\"$|const .*= require)"
)
_TODO = re.compile(r"\b(?:TODO|FIXME|HACK|XXX|BUG|WARNING|DEPRECATED|deprecated|Deprecated)\b")
_RAISES = re.compile(
    r"\b(?:raise|throw|throws|panic!?|errors\.New|fmt\.Errorf|Errorf|Error\(|Exception\(|log\.Fatal|klog\.E\w+|assert|abort|exit)\b"
)
_TELLS = re.compile(
    r"\W*(?:@(?:throws|deprecated|since|author|return|default)|:raises|:deprecated|Raises|Deprecated|Returns)"
)
_CONSTANT = re.compile(
    r"(?:export\s+)?(?:const\s+|static\s+|final\s+|#define\s+)*[A-Z][A-Z0-9_]{2,}\b.*[=:]|(?:export )?const \w+ = "
    r"|#define \w|var Err\w+|\tErr\w+ +="
)
_CLOSER = re.compile(
    r"\s*[\])}>;,]*\s*$|\s*(?:end|else:?|try:?|\{|fi|done|then|do|return;?|break;?|continue;?|\} else \{)\s*$"
)
_LINE_COMMENTS = ("#", "//", "--", ";;")
_HIDDEN = re.compile(r"\s*(?:async )?(?:def|fn|func|function) _|\s*private\b")
_SHOWN = re.compile(r"\s*(?:export|pub|public|func (?:\([^)]*\) )?[A-Z]|def [a-z]|class [A-Z]|CREATE)\b")


@dataclass(slots=True)
class _Source:
    """A file's lines, and what was seen of it so far."""

    body: str
    lines: list[str]
    at: list[int]
    found: list[Span] = field(default_factory=list)
    open: list[tuple[int, int]] = field(default_factory=list)  # indentation and unit of the definitions around
    said: Counter[str] = field(default_factory=Counter)
    defined: int = -1  # the last line of the last definition


def spans(body: str, lines: list[str]) -> list[Span]:
    """The statements and comments of code as units, blank lines with what stands before them."""
    source = _Source(body, lines, offsets(lines))
    number = 0
    while number < len(lines):
        line = lines[number]
        if not line or line.isspace():
            if source.found:
                source.found[-1] = source.found[-1]._replace(last=number)
            else:
                source.found.append(Span(0, len(line), 0, 0, 0.05))
            number += 1
        elif closing := _commented(line):
            number = _comment(source, number, closing)
        else:
            number = _statement(source, number)
    return source.found


def _commented(line: str) -> str:
    """What ends the comment that a line begins, a space when it is the line's end; nothing for code."""
    text = line.lstrip()
    if text.startswith("/*"):
        return "*/"
    quote = text.lstrip("rRbBuUfF")[:3]
    if quote in ('"""', "'''"):
        return quote
    if text.startswith("<!--"):
        return "-->"
    if text.startswith(_LINE_COMMENTS) and not text.startswith(
        ("#include", "#define", "#if", "#endif", "#else", "#pragma", "#[")
    ):
        return " "
    return ""


def _comment(source: _Source, first: int, closing: str) -> int:
    """The lines of a comment as units; its first words say what it is about. The line behind it."""
    lines, stop = source.lines, first + 1
    if closing == " ":
        while stop < len(lines) and _commented(lines[stop]) == " ":
            stop += 1
    elif closing not in lines[first].lstrip()[3:] and not (closing == "*/" and lines[first].rstrip().endswith("*/")):
        while stop < len(lines) and closing not in lines[stop]:
            stop += 1
        stop = min(len(lines), stop + 1)
    following = next((line for line in lines[stop : stop + 4] if line.strip() and line.lstrip()[0] != "@"), "")
    documents = source.defined == first - 1 or _DEFINITION.match(following) is not None
    rank = 1.6 if first < HEAD else 1.1 if documents else 0.5
    formal = FORMAL.search("\n".join(lines[first : min(stop, first + 40)])) is not None
    for number in range(first, stop):
        text = lines[number].strip(" \t/*#-\"'")
        if not text:
            _add(source, number, number, 0.03)
            continue
        weight = rank * telling(text) ** 0.6 * (0.25 if formal else 1.0)
        weight = max(weight, 0.9) if _TELLS.match(text) and not formal else weight
        _add(source, number, number, weight * (2.2 if _TODO.search(text) else 1.0))
        rank = max(0.25 if documents else 0.2, rank * 0.55)
    return stop


def _statement(source: _Source, first: int) -> int:
    """One statement as a unit, all lines of it when it defines, raises or imports. The line behind it."""
    line = source.lines[first]
    weight = line_weight(line)
    last = first
    defines = weight >= DEFINED
    if defines or _RAISES.search(line) or _IMPORT.match(line):
        last = _closed(source.lines, first, "({" if _IMPORT.match(line) else "(")
    if defines:
        weight *= 0.7 if _HIDDEN.match(line) else 1.15 if _SHOWN.match(line) else 1.0
        source.defined = last
    indent = len(line) - len(line.lstrip())
    while source.open and source.open[-1][0] >= indent:
        source.open.pop()
    _add(source, first, last, weight * (1.5 if first < HEAD else 1.0))
    if defines:
        source.open.append((indent, len(source.found) - 1))
    return last + 1


def _closed(lines: list[str], first: int, opening: str) -> int:
    """The line on which the brackets close that the first one opens, when that is near."""
    closing = {"(": ")", "{": "}"}
    depth = size = 0
    for number in range(first, min(len(lines), first + MOST)):
        line = lines[number]
        depth += sum(line.count(sign) - line.count(closing[sign]) for sign in opening)
        size += len(line)
        if size > WIDE:
            return first
        if depth <= 0:
            return number
    return first


def _add(source: _Source, first: int, last: int, weight: float) -> None:
    start, end = source.at[first], source.at[last] + len(source.lines[last])
    words = bare(source.body[start : min(end, start + LONG)])
    source.said[words] += 1
    weight *= float(source.said[words] ** -0.8) * (0.95 + 0.1 * (first * GOLDEN % 1))
    under = source.open[-1][1] if source.open else -1
    for piece in _pieces(source.body, start, end):
        source.found.append(Span(*piece, first, last, weight, under))


def _pieces(body: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    if end - start <= 4 * LONG:
        yield start, end
    else:
        yield from sentences(body, start, end)


def line_weight(line: str) -> float:
    """What a line of code is worth for itself."""
    line = line[: 2 * LONG]
    if not line or line.isspace():
        return 0.0
    if _CLOSER.match(line):
        return 0.1
    indent = len(line) - len(line.lstrip())
    if _DEFINITION.match(line):
        return DEFINED + 1.0 / (1 + indent / 4)
    if _IMPORT.match(line):
        return 0.35
    weight = 0.45 if _commented(line) else 0.6 / (1 + indent / 24)
    if _CONSTANT.match(line):
        weight = 1.4
    weight *= 2.2 if _TODO.search(line) else 1
    return max(weight * 1.7, RAISED) if _RAISES.search(line) else weight
