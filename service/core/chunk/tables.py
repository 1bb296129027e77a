"""CSV, TSV and JSON lines: records, which may hold quoted line ends; and diffs: files, then hunks."""

from itertools import accumulate
from re import compile as regex

from service.core.chunk import jsons
from service.core.chunk.marks import Last, Marks, Rank, finer, indented, lines, listed, matched, under
from service.core.lines import line_starts

LONGEST = 500  # lines of a record: beyond it the quotes were no quotes

FILE = regex(rb"\n(?=diff --git |diff -|Index: |commit [0-9a-f]{7,64}\b|From [0-9a-f]{40} )")
PLAIN_FILE = regex(rb"\n(?=--- [^\n]*\n\+\+\+ )")
HUNK = regex(rb"\n(?=@@ |@@@ |\*{15})")
BLANK = regex(rb"\n(?:[-+ ]?[ \t]*\r?\n)+")
CHANGED = regex(rb"\n[-+ ]([ \t]*)(?![\s})\]])")
FILE_NAME = regex(
    rb"\n(?:diff --git [^\r\n]*? b/([^\r\n]+)|Index: ([^\r\n]+)|(?:commit|From) ([0-9a-f]{7,12})[^\r\n]*"
    rb"|\+\+\+ (?:b/)?([^\t\r\n]+))"
)


def records(text: bytes) -> Marks:
    """A record is a line, or the lines that a quoted field spans."""
    return Marks(((Rank("record", 0.5, _records(text)),), *finer(text)))


def json_lines(text: bytes) -> Marks:
    """A record is a line: JSON never holds a raw line end within a string; one that is too long is cut as JSON is."""
    return Marks(((Rank("record", 0.5, lines(text)),), *jsons.json(text).levels))


def _records(text: bytes) -> Last:
    starts = line_starts(text)
    if b'"' not in text:
        return lines(text)
    quotes = accumulate((line.count(b'"') for line in text.splitlines(True)), initial=0)
    begins = [start for start, seen in zip(starts, quotes, strict=False) if not seen & 1]
    longest = max((after - before for before, after in zip(begins, [*begins[1:], len(text)], strict=True)), default=0)
    spanned = len(starts) - len(begins)
    if text.count(b'"') & 1 or longest > LONGEST * 200 or spanned > LONGEST * max(len(begins), 1):
        return lines(text)
    return listed(begins)


def diff(text: bytes) -> Marks:
    """Files stay whole while they fit, then hunks; a chunk's heading is the file it begins in."""
    file = FILE if FILE.search(b"\n" + text) else PLAIN_FILE
    levels = ((Rank("file", 0.4, matched(text, file)),), (Rank("hunk", 0.4, matched(text, HUNK)),))
    outermost, latest = indented(text, CHANGED)
    inside = (Rank("line", 0.5, matched(text, BLANK)), Rank("line", 0.5, outermost), Rank("line", 0.0, latest))
    found: list[tuple[int, int, str]] = []
    for match in FILE_NAME.finditer(b"\n" + text):
        name = (match[1] or match[2] or match[3] or match[4]).decode("utf-8", "replace").strip()[:120]
        if not match[4] or not (found and found[-1][2] == name):
            found.append((match.start(), 1, name))
    return Marks((*levels, inside, *finer(text)), {}, under(found))
