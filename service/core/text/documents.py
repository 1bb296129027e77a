"""Documents: markdown, reStructuredText, plain text of any language, as blocks, sentences and their weights.

A reader who skims reads the head of the document, the first sentence of a section, definitions, defaults, limits and
commands, and nothing twice; so does the price. A heading is shown when something beneath it is.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from service.core.text.lines import Span, offsets
from service.core.text.pieces import LONG, sentences
from service.core.text.shapes import (
    ALONE,
    BLANK,
    CODE,
    COMMAND,
    FENCE,
    HEADING,
    ITEM,
    META,
    NAMED,
    NOISE,
    ROW,
    RULE,
    TERM,
    TEXT,
    Shapes,
    shapes,
)
from service.core.text.telling import ASIDE, VERSION, bare, telling

GOLDEN = 0.6180339887  # spreads what is worth the same evenly over the text
HEAD_LINES = 20  # of a document, blank ones and noise not counted: they say what it is
HEADINGS = (3.2, 1.9, 1.0, 0.7, 0.5, 0.4)  # what a heading is worth for itself, by its depth
WIDE = 16  # so many headings of one depth are an outline that is worth its tokens
SHOWN = frozenset({CODE, COMMAND, NAMED, ITEM, ROW, META})  # what may stand below a line that ends with a colon
SETUP = re.compile(r"\b(?:install|add|pull|clone|run|i|get|require)\b")
_KEYS = re.compile(
    r"\W*(?:title|name|description|summary|status|version|date|created|author|subject|from|to|license)\b", re.I
)


@dataclass(slots=True)
class Section:
    """A heading that is open: how deep, its unit, and what its text is worth."""

    depth: int
    unit: int
    factor: float
    units: int = 0


@dataclass(slots=True)
class Page:
    """A document's lines, where they start, and what was seen of it so far."""

    body: str
    lines: list[str]
    shapes: Shapes
    at: list[int]
    written: int = 0  # lines that say something
    said: Counter[str] = field(default_factory=Counter)
    exact: Counter[str] = field(default_factory=Counter)  # of what was said before with other numbers
    open: list[Section] = field(default_factory=list)
    terms: list[tuple[int, int]] = field(default_factory=list)  # indentation and unit of the names that are open
    versions: Counter[int] = field(default_factory=Counter)  # headings that are versions, by depth
    headings: Counter[int] = field(default_factory=Counter)
    row: int = -1  # the unit of the first row of a table
    intro: tuple[int, int] = (-1, 0)  # the unit that ends with a colon right above, and its indentation
    coded: int = 0  # lines of the code that is being read


def spans(body: str, lines: list[str], kind: str = "") -> list[Span]:
    """The units of a document, in order, blank lines with what stands before them."""
    found: list[Span] = []
    page = Page(body, lines, shapes(lines, kind == "prose"), offsets(lines))
    page.headings.update(page.shapes.depth.values())
    for first, stop, reach in _blocks(page.shapes.of, kind != "html"):
        shape = page.shapes.of[first]
        under = _under(page, first, shape, len(found))
        factor = _factor(page, first, shape)
        for rank, unit in enumerate(_block(page, first, stop, shape)):
            weight = unit.weight * factor * _place(page, rank) / _again(page, unit)
            found.append(unit._replace(weight=weight, under=under))
        if shape in (TEXT, ITEM) and page.lines[stop - 1].rstrip()[-1:] in ":：":
            page.intro = len(found) - 1, _deep(page.lines[first])
        found[-1] = found[-1]._replace(last=reach - 1)
        page.written += stop - first if shape not in (NOISE, RULE, FENCE) else 0
    return found


def lead(spans: Sequence[Span], prices: list[float]) -> None:
    """Raise, in place, headings and names to the price of the best that stands beneath them."""
    for number in range(len(spans) - 1, -1, -1):
        under = spans[number].under
        if 0 <= under < number:
            prices[under] = max(prices[under], prices[number])


def _blocks(of: list[int], wrapped: bool) -> Iterator[tuple[int, int, int]]:
    """Lines first to stop of each block, a paragraph, heading, item, line of code or table, and where the next is."""
    first, total = 0, len(of)
    while first < total:
        stop = first + 1
        if wrapped and of[first] not in ALONE and of[first] != BLANK:
            while stop < total and of[stop] == TEXT:
                stop += 1
        reach = stop
        while reach < total and of[reach] == BLANK:
            reach += 1
        yield first, stop, reach
        first = reach


