"""Documents: markdown, reStructuredText, plain text of any language, as blocks, sentences and their weights.

A reader who skims reads the headings, the head of the document, the first sentence of a paragraph, definitions,
commands and tables; so does the price.
"""

import re
from collections.abc import Iterator

from service.core.text.lines import Span, offsets
from service.core.text.pieces import LONG, sentences

HEADING = 3.2
PLAIN = 1.0
_HEADING = re.compile(
    r"\s{0,3}(#{1,6})\s+\S"
    r"|(?:\d+\.){1,4}(?:\d+)?\s+\S.{0,76}$"
    r"|(?:Appendix|Chapter|CHAPTER|Section|PART|Part|BOOK)\s+[\dA-Z]"
    r"|<h([1-6])"
    r"|[A-Z][A-Z0-9 ,'’\-–:&/]{3,60}$"
)
_RULE = re.compile(r"\s{0,3}([=\-~^\"'#*+.`:_])\1{2,}\s*$")
_ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+\S")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_TABLE = re.compile(r"\s*\|.*\||\s*\+[-=+]{3,}|\S.*\t.*\t")
_META = re.compile(r"\s*[*_]{0,2}[A-Z][\w \-]{1,24}[*_]{0,2}:[*_]{0,2}\s+\S|[\w-]{2,24}: \S")
_COMMAND = re.compile(
    r"\s*(?:[$#>%] \S|(?:sudo|kubectl|docker|git|pip3?|npm|npx|yarn|curl|wget|apt(?:-get)?|brew|helm|make|cargo|go|python3?)\s+[\w./-])"
)
_DEFINES = re.compile(
    r"\b(?:is|are|means|refers to|defines?|defaults? to|default|must(?: not)?|should not|required|deprecated|returns?"
    r"|warning|note|caution|important|because|error|limit|maximum|minimum|at (?:most|least)|only|never|always)\b"
    r"|`[^`]+`\s*(?:[:=–—-]|is\b)|\*\*[^*]+\*\*|\s::?=\s|^\s*[\w.-]+ +=(?!=)",
    re.IGNORECASE,
)
_LINKS = re.compile(r"\s*(?:\[[^\]]*\]:\s|\.\. (?:_|\[)|!\[|<!--|</?\w+[^>]*>\s*$|\[\^?[\w-]+\]:)")


def spans(body: str, lines: list[str]) -> list[Span]:
    """The units of a document, in order, blank lines with what stands before them."""
    found: list[Span] = []
    at, first, code = offsets(lines), 0, False
    for number, stop in _blocks(lines):
        fence = bool(_FENCE.match(lines[number]))
        code = code ^ fence if fence else code
        for span in _block(body, lines, at, number, stop, code or fence):
            found.append(span._replace(weight=span.weight * _place(number, len(lines))))
        first = stop
    return found


def _place(number: int, lines: int) -> float:
    """What a block is worth for where it stands: the head of the document says what it is."""
    if number < 12:
        return 2.2 - number * 0.1
    return 1.0 + 0.15 * (1 - number / max(1, lines))


def _blocks(lines: list[str]) -> Iterator[tuple[int, int]]:
    """Lines first to stop of each block: a paragraph, a heading, an item, a fence, a line of code or of a table."""
    first, total, fenced = 0, len(lines), False
    while first < total:
        stop = first + 1
        if _FENCE.match(lines[first]):
            fenced = not fenced
        elif not fenced and not _alone(lines, first):
            while stop < total and lines[stop].strip() and not _alone(lines, stop) and not _ITEM.match(lines[stop]):
                stop += 1
        while stop < total and not lines[stop].strip():
            stop += 1
        yield first, stop
        first = stop


def _alone(lines: list[str], number: int) -> bool:
    line = lines[number]
    if not line.strip() or _HEADING.match(line) or _RULE.match(line) or _TABLE.match(line) or _FENCE.match(line):
        return True
    underlined = number + 1 < len(lines) and bool(_RULE.match(lines[number + 1]))
    return (
        underlined or bool(_META.match(line)) or bool(_COMMAND.match(line)) or (line[:1] in " \t" and len(line) < 100)
    )


def _block(body: str, lines: list[str], at: list[int], first: int, stop: int, code: bool) -> Iterator[Span]:
    line = lines[first]
    if stop - first == 1 and len(line) <= LONG:
        yield Span(at[first], at[first] + len(line), first, first, _line_weight(lines, first, code))
        return
    weight = 1.5
    for start, end, head, tail in _snapped(body, lines, at, first, stop):
        text = body[start:end]
        worth = weight + (0.6 if _DEFINES.search(text) else 0)
        if head == first and start == at[first]:
            worth = max(worth, _line_weight(lines, first, code))
        yield Span(start, end, head, tail, worth)
        weight = 0.8


def _snapped(body: str, lines: list[str], at: list[int], first: int, stop: int) -> Iterator[tuple[int, int, int, int]]:
    """Sentences of a block; in wrapped text they end with the line, in long lines where they end."""
    begin, number = at[first], first
    for _, end in sentences(body, at[first], at[stop] - 1):
        if end <= begin:
            continue
        while number < stop - 1 and at[number + 1] < end:
            number += 1
        head = _line_of(at, begin, first, number)
        if len(lines[number]) > LONG:
            yield begin, end, head, number
            begin = end
        else:
            yield begin, at[number] + len(lines[number]), head, number
            begin = at[number + 1]
    if begin < at[stop] - 1:
        yield begin, at[stop] - 1, _line_of(at, begin, first, stop - 1), stop - 1


def _line_of(at: list[int], offset: int, low: int, high: int) -> int:
    while low < high and at[low + 1] <= offset:
        low += 1
    return low


def _line_weight(lines: list[str], number: int, code: bool) -> float:
    line = lines[number]
    below = lines[number + 1] if number + 1 < len(lines) else ""
    if not line.strip():
        return 0.3
    if not code and (hit := _HEADING.match(line)):
        return HEADING - 0.25 * (len(hit[1]) if hit[1] else 2)
    if not code and line.strip() and _RULE.match(below) and not _TABLE.match(line):
        return HEADING - 0.4
    if _RULE.match(line) or _LINKS.match(line) or _FENCE.match(line):
        return 0.2
    return _plain_weight(line, code)


def _plain_weight(line: str, code: bool) -> float:
    weight = PLAIN if not code else 0.7
    if _COMMAND.match(line):
        weight *= 1.9
    elif _META.match(line):
        weight *= 1.5
    elif _ITEM.match(line) or _TABLE.match(line):
        weight *= 1.3
    return weight * (1.4 if _DEFINES.search(line) else 1)
