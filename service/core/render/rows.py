"""One table as text: header, what all rows share, and ragged rows, each as wide as its weight pays for."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from service.core import markers
from service.core.ledger import Ledger, Unit
from service.core.paths import EACH, spell
from service.core.rank.cells import LONG, is_begun
from service.core.rank.columns import ABSENT
from service.core.rank.nodes import Col, Table
from service.core.render.inline import inline
from service.core.render.parts import begun
from service.core.render.spelling import cell, quoted
from service.core.text.gaps import PLACES, missing_lines

ALONE, FIRST = 0.6, 3  # what a cell is worth that needs the first columns to be understood, and how many those are
LARGE = 30.0  # tokens of a container that is shown whole when its column is
_NUMBERED = re.compile(r"\d+: ")


def render_table(
    table: Table, name: str, depth: int, path: tuple[str, ...], level: float, ledger: Ledger, out: list[str]
) -> None:
    """The lines of `table` at one price, appended to `out`."""
    indent, head = " " * depth, len(out)
    out.append("")
    cut = not _hoisted(table, level, indent, path, ledger, out)
    widths = _widths(table, level)
    extras = _extras(table, widths, level)
    texts = _texts(table, widths, extras, _Cut(level, path, ledger))
    _rows(table, texts, indent, out)
    if len(texts) < table.total:
        lost = table.cost * (1 - len(texts) / table.total)
        unit: Unit = "items" if isinstance(table.value, list) else "fields"
        ledger.add(path, unit, "fit", len(texts), table.total, lost)
    picked = _Picked(list(texts), widths, extras)
    if _lost_cells(table, picked):
        cut = True
        ledger.later(partial(_count_cells, table, picked, path))
    names = [col.name for col in table.columns[: max(widths, default=0)]]
    out[head] = f"{indent}{name}[{table.total}]{{{','.join([*names, markers.MARK] if cut else names)}}}"


@dataclass(frozen=True, slots=True)
class _Cut:
    """The price of this rendering, and where what it leaves out is written down."""

    level: float
    path: tuple[str, ...]
    ledger: Ledger


@dataclass(frozen=True, slots=True)
class _Picked:
    """What is shown at a price."""

    rows: list[int]  # of the candidates
    widths: list[int]  # how many columns each candidate shows
    extras: dict[int, list[Col]]  # and what some show besides


def _widths(table: Table, level: float) -> list[int]:
    """How many columns each candidate row shows; the more a row weighs, the more it shows."""
    if level <= 0:
        return [len(table.columns)] * len(table.at)
    weights, order = table.weights, table.order
    widths, reach = [0] * len(weights), [len(order)]  # so many rows show at least the first 0, 1, 2, ... columns
    for col in table.columns:
        reach.append(bisect_right(order, col.price, 0, reach[-1], key=lambda i: level / weights[i]))
        if not reach[-1]:
            break
    for width, (more, less) in enumerate(pairwise([*reach[1:], 0]), 1):
        for i in order[less:more]:
            widths[i] = width
    return widths


def _extras(table: Table, widths: list[int], level: float) -> dict[int, list[Col]]:
    """What rows show besides their first columns: sparse columns, and cells for which they stand out."""
    if not table.sparse and not table.special:
        return {}
    extras: dict[int, list[Col]] = {}
    least = level / table.weights[table.order[0]]
    sparse = [col for col in table.sparse if col.price >= least * 0.999]  # the others are too dear for every row
    for i, weight in enumerate(table.weights) if sparse else ():
        own = weight if widths[i] else weight * ALONE
        more = [col for col in sparse if col.price * own >= level and _there(col, i)]
        if more:
            extras[i] = more
    for i, cells in table.special.items():
        own = table.weights[i] * (1.0 if widths[i] else ALONE)
        for paid, col in cells:
            if paid * own >= level and col.rank >= widths[i] and col not in extras.get(i, ()) and _there(col, i):
                extras.setdefault(i, []).append(col)
    _introduce(table, widths, extras)
    return extras


def _introduce(table: Table, widths: list[int], extras: dict[int, list[Col]]) -> None:
    """What a row stands out by says nothing without what the row is: its first columns come with it."""
    first = sum(col.price >= table.columns[0].price for col in table.columns[:FIRST])
    for i, more in extras.items():
        if not widths[i]:
            extras[i] = [col for col in more if col.rank >= first]
            widths[i] = first or int(bool(more))


def _rows(table: Table, texts: dict[int, str], indent: str, out: list[str]) -> None:
    """Appends rows and gap markers."""
    gaps = _gaps([table.at[i] for i in texts], table.total)
    placed = dict(gaps) if len(gaps) <= PLACES else {}
    if 0 in placed:
        out.append(indent + markers.line_gap(placed[0] + 1, 1, placed[0] + 1))
    after = 0
    for i, text in texts.items():
        at = table.at[i]
        out.append(indent + (f"{at + 1}: " if at > after and not placed else "") + text)
        after = at + 1
        if after in placed:
            out.append(indent + markers.line_gap(placed[after] - after + 1, after + 1, placed[after] + 1))
    if gaps and not placed:
        out.append(indent + missing_lines(table.total - len(texts), gaps[0][0] + 1, gaps[-1][1] + 1))


def _gaps(at: list[int], total: int) -> list[tuple[int, int]]:
    """The gaps, from 0 and inclusive, that these rows leave."""
    return [(one + 1, other - 1) for one, other in pairwise((-1, *at, total)) if other - one > 1]


def _texts(table: Table, widths: list[int], extras: dict[int, list[Col]], cut: _Cut) -> dict[int, str]:
    """The rows that are shown; one that was cut to what another row said already says nothing."""
    texts: dict[int, str] = {}
    said: set[str] = set()
    widest = max(widths, default=0)
    steady = next((rank for rank, col in enumerate(table.columns[:widest]) if not _steady(col)), widest)
    for i, width in enumerate(widths):
        if not width:
            continue
        if width > steady or extras.get(i):
            text = _row(table, i, width, extras.get(i, ()), cut)
        elif not (text := table.drawn.get((i, width), "")):
            text = table.drawn[i, width] = _row(table, i, width, (), cut)
        if width == len(table.columns) or text not in said:
            texts[i] = text
            said.add(text)
    return texts


def _steady(col: Col) -> bool:
    """Whether a column shows the same at any price."""
    if col.steady is None:
        kinds = set(map(type, col.cells))
        texts = [one for one in col.cells if type(one) is str] if str in kinds else ()
        long = 3 * max(map(len, texts), default=0) > LONG and any(map(is_begun, texts))
        col.steady = not (long or dict in kinds or list in kinds)
    return col.steady


def _row(table: Table, i: int, width: int, extras: Sequence[Col], cut: _Cut) -> str:
    own = cut.level / table.weights[i]
    more = [f"{col.name}={_cell(table, col, i, own, cut)}" for col in extras]
    cells = [
        _cell(table, col, i, own, cut) if (known := col.spelled.get(i)) is None else known
        for col in table.columns[:width]
    ]
    while not more and cells and not cells[-1]:
        cells.pop()
    if cells and _NUMBERED.match(cells[0]):
        cells[0] = quoted(cells[0])
    return ",".join([*cells, *more]) or '""'


def _there(col: Col, i: int) -> bool:
    return col.cells[i] is not ABSENT and col.cells[i] is not None


def _cell(table: Table, col: Col, i: int, level: float, cut: _Cut) -> str:
    """A cell as this row can pay for it: containers in part, texts much longer than their column's as a marker."""
    value = col.cells[i]
    if not isinstance(value, dict | list) and not is_begun(value):
        if i not in col.spelled:
            col.spelled[i] = "" if value is ABSENT or value is None else cell(value)
        return col.spelled[i]
    below = (*cut.path, EACH, *(step if isinstance(step, str) else EACH for step in col.path))
    if value == [] or value == {}:
        return cell(value)
    if col.grow is None:
        return begun(table, col, i, level, below, cut.ledger)
    node = col.node(i)
    return inline(node, level * max(1.0, node.cost / LARGE) ** 0.6, below, cut.ledger)