def _under(page: Page, first: int, shape: int, unit: int) -> int:
    """The unit that names what a block is about: the heading, or the term that it explains."""
    line = page.lines[first]
    indent = _deep(line)
    if shape == HEADING:
        return _opened(page, first, unit)
    introduced = page.intro[0] >= 0 and (shape in SHOWN or (shape == TEXT and indent > page.intro[1] + 1))
    if not introduced and shape not in (FENCE, NOISE, RULE):
        page.intro = -1, 0
    page.row = -1 if shape not in (ROW, RULE) else unit if page.row < 0 and shape == ROW else page.row
    while page.terms and page.terms[-1][0] >= indent:
        page.terms.pop()
    named = page.terms[-1][1] if page.terms else page.open[-1].unit if page.open else -1
    if shape == TERM or (shape == ITEM and len(line) <= LONG):
        page.terms.append((indent, unit))
    return page.row if 0 <= page.row < unit else page.intro[0] if introduced else named


def _deep(line: str) -> int:
    return len(line) - len(line.lstrip())


def _opened(page: Page, number: int, unit: int) -> int:
    """Open a section; the unit of the one that it stands in."""
    depth, line = page.shapes.depth[number], page.lines[number]
    while page.open and page.open[-1].depth >= depth:
        page.open.pop()
    around = page.open[-1] if page.open else None
    factor = around.factor if around else 1.0
    if around and ASIDE.search(line):
        factor *= 0.35
    if VERSION.match(line):
        page.versions[depth] += 1
        factor *= page.versions[depth] ** -0.7
    page.terms.clear()
    page.intro = -1, 0
    page.open.append(Section(depth, unit, factor))
    return around.unit if around else -1


def _place(page: Page, rank: int) -> float:
    """What a unit is worth for standing near the beginning, of a document in one line, too."""
    return 1 + 1.6 * max(0.0, 1 - (page.written + rank) / HEAD_LINES)


def _factor(page: Page, first: int, shape: int) -> float:
    """What a block is worth for where it stands."""
    even = 0.9 + 0.2 * (first * GOLDEN % 1)
    if not page.open:
        return even
    section = page.open[-1]
    if shape == HEADING:
        return even * section.factor
    section.units += 1
    return even * section.factor * float((1 + section.units / 4) ** -0.25)


def _again(page: Page, unit: Span) -> float:
    """By how much a unit is worth less because it stood there before, word for word or but for its numbers."""
    if unit.end - unit.start > LONG:
        return 1.0
    text = page.body[unit.start : unit.end].strip()
    words = bare(text)
    page.said[words] += 1
    if not words or page.said[words] == 1:
        return 1.0
    page.exact[text] += 1
    return float(page.exact[text] ** 1.1 * page.said[words] ** 0.35)


def _block(page: Page, first: int, stop: int, shape: int) -> Iterator[Span]:
    line, start = page.lines[first], page.at[first]
    page.coded = page.coded + 1 if shape in (CODE, NAMED, COMMAND) else 0
    if (shape in ALONE or shape == BLANK) and len(line) <= 2 * LONG:
        yield Span(start, start + len(line), first, first, _alone(page, first, shape))
        return
    indent = len(line) - len(line.lstrip(" "))
    worth = 0.55 if indent > page.shapes.indent + 1 and shape != ITEM and not page.terms else 1.0
    yield from _joined(page, first, stop, worth)


def _joined(page: Page, first: int, stop: int, worth: float) -> Iterator[Span]:
    """The sentences of a block, the first one worth most."""
    at, body, number = page.at, page.body, first
    rank = 1.4 * worth
    for begin, end in sentences(body, at[first], at[stop] - 1):
        while number < stop - 1 and at[number + 1] <= begin:
            number += 1
        head = number
        while number < stop - 1 and at[number + 1] < end:
            number += 1
        yield Span(begin, end, head, number, rank * telling(body[begin:end]))
        rank = max(0.6 * worth, 0.95 * worth if rank > worth else rank - 0.01)


def _alone(page: Page, number: int, shape: int) -> float:
    """What a line is worth that is a block of its own."""
    line = page.lines[number]
    if shape in (BLANK, RULE, FENCE, NOISE):
        return 0.1
    if shape == HEADING:
        depth = page.shapes.depth[number]
        many = page.headings[depth]
        return HEADINGS[min(depth, len(HEADINGS)) - 1] / (1 + many / WIDE)
    if shape == COMMAND:
        return (2.4 if SETUP.search(line) else 1.4) * float((1 + page.coded / 3) ** -0.4)
    if shape == CODE:
        weight = 0.9 if page.coded == 1 else 0.55 * float((1 + page.coded / 4) ** -0.3)
        return weight * (1.3 if " = " in line else 1.0)
    if shape == META:
        return 2.2 if _KEYS.match(line) else 1.6
    weight = {TERM: 0.8, NAMED: 1.5, ROW: 1.1}[shape]
    return weight * (1.0 if shape == TERM else telling(line))
