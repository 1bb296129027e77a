"""Markdown, reStructuredText and HTML: headings, fenced blocks, tables, lists, paragraphs, sentences."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from re import Match, Pattern, compile as regex
from typing import NamedTuple

from service.core.chunk.marks import Level, Marks, Rank, finer, listed, matched, outside, under
from service.core.chunk.prose import PARAGRAPH, paragraphs, sentences, set_apart

TITLE = 80  # bytes of a heading that its path shows

# a pattern of lines begins with the line end before them: that is what a search can skip to (see _found)
FENCE = regex(rb"\n[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})([^\r\n`]*)(?=[\r\n]|\Z)")
RULER = regex(rb"\n[ \t>]*\|?[ \t]*:?-+:?[ \t]*\|[-:| \t]*(?:\r?\n|\Z)")
ROW = regex(rb"[^\r\n|]*\|[^\n]*(?:\n|\Z)")
MATTER = regex(rb"\A(?:\xef\xbb\xbf)?(---|\+\+\+)[ \t]*\r?\n(?:[^\n]*\n){0,99}?\1[ \t]*(?:\r?\n|\Z)")
ATX = regex(rb"\n {0,3}(#{1,6})[ \t]+([^\r\n]+)")
UNDERLINE = regex(rb"\n(=+|-+)[ \t]*(?=[\r\n]|\Z)")
NO_TITLE = regex(rb"[ \t]*(?:[-*+>|#]|[\r\n]|\Z)")
ITEM = regex(rb"\n(?=[ \t]*(?:[-*+\xe2]|\d{1,9}[.)])[ \t\x80]|[ \t]*<(?:tr|li|dt|p|div|table|h\d)\b)")
BREAK = regex(rb"<br ?/?>(?=[^\s])")

ADORNED = regex(
    rb"\n(?:(?P<over>([=\-`:.'\"~^_*+#<>])\2{2,})[ \t]*\r?\n)?"
    rb"(?P<title>[^\r\n]{1,200})\r?\n(?P<under>([=\-`:.'\"~^_*+#<>])\5{2,})[ \t]*(?=[\r\n]|\Z)"
)
LITERAL = regex(rb"\n([ \t]*)(?:\.\. [^\n]*::[^\n]*|[^\n]*::)[ \t]*(?:\r?\n)")
GRID = regex(rb"\n[ \t]*(?:\+[-=+]{3,}\+|={2,}(?: +={2,})+)[ \t]*\r?\n(?:[ \t]*[^\s][^\n]*\n)+")

TAG_TITLE = regex(rb"(?is)<h([1-6])\b[^>]*>(.{0,400}?)</h\1")
_ELEMENT = (
    rb"<(?:p|div|section|article|table|tr|ul|ol|li|dl|pre|blockquote|header|footer|nav|form|main|aside|script|style)\b"
)
BLOCK = regex(rb"(?i)\n(?=[ \t]*" + _ELEMENT + rb")|>(?=" + _ELEMENT + rb")")
TAG = regex(rb"(?=<[a-zA-Z])|>(?=[^\s<])")
MARKUP = regex(rb"<[^>]*>|\{#[^}]*\}|[`*]|\[([^\]]*)\]\([^)]*\)|\s#+\s*\Z")

LINE_END = regex(rb"\r?\n")
SPACE = regex(rb"[ \t\r\n]*")
Span = tuple[int, int]


class Title(NamedTuple):
    """A heading: where it stands, its level from 1, and its text."""

    start: int
    end: int
    level: int
    text: str


def markdown(text: bytes) -> Marks:
    """Front matter, fences and tables stay whole; headings and blank lines outside them are the boundaries."""
    fences = [*_front_matter(text), *_fences(text)]
    spans = _apart(fences, _tables(text))
    found = [Title(start, end, len(match[1]), _title(match[2])) for start, end, match in _found(ATX, text)]
    found += _underlined(text)
    return _document(text, spans, _names(fences), _free(sorted(found), spans))


def _underlined(text: bytes) -> Iterator[Title]:
    """Titles that a line of = or - underlines."""
    for match in UNDERLINE.finditer(text) if b"\n=" in text or b"\n--" in text else ():
        start = text.rfind(b"\n", 0, match.start()) + 1
        if not NO_TITLE.match(text, start) and match.start() - start <= 200:
            level = 1 if match[1][0] == 61 else 2
            yield Title(start, match.end(), level, _title(text[start : match.start()]))


def rst(text: bytes) -> Marks:
    """Literal blocks, directives and tables stay whole; sections are told by how their titles are underlined."""
    fences = list(_literals(text))
    spans = _apart(fences, [(start, end) for start, end, _ in _found(GRID, text)])
    return _document(text, spans, _names(fences), _free(list(_adorned(text)), spans))


def html(text: bytes) -> Marks:
    """Headings, then block elements, then any tag; never within one."""
    found = [(match.start(), int(match[1]), _title(match[2])) for match in TAG_TITLE.finditer(text)]
    ranks = (
        Rank("heading", 0.5, listed([offset for offset, _, _ in found])),
        Rank("paragraph", 0.7, matched(text, BLOCK)),
        Rank("paragraph", 0.0, matched(text, TAG)),
    )
    return Marks((ranks, (Rank("sentence", 0.0, sentences(text)),), *finer(text)), {}, under(found))


def _document(text: bytes, spans: Sequence[Span], names: dict[int, str], headings: list[Title]) -> Marks:
    """The levels that all documents share."""
    titles = [(title.start, _content(text, title.end) + 1) for title in headings]
    kept = _apart(spans, titles)
    great = [title.start for title in headings if title.level <= 2]
    blocks = outside(paragraphs(text), kept)
    whole: Level = (
        Rank("heading", 0.5, outside(listed(great), titles)),
        Rank("heading", 0.6, outside(listed([title.start for title in headings]), titles)),
        Rank("paragraph", 0.7, set_apart(text, blocks)),
        Rank("line", 0.7, outside(matched(text, ITEM), kept)),
        Rank("heading", 0.0, outside(listed([title.start for title in headings]), titles)),
        Rank("paragraph", 0.0, blocks),
        Rank("paragraph", 0.0, outside(listed(sorted({edge for span in spans for edge in span})), titles)),
        Rank("sentence", 0.0, outside(sentences(text), kept)),
    )
    inside = (
        Rank("line", 0.6, paragraphs(text)),
        Rank("line", 0.0, matched(text, ITEM)),
        Rank("line", 0.0, matched(text, BREAK)),
    )
    named = names | dict.fromkeys((title.start for title in headings), "heading")
    return Marks((whole, inside, *finer(text)), named, under([(t.start, t.level, t.text) for t in headings]))


def _content(text: bytes, offset: int) -> int:
    """Where what stands under a title begins."""
    match = SPACE.match(text, offset)
    return match.end() if match else offset


def _found(pattern: Pattern[bytes], text: bytes) -> Iterator[tuple[int, int, Match[bytes]]]:
    """Matches of a pattern of lines: where the first line starts, where the match ends, the match."""
    for match in pattern.finditer(b"\n" + text):
        yield match.start(), match.end() - 1, match


def _front_matter(text: bytes) -> Iterator[Span]:
    if match := MATTER.match(text):
        yield match.span()


def _fences(text: bytes) -> Iterator[Span]:
    """Fenced blocks; one that is never closed reaches to the end of the text."""
    begin, mark = -1, b""
    for start, end, match in _found(FENCE, text) if b"```" in text or b"~~~" in text else ():
        if begin < 0:
            begin, mark = start, match[1]
        elif match[1].startswith(mark) and not match[2].strip():
            yield begin, _behind_blank(text, end)
            begin = -1
    if begin >= 0:
        yield begin, len(text)


def _behind_blank(text: bytes, offset: int) -> int:
    """Behind the line end and the blank lines that follow, which belong to what they end."""
    match = PARAGRAPH.match(text, max(offset - (text[offset - 1 : offset] == b"\n"), 0)) or LINE_END.match(text, offset)
    return match.end() if match else offset


def _tables(text: bytes) -> Iterator[Span]:
    """Pipe tables: the line above a ruler and all rows below it."""
    behind = 0
    for start, end, _ in _found(RULER, text) if b"|" in text else ():
        if start < behind:
            continue
        top = max(text.rfind(b"\n", behind, max(start - 1, behind)) + 1, behind)
        behind = max(end, 0)
        while row := ROW.match(text, behind):
            behind = row.end()
        behind = _behind_blank(text, behind)
        yield top, behind


def _literals(text: bytes) -> Iterator[Span]:
    """Blocks that `::` begins and a line that is indented no more than it ends."""
    behind = 0
    for start, at, match in _found(LITERAL, text) if b"::" in text else ():
        if start < behind:
            continue
        depth, end = len(match[1]), 0
        while 0 <= at < len(text):
            line = text[at : (text.find(b"\n", at) + 1) or len(text)]
            body = line.lstrip(b" \t")
            if body.strip():
                if len(line) - len(body) <= depth:
                    break
                end = at + len(line)
            at += len(line)
        if end:
            behind = _behind_blank(text, end)
            yield start, behind


def _adorned(text: bytes) -> Iterator[Title]:
    """Section titles of RST: the level of an adornment is the order in which it first appears."""
    order: list[tuple[int, bool]] = []
    for start, end, match in _found(ADORNED, text):
        style = (match["under"][0], match["over"] is not None)
        if len(match["under"]) < len(match["title"].decode("utf-8", "ignore").strip()) - 2:
            continue
        if style not in order:
            order.append(style)
        yield Title(start, end, order.index(style) + 1, _title(match["title"]))


def _title(raw: bytes) -> str:
    """A heading as its path shows it."""
    bare = MARKUP.sub(lambda match: match[1] or b"", raw)
    return " ".join(bare[:TITLE].decode("utf-8", "ignore").split())


def _apart(*groups: Sequence[Span] | Iterator[Span]) -> list[Span]:
    """All spans in order, none within another."""
    spans: list[Span] = []
    for span in sorted(span for group in groups for span in group):
        if not spans or span[0] >= spans[-1][1]:
            spans.append(span)
    return spans


def _free(headings: list[Title], spans: Sequence[Span]) -> list[Title]:
    """The headings that are no part of a fence or a table."""
    starts = [start for start, _ in spans]

    def held(offset: int) -> bool:
        index = bisect_right(starts, offset) - 1
        return index >= 0 and offset < spans[index][1]

    return [heading for heading in headings if not held(heading.start)]


def _names(fences: Sequence[Span]) -> dict[int, str]:
    return {end: "fence" for _, end in fences}
