"""Documents: markdown, reStructuredText, plain text of any language, as blocks, sentences and their weights.

A reader who skims reads the head of the document, the headings, the first sentence of a paragraph, definitions,
commands and tables, and nothing twice; so does the price.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from service.core.text.lines import Span, offsets
from service.core.text.pieces import LONG, sentences

SENTENCE = 32  # characters: a line as long as this that stands alone is a paragraph
GOLDEN = 0.6180339887  # spreads what is worth the same evenly over the text
HEAD_LINES = 20  # of a document, blank ones not counted: they say what it is
_HEADING = re.compile(
    r"\s{0,3}(#{1,6})\s+\S"
    r"|((?:\d+\.){1,4})(?:\d+)?\s+[^\W\d_].{0,76}$"
    r"|(?:Appendix|Chapter|CHAPTER|Section|PART|Part|BOOK)\s+[\dA-Z]"
    r"|<h[1-6]|第.{1,4}[章節节条]"
    r"|[A-Z][A-Z0-9 ,'’\-–:&/]{3,60}$"
)
_RULE = re.compile(r"\s{0,3}([=\-~^\"'#*+.`:_])\1{2,}\s*$")
_ITEM = re.compile(r"\s*(?:[-*+•・]|\d{1,3}[.)])\s+\S")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_TABLE = re.compile(r"\s*\|.*\||\s*\+[-=+]{3,}|\S.*\t.*\t")
_META = re.compile(r"\s*[*_]{0,2}[A-Z][\w \-]{1,24}[*_]{0,2}:[*_]{0,2}\s+\S|[\w-]{2,24}: \S")
_COMMAND = re.compile(
    r"\s*(?:[$#>%] \S|(?:sudo|kubectl|docker|git|pip3?|npm|npx|yarn|curl|wget|apt(?:-get)?|brew|helm|make|cargo|go"
    r"|python3?|systemctl|ssh|psql|aws|gcloud|az|terraform)\s+[\w./-]+)"
)
_TELLING = frozenset(
    "is are means refers defines define default defaults must should required deprecated returns return warning note"
    " caution important because error limit maximum minimum only never always decided approved deadline due concluded"
    " conclusion therefore result results ist sind muss est sont doit es son debe является".split()
)
_SIGNS = ("`", "**", "とは", "です", "是", "必须", "默认", "$", "€", "£", "¥", "%")
_NAMES = re.compile(r"\s*[\w.$-]+\s*(?:::?=|=(?!=))\s*\S")
_LINKS = re.compile(r"\s*(?:\[[^\]]*\]:\s|\.\. (?:_|\[)|!\[|<!--|-->\s*$|</?\w+[^>]*>\s*$|\{\{|\[\^?[\w-]+\]:)")
_TITLE = re.compile(r"[\W\d]+")


@dataclass(slots=True)
class Page:
    """A document's lines, where they start, and what was seen of it so far."""

    body: str
    lines: list[str]
    at: list[int] = field(default_factory=list)
    indent: int = 0  # of ordinary text
    written: int = 0  # lines that are not blank
    said: Counter[str] = field(default_factory=Counter)
    underlines: str = ""


def spans(body: str, lines: list[str]) -> list[Span]:
    """The units of a document, in order, blank lines with what stands before them."""
    page = Page(body, lines, offsets(lines), _indent(lines))
    found: list[Span] = []
    fenced = False
    for first, stop, reach in _blocks(lines):
        fence = bool(_FENCE.match(lines[first]))
        fenced = fenced ^ fence
        place = 1 + 1.6 * max(0.0, 1 - page.written / HEAD_LINES)
        place *= 0.9 + 0.2 * (first * GOLDEN % 1)
        found += [
            unit._replace(weight=unit.weight * place / _again(page, unit))
            for unit in _block(page, first, stop, fenced or fence)
        ]
        found[-1] = found[-1]._replace(last=reach - 1)
        page.written += stop - first
    return found


def _defines(text: str) -> bool:
    """Whether a sentence or line defines, prescribes, warns or counts."""
    return not _TELLING.isdisjoint(text.lower().split()) or any(sign in text for sign in _SIGNS)


def _indent(lines: list[str]) -> int:
    """The commonest indentation of a document: text that is set in is no code."""
    depths = Counter(len(line) - len(line.lstrip(" ")) for line in lines[:5000] if line.strip())
    return min(8, depths.most_common(1)[0][0]) if depths else 0


def _again(page: Page, unit: Span) -> float:
    """By how much a unit is worth less because its words stood there before."""
    if unit.end - unit.start > LONG:
        return 1.0
    words = _TITLE.sub(" ", page.body[unit.start : unit.end]).strip()
    page.said[words] += 1
    return float(page.said[words] ** 1.1) if words else 1.0


