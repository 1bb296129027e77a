"""CSV and TSV: two or more columns of equal count, with or without a header, comments, quoted newlines."""

import csv
import io
import re
from collections import Counter
from typing import NamedTuple

from service.core.forms.columns import named, typed
from service.core.forms.logs import is_entry
from service.core.forms.reading import Reading
from service.core.forms.sample import Sample

csv.field_size_limit(
    1 << 30
)  # the default of 128 KB per cell is an error, not a protection: the text is in memory anyway
_PROSE_END = re.compile(r"[.;:{}!?]$|^[A-Z].* .*, ")
_HALVES = (("(", ")"), ("[", "]"), ("{", "}"), ("<", ">"))
_BRACKET = re.compile(r"[(\[{<]")
_NAME = re.compile(r"[A-Za-z_][\w.-]{0,40}")
_USUAL = frozenset("id key name title type status state date time value email count amount url path".split())
_RAGGED = 10  # one row in ten may be wider or narrower


class Dialect(NamedTuple):
    """How the rows of a text are written."""

    delimiter: str
    width: int
    skip: int  # lines before the first row


def looks_csv(seen: Sample) -> bool:
    """Whether commas, semicolons or bars separate columns."""
    if len(seen.lines) == 1:
        return seen.whole and _names_alone(seen.text)
    return _dialect(seen.text, ",;|") is not None


def _names_alone(text: str) -> bool:
    """Whether the one line of a text is the header of a table without rows."""
    row = _cells(text, max(",;\t", key=text.count))
    usual = any(name.lower() in _USUAL or "_" in name for name in row)
    return len(row) > 2 and usual and len(set(row)) == len(row) and all(map(_NAME.fullmatch, row))


def looks_tsv(seen: Sample) -> bool:
    """Whether tabs separate columns."""
    return "\t" in seen.text and _dialect(seen.text, "\t") is not None


def _dialect(text: str, delimiters: str) -> Dialect | None:
    head = text[:16384].removeprefix("\ufeff")
    lines = head.split("\n")[:80]
    if len(head) < len(text) or len(lines) == 80:
        lines.pop()
    skip = _preamble(lines, delimiters)
    best = [found for sign in delimiters if (found := _columns(lines[skip:], sign, skip))]
    return max(best, key=lambda found: found.width, default=None)


def _preamble(lines: list[str], delimiters: str) -> int:
    """Comment lines, and up to three lines without any separator, before the table."""
    skip = 0
    while skip < len(lines) - 2 and (
        lines[skip].startswith("#")
        or not lines[skip].strip()
        or (skip < 3 and not any(s in lines[skip] for s in delimiters))
    ):
        skip += 1
    return skip


def _columns(lines: list[str], sign: str, skip: int) -> Dialect | None:
    if len(lines) < 2 or sign not in lines[0]:
        return None
    try:
        rows = [
            row
            for row in csv.reader([line + "\n" for line in lines if line[:1] != "#"], delimiter=sign)
            if row and "".join(row).strip()
        ]
    except csv.Error:
        return None
    if rows and rows[-1] and len(rows) > 2 and "\n" in rows[-1][-1]:
        rows.pop()  # a quote that the sample has cut
    width, count = Counter(map(len, rows)).most_common(1)[0] if rows else (0, 0)
    fits = width >= 2 and len(rows) >= 2 and count >= 0.9 * len(rows) and abs(len(rows[0]) - width) <= 0
    return Dialect(sign, width, skip) if fits and _is_table(rows, sign, width) else None


def _is_table(rows: list[list[str]], sign: str, width: int) -> bool:
    """Whether cells look like cells: not the halves of sentences, of statements or of log lines."""
    if sign == "\t":
        return any(row[0].strip() for row in rows) and not any(is_entry(row[0]) and _level(row) for row in rows[:2])
    lines = [sign.join(row) for row in rows]
    if _breaks(rows, lines) or (sign == "|" and any(not "".join(row).strip("-+ :") for row in rows)):
        return False
    spaced = sum(cell.startswith(" ") for row in rows for cell in row[1:]) / max(1, sum(len(row) - 1 for row in rows))
    if sum(not row[-1].strip() for row in rows) > 0.7 * len(rows) and width == 2:
        return False
    if sum(is_entry(line) for line in lines[:3]) >= 2 and not _stamped(rows):
        return False
    ends = sum(_PROSE_END.search(line.strip()) is not None for line in lines)
    if spaced > 0.5 and (width < 3 or len(rows) < 3 or ends * 2 > len(rows)):
        return False
    if sign == "|" and (width < 3 or not lines[0].strip("| \t")):
        return False
    if width == 2 and (ends * 4 > len(rows) or (len(rows) < 3 and not any(map(typed_cell, rows[-1])))):
        return False
    return ends < 0.8 * len(rows)


def _breaks(rows: list[list[str]], lines: list[str]) -> bool:
    """Whether brackets open in one cell and close in another: the commas are those of a list or a call."""
    suspects = [row for row, line in zip(rows, lines, strict=True) if _BRACKET.search(line)]
    if len(suspects) * 2 <= len(rows):
        return False
    halved = sum(any(cell.count(a) != cell.count(b) for cell in row for a, b in _HALVES) for row in suspects)
    return halved * 2 > len(rows)


