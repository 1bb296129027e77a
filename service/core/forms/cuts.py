"""Where the columns of an aligned table are cut: below a rule, by the words of the header, at blanks, at the names."""

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

Cut = tuple[list[str], list[list[str]]]  # the names and the cells of each row

_WORD = re.compile(r"\S+")
_GAPS = re.compile(r"\s{2,}")
_SEGMENT = re.compile(r"([-=+~])\1+")
_CHECKED = 200  # rows whose blanks decide where columns end
_ALIGNED = 2000  # rows whose words are looked up below the header's
_OWN = 0.7  # of a row's words stand below their own word of the header
_ASIDE = 6  # characters
_STRAY = 50  # one row in so many may cross a cut


def cut(header: str, rows: list[str], rule: str = "") -> Cut | None:
    """Below a rule where it says; else the way to cut that finds the most columns; None when none fits."""
    ruled = _by_rule(header, rows, rule)
    if ruled is not None:
        return ruled
    ways = (_by_names(header, rows), _by_blanks(header, rows), _by_words(header, rows))  # the surest first
    found = [way for way in ways if way is not None and len(way[0]) >= 2]
    return max(found, key=lambda way: len(way[0]), default=None)


def _by_rule(header: str, rows: list[str], rule: str) -> Cut | None:
    """Columns as wide as the segments of the rule below their names."""
    starts = [found.start() for found in _SEGMENT.finditer(rule)]
    if len(starts) < 2 or starts[0] > 2:
        return None
    spans = _spans([0, *starts[1:]])
    strays = sum(_crossed(row, spans) for row in (header, *rows))
    return None if strays * _STRAY > len(rows) else (_named(header, spans), [_cells(row, spans) for row in rows])


def _by_words(header: str, rows: list[str]) -> Cut | None:
    """As many words as the header has, each below its own; the last column takes the rest of the line."""
    heads = [found.span() for found in _WORD.finditer(header)]
    last = len(heads) - 1
    cells = [row.split(None, last) for row in rows]
    if last < 1 or any(len(row) != last + 1 for row in cells):
        return None
    looked = rows[:: max(1, len(rows) // _ALIGNED)]
    aligned = sum(_below(row, heads) or (last > 3 and _near(row, heads)) for row in looked)
    return (header.split(), cells) if aligned >= 0.9 * len(looked) else None


def _below(row: str, heads: list[tuple[int, int]]) -> bool:
    """Whether most words of a row touch the word of the header that they are counted to."""
    words = (found.span() for found in _WORD.finditer(row))
    own = sum(a < end and b > start for (a, b), (start, end) in zip(words, heads, strict=False))
    return own >= _OWN * len(heads)


def _near(row: str, heads: list[tuple[int, int]]) -> bool:
    """Whether all words are near theirs: a long cell pushes the next ones aside."""
    words = (found.span() for found in _WORD.finditer(row))
    return all(a < end + _ASIDE and b > start - _ASIDE for (a, b), (start, end) in zip(words, heads, strict=False))


def _by_names(header: str, rows: list[str]) -> Cut | None:
    """Columns begin where their names do, as kubectl and docker print them."""
    starts = [0, *(found.end() for found in _GAPS.finditer(header) if found.start())]
    spans = _spans(starts)
    if len(starts) < 2 or any(_crossed(row, spans) for row in rows):
        return None
    cells = [_cells(row, spans) for row in rows]
    if any("  " in cell for row in cells for cell in row[:-1]):
        return None
    return _named(header, spans), cells


def _by_blanks(header: str, rows: list[str]) -> Cut | None:
    """Columns are divided by positions that are blank in nearly every line, as ps and lsof print them."""
    looked = rows[:: max(1, len(rows) // _CHECKED)]
    blanks = [column.count(" ") for column in zip_longest(*looked, fillvalue=" ")][: len(header)]
    most = len(looked) - len(looked) // _STRAY
    blank = [sign == " " and count >= most for sign, count in zip_longest(header, blanks, fillvalue=len(looked))]
    edges = [0, *(at for at in range(1, len(header)) if blank[at - 1] and not blank[at])]
    spans = _spans(_held(header, looked, edges))
    strays = sum(_crossed(row, spans) for row in rows)
    if strays * _STRAY > len(rows):
        return None
    cells = [_mended(row, spans) if strays and _crossed(row, spans) else _cells(row, spans) for row in rows]
    return _named(header, spans), cells


def _held(header: str, rows: list[str], edges: list[int]) -> list[int]:
    """The edges without those of columns that have no name, or no cell and a name that is a neighbour's other word."""
    named = [at for at, end in zip(edges, [*edges[1:], len(header)], strict=True) if header[at:end].strip() or not at]
    spans, kept = _spans(named), list[int]()
    joined = False  # the name before has no cells and belongs to this column
    for at, end in spans:
        filled = any(row[at:end].strip() for row in rows)
        if joined:
            joined = False
            if filled:
                continue
        near_left = at > 1 and header[at - 1 : at] == " " and header[at - 2 : at - 1] != " "
        near_right = end is not None and header[end - 2 : end - 1] != " "
        if filled or not at or not near_left:
            kept.append(at)
        joined = not filled and near_right and (not near_left or not at)
    return kept


def _spans(starts: Sequence[int]) -> list[tuple[int, int | None]]:
    return list(zip(starts, [*starts[1:], None][: len(starts)], strict=True))


def _crossed(row: str, spans: list[tuple[int, int | None]]) -> bool:
    """Whether a word of the row stands over the beginning of a column."""
    return any(
        row[start - 1 : start + 1].strip() and row[start - 1] != " " for start, _ in spans[1:] if start < len(row) + 1
    )


def _named(header: str, spans: list[tuple[int, int | None]]) -> list[str]:
    return [" ".join(header[a:b].split()) for a, b in spans]


def _cells(row: str, spans: list[tuple[int, int | None]]) -> list[str]:
    return [row[a:b].strip() for a, b in spans]


def _mended(row: str, spans: list[tuple[int, int | None]]) -> list[str]:
    """The cells of a row whose words do not keep to their columns: one word each, or the column most of it is in."""
    if len(words := row.split(None, len(spans) - 1)) == len(spans):
        return words
    cells = [""] * len(spans)
    for at, word in _placed(row, spans):
        cells[at] = f"{cells[at]} {word}".lstrip()
    return cells


def _placed(row: str, spans: list[tuple[int, int | None]]) -> Iterator[tuple[int, str]]:
    for found in _WORD.finditer(row):
        a, b = found.span()
        shared = [min(b, end if end is not None else b) - max(a, start) for start, end in spans]
        yield shared.index(max(shared)), found[0]