def _hoisted(table: Table, level: float, indent: str, path: tuple[str, ...], ledger: Ledger, out: list[str]) -> bool:
    """What all rows share, and what the table is about; whether nothing of the former was left out."""
    told = [f"{one.name}: {one.text}" for one in table.overview if one.price >= level > 0]
    if told:
        out.append(f"{indent}# {'; '.join(told)}")
    same = [f"{one.name}={one.text}" for one in table.hoisted if one.price >= level]
    if same:
        out.append(f"{indent}# every row: {', '.join(same)}")
    if len(same) == len(table.hoisted):
        return True
    ledger.later(partial(_count_hoisted, table, len(same), path))
    return False


def _count_hoisted(table: Table, kept: int, path: tuple[str, ...], ledger: Ledger) -> None:
    """Writes down what all rows share and was left out."""
    start = spell((*path, EACH))
    for one in table.hoisted[kept:]:
        ledger.add(f"{start}.{one.name}", "fields", "fit", 0, table.total, one.cost)


def _lost_cells(table: Table, picked: _Picked) -> bool:
    """Whether any cell of a shown row was left out."""
    for i in picked.rows:
        more = picked.extras.get(i, ())
        for col in (*table.columns[picked.widths[i] :], *table.sparse):
            if _there(col, i) and col not in more:
                return True
    return False


def _count_cells(table: Table, picked: _Picked, path: tuple[str, ...], ledger: Ledger) -> None:
    """Writes down the cells of shown rows that were left out."""
    widths = [picked.widths[i] for i in picked.rows]
    more = Counter(id(col) for i in picked.rows for col in picked.extras.get(i, ()))
    for rank, col in enumerate((*table.columns, *table.sparse)):
        full = [picked.widths[i] for i in picked.rows if _there(col, i)] if col.gaps else widths
        kept = sum(map(rank.__lt__, full)) + more[id(col)] if rank < len(table.columns) else more[id(col)]
        if kept < len(full):
            below = (*path, EACH, *(step if isinstance(step, str) else EACH for step in col.path))
            ledger.add(below, "fields", "fit", kept, len(full), (len(full) - kept) * col.cost)
