"""Tables whose columns are aligned with spaces: kubectl, docker, ps, df, ls."""

import re
from itertools import pairwise

from service.core.forms.columns import named, typed
from service.core.forms.reading import Reading
from service.core.forms.sample import Sample

_CAPITALS = re.compile(r"\s*[A-Z0-9%#][A-Z0-9%_()./#:+-]*(?:\s+[A-Z0-9%#(][A-Z0-9%_()./#:+-]*)+\s*$")
_NAMES = r"[A-Za-z%#_(][\w%#@./()+-]*(?: [A-Za-z%#_(][\w%#@./()+-]*){0,7}"
_WORDS = re.compile(rf"\s*{_NAMES}(?:\s{{2,}}{_NAMES})+\s*$")
_RULE = re.compile(r"\s*[-=]{2,}(?:\s+[-=]{2,})+\s*$")
_GAPS = re.compile(r"\s{2,}")
_CHECKED = 200  # lines whose blanks decide where columns end


def looks_aligned(seen: Sample) -> bool:
    """Whether there is a line of column names with rows set below it."""
    lines = seen.lines[:5]
    if not any(_is_header(pair) for pair in pairwise(lines)):
        return False
    return read_aligned("\n".join(seen.text.split("\n", 60)[:60])) is not None


def _is_header(lines: tuple[str, str]) -> bool:
    if _RULE.match(lines[1]) or _CAPITALS.match(lines[0]):
        return True
    return (
        _WORDS.match(lines[0]) is not None
        and len(_GAPS.split(lines[0].strip())) >= 2
        and bool(_GAPS.search(lines[1].strip()))
    )


def read_aligned(text: str) -> Reading | None:
    """The rows below the column names as objects."""
    lines = text.expandtabs(8).split("\n") if "\t" in text else text.split("\n")
    lines = [line.rstrip() for line in lines]
    filled = [at for at, line in enumerate(lines) if line]
    for skip in range(min(4, len(filled) - 1)):
        if _is_header((lines[filled[skip]], lines[filled[skip + 1]])):
            begin = filled[skip]
            end = next((at for at in range(begin, len(lines)) if not lines[at]), len(lines))
            found = _table(lines[begin:end])
            if found is None or (end - begin) * 2 < len(filled):
                return None
            before, after = "\n".join(lines[:begin]).strip(), "\n".join(lines[end:]).strip()
            return Reading("tsv", typed(*found), True, before, after)
    return None


def _table(lines: list[str]) -> tuple[list[str], list[list[str]]] | None:
    """Names and rows; None when the lines do not fit under the names."""
    header, rows = lines[0], lines[1:]
    ruled = bool(rows) and _RULE.match(rows[0]) is not None
    if ruled:
        rows = rows[1:]
    if not rows or (len(rows) == 1 and not ruled and not _CAPITALS.match(header)):
        return None
    found = [cut for cut in (_by_names(header, rows), _by_blanks(header, rows)) if cut is not None and len(cut[0]) >= 2]
    cut = max(found, key=lambda cut: len(cut[0]), default=None) or _by_words(header, rows)
    return None if cut is None else (named(cut[0], max(len(cut[0]), *map(len, cut[1]))), cut[1])


def _by_names(header: str, rows: list[str]) -> tuple[list[str], list[list[str]]] | None:
    """Columns begin where their names do, as kubectl and docker print them."""
    starts = [0] if header[:1] != " " else []
    starts += [found.end() for found in _GAPS.finditer(header)]
    if len(starts) < 2 or any(start and row[start - 1 : start].strip() for row in rows for start in starts):
        return None
    ends = [*starts[1:], None]
    cells = [[row[a:b].strip() for a, b in zip(starts, ends, strict=True)] for row in rows]
    if any("  " in cell for row in cells for cell in row[:-1]):
        return None
    return [header[a:b].strip() for a, b in zip(starts, ends, strict=True)], cells


def _by_blanks(header: str, rows: list[str]) -> tuple[list[str], list[list[str]]] | None:
    """Columns are divided by positions that are blank in every line, as ps and df print them."""
    width = len(header)
    blank = [True] * width
    for line in [header, *rows[:_CHECKED]]:
        for at, sign in enumerate(line[:width]):
            if sign != " ":
                blank[at] = False
    edges = [0, *(at for at in range(1, width) if blank[at - 1] and not blank[at])]
    edges = [at for at, end in zip(edges, [*edges[1:], width], strict=True) if header[at:end].strip() or not at]
    # Blank below a name in every row: "MOUNTED ON" is one column although there is a gap in it.
    spans = list(zip(edges, [*edges[1:], None], strict=True))
    edges = [a for a, b in spans if not a or any(row[a:b].strip() for row in rows)]
    spans = list(zip(edges, [*edges[1:], None], strict=True))
    if len(edges) < 2 or any(row[cut - 1 : cut].strip() for row in rows for cut in edges[1:]):
        return None
    return [header[a:b].strip() for a, b in spans], [[row[a:b].strip() for a, b in spans] for row in rows]


def _by_words(header: str, rows: list[str]) -> tuple[list[str], list[list[str]]] | None:
    """As many words as there are names, the last column taking the rest of the line."""
    names = header.replace("Mounted on", "Mounted-on").split()
    if not _CAPITALS.match(header) and "Mounted on" not in header:
        return None
    cells = [row.split(None, len(names) - 1) for row in rows]
    fits = sum(len(row) == len(names) for row in cells)
    return (names, cells) if fits >= 0.9 * len(cells) and len(names) > 2 else None