def _blocks(lines: list[str]) -> Iterator[tuple[int, int, int]]:
    """Lines first to stop of each block, a paragraph, heading, item, line of code or table, and where the next is."""
    first, total, fenced = 0, len(lines), False
    while first < total:
        stop = first + 1
        if _FENCE.match(lines[first]):
            fenced = not fenced
        elif not fenced and not _alone(lines, first):
            while stop < total and lines[stop].strip() and not _alone(lines, stop) and not _ITEM.match(lines[stop]):
                stop += 1
        reach = stop
        while reach < total and (not lines[reach] or lines[reach].isspace()):
            reach += 1
        yield first, stop, reach
        first = reach


def _alone(lines: list[str], number: int) -> bool:
    """Whether a line is a block of its own."""
    line = lines[number]
    if not line.strip() or any(form.match(line) for form in (_RULE, _TABLE, _FENCE, _HEADING, _LINKS)):
        return True
    if number + 1 < len(lines) and _RULE.match(lines[number + 1]) and not _TABLE.match(lines[number + 1]):
        return True
    if len(line) > LONG:
        return False
    return bool(_META.match(line) or _COMMAND.match(line) or _NAMES.match(line))


def _block(page: Page, first: int, stop: int, code: bool) -> Iterator[Span]:
    line, start = page.lines[first], page.at[first]
    if stop - first == 1 and len(line) <= LONG:
        yield Span(start, start + len(line), first, first, _line_weight(page, first, code))
        return
    worth = 1.0
    for begin, end, head, tail in _snapped(page, first, stop):
        weight = worth * (1.5 if _defines(page.body[begin:end]) else 1)
        if begin == start:
            weight = max(weight, 1.5 * weight if not code else 0, _line_weight(page, first, code))
        yield Span(begin, end, head, tail, weight)
        worth = (0.7 if len(page.lines[tail]) > LONG else 0.5) if worth == 1.0 else max(0.3, worth - 0.01)


def _snapped(page: Page, first: int, stop: int) -> Iterator[tuple[int, int, int, int]]:
    """Sentences of a block; in wrapped text they end with the line, in long lines where they end."""
    lines, at = page.lines, page.at
    begin, head, number, limit = at[first], first, first, at[stop] - 1
    for _, end in sentences(page.body, at[first], limit):
        if end <= begin:
            continue
        while number < stop - 1 and at[number + 1] < end:
            number += 1
        if len(lines[number]) > LONG:
            yield begin, end, head, number
            begin, head = end, number
        else:
            yield begin, at[number] + len(lines[number]), head, number
            begin, head = at[number + 1], number + 1
        number = max(number, head)
    if begin < limit:
        yield begin, limit, head, stop - 1


def _heading(page: Page, number: int) -> re.Match[str] | None:
    """The heading that a line is; `1. Start it` is one only when it stands alone and is no sentence."""
    line, lines = page.lines[number], page.lines
    hit = _HEADING.match(line) if len(line) > 6 else None
    if hit and hit[2] and hit[2].count(".") == 1:
        beside = (lines[number - 1] if number else "") + (lines[number + 1] if number + 1 < len(lines) else "")
        return None if beside.strip() or line.rstrip()[-1:] in ".:;,?!" else hit
    return hit


def _line_weight(page: Page, number: int, code: bool) -> float:
    line = page.lines[number]
    below = page.lines[number + 1] if number + 1 < len(page.lines) else ""
    if not line.strip():
        return 0.2
    if not code and (hit := _heading(page, number)):
        depth = len(hit[1]) if hit[1] else hit[2].count(".") if hit[2] else 2
        return max(1.8, 4.6 - 0.7 * depth)
    if not code and (under := _RULE.match(below)) and not _TABLE.match(line) and not _RULE.match(line):
        page.underlines += "" if under[1] in page.underlines else under[1]
        return max(1.8, 3.9 - 0.7 * page.underlines.index(under[1]))
    if _RULE.match(line) or _LINKS.match(line) or _FENCE.match(line):
        return 0.15
    return _plain_weight(page, line, code)


def _plain_weight(page: Page, line: str, code: bool) -> float:
    weight = 0.6 if line.rstrip()[-1:] in ":：" else 1.0
    if code or len(line) - len(line.lstrip(" ")) > page.indent + 1:
        weight *= 0.55
    if _COMMAND.match(line):
        return 1.5
    if _META.match(line):
        return weight * 1.5
    if _NAMES.match(line) and not code:
        return 1.4
    if _ITEM.match(line) or _TABLE.match(line):
        weight *= 1.2
    elif weight == 1.0 and len(line) > SENTENCE:
        weight = 1.5
    return weight * (1.4 if weight > 0.7 and _defines(line) else 1)