def _level(row: list[str]) -> bool:
    return any(
        cell.strip().upper() in ("INFO", "DEBUG", "WARN", "WARNING", "ERROR", "FATAL", "TRACE") for cell in row[1:4]
    )


def _stamped(rows: list[list[str]]) -> bool:
    """Whether the first cell is a whole time stamp (a log's comma stands inside it) and there is no level."""
    if len(rows[0]) == 2:  # a time and a number: nothing is said
        return all(re.fullmatch(r"-?\d+(?:\.\d+)?", row[1].strip()) for row in rows[1:] if len(row) == 2)
    return len(rows[0]) >= 3 and not any(re.match(r"\d{3}\b", row[1]) or _level(row) for row in rows[:3])


def read_csv(text: str) -> Reading | None:
    """Rows of comma-, semicolon- or bar-separated text as objects."""
    if "\n" not in text.strip() and _names_alone(text):
        return _empty("csv", text)
    return _read(text, "csv", _dialect(text, ",;|"))


def read_tsv(text: str) -> Reading | None:
    """Rows of tab-separated text as objects."""
    return _read(text, "tsv", _dialect(text, "\t"))


def read_named(text: str, kind: str) -> Reading | None:
    """A text that is said to be CSV or TSV: one column is enough."""
    if "\n" not in text.strip() and _only_names(text, kind):
        return _empty(kind, text)
    dialect = _dialect(text, ",;|" if kind == "csv" else "\t")
    return _read(text, kind, dialect or Dialect("," if kind == "csv" else "\t", 0, 0))


def _only_names(text: str, kind: str) -> bool:
    """Whether the one line of what is said to be a table names its columns."""
    row = _cells(text, "\t" if kind == "tsv" else max(",;|", key=text.count))
    return len(row) > 1 and not any(typed_cell(cell) for cell in row) and len(set(row)) == len(row) and all(row)


def _cells(line: str, sign: str) -> list[str]:
    return [cell.strip(' "') for cell in line.strip("\ufeff\r\n").split(sign)]


def _empty(kind: str, text: str) -> Reading:
    """A table of no rows; its columns are what stands before it."""
    return Reading(kind, [], True, text.strip("\ufeff\r\n"))


def _read(text: str, kind: str, dialect: Dialect | None) -> Reading | None:
    if dialect is None:
        return None
    before, body = _split(text.removeprefix("\ufeff"), dialect.skip)
    rows = _rows(body, dialect.delimiter)
    after: list[str] = []
    while dialect.width > 1 and len(rows) > 2 and (len(rows[-1]) == 1 or rows[-1][0].startswith("#")):
        after.insert(0, dialect.delimiter.join(rows.pop()))  # "(20 rows)"
    width = dialect.width or max(map(len, rows), default=0)
    ragged = sum(len(row) != width for row in rows)
    if not rows or (dialect.width and ragged * _RAGGED > len(rows)):
        return None
    header, notes = _header(rows, before)
    names = named(header, max(map(len, rows)))
    if ragged:
        notes = (*notes, f"{ragged} rows have more or fewer cells than the {width} columns")
    return Reading(kind, typed(names, rows), True, before.strip(), "\n".join(after), notes) if rows else None


def _split(text: str, skip: int) -> tuple[str, str]:
    at = 0
    for _ in range(skip):
        at = text.index("\n", at) + 1
    return text[:at], text[at:]


def _rows(body: str, sign: str) -> list[list[str]]:
    try:
        rows = [row for row in csv.reader(io.StringIO(body, newline=""), delimiter=sign) if row]
    except csv.Error:
        rows = []
    if rows and any(cell.count("\n") > 50 for cell in rows[-1]):  # a quote that never ends is no quote
        rows = []
    return rows or [line.split(sign) for line in body.splitlines() if line.strip()]


def _header(rows: list[list[str]], before: str) -> tuple[list[str], tuple[str, ...]]:
    """The columns' names: the first row (which is taken away), or a comment before it, or none."""
    fields = re.search(r"^#\s*(?:fields:?)?[ \t]*(.*\S)\s*\Z", before.split("#types")[0].rstrip(), re.M | re.I)
    if fields and len(names := fields[1].split("\t")) == len(rows[0]) and len(names) > 1:
        return names, ()
    first = rows[0]
    if len(rows) > 1 and _is_header(first, rows[1:50]):
        return rows.pop(0), ()
    return [], ("no header: columns are named by position",)


def _is_header(first: list[str], rows: list[list[str]]) -> bool:
    filled = [cell.strip() for cell in first if cell.strip()]
    if not filled or any(typed_cell(cell) or is_entry(cell) for cell in filled) or len(set(filled)) < len(filled) * 0.7:
        return False
    numeric = [
        at for at in range(len(first)) if sum(at < len(row) and typed_cell(row[at]) for row in rows) * 2 > len(rows)
    ]
    repeated = sum(any(at < len(row) and row[at] == cell for row in rows) for at, cell in enumerate(first) if cell)
    return bool(numeric) or repeated * 2 <= len(filled)


def typed_cell(cell: str) -> bool:
    """Whether a cell holds a number or a date, which no header does."""
    return re.fullmatch(r"\s*(?:[-+$€£]?\d[\d.,:/ T%Z+-]*[KMGTP]?i?B?|\.{0,2}/\S*)\s*", cell) is not None
