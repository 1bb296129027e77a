"""Tables: arrays and maps of similar objects, turned into columns that are priced once and rows that are scored."""

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

from service.core.paths import EACH
from service.core.rank.cells import CELL, KEY, SPARSE, is_listed, least_of, mark_link, scale_of, worth_of
from service.core.rank.claims import FLOOR
from service.core.rank.columns import Column, Path, Place, columns, similar
from service.core.rank.lens import Lens
from service.core.rank.names import weigh
from service.core.rank.nodes import Col, Hoisted, Node, Table, price
from service.core.rank.order import constants, dearest, ranked
from service.core.rank.overview import overview
from service.core.rank.rows import candidates, judge
from service.core.rank.seen import Reason, Seen, deepen, seen
from service.core.rank.series import telling
from service.core.render.spelling import cell, key, plain

Grow = Callable[..., Node]
Heads = tuple[str, ...]
TOLD = 1.0  # and of what it says by itself
TELLING = 5.0  # weight of a cell for which its row stands out
SERIES = 0.5  # the ends and extremes of a series say much, and cost little
NESTED = 0.12  # the best of a container against what it takes to show the rest of it as well
PAGES, LINES, LEVELS = 3, 5, 4  # objects, and rows in one of them, so many levels down, that are no table together
NAMERS = 3.0  # rows that pay for the name of a column
GAPS = 0.8  # of what must be kept: rows without it need not be shown for it
ALIAS = 60  # characters of a name that says which columns are equal


def rows_of(value: Any) -> list[Any] | None:
    """The rows of a value that is a table: objects, a map's values with their key, lists of equal length."""
    if isinstance(value, list) and len(value) >= 2:
        kinds = set(map(type, value))
        if kinds == {dict} and all(value) and similar(value):
            return None if len(value) <= PAGES and any(map(_paged, value)) else value
        if is_matrix(value):
            return value
    if isinstance(value, dict) and len(value) >= 3:
        return _map_rows(list(value.values()))
    return None


def _paged(row: Any, depth: int = 0) -> bool:
    """Whether an object holds a list that is a table of its own: a few such objects are read one after the other."""
    if isinstance(row, list):
        return (len(row) >= LINES and all(isinstance(item, dict) for item in row)) or (
            depth < LEVELS and len(row) <= LINES and any(_paged(item, depth + 1) for item in row)
        )
    return isinstance(row, dict) and depth < LEVELS and any(_paged(child, depth + 1) for child in row.values())


def _map_rows(children: list[Any]) -> list[Any] | None:
    """The rows of a map of objects, or of a map of lists of objects."""
    kinds = set(map(type, children))
    if kinds == {list}:
        children = [item for child in children for item in child]
        if len(children) < 3 or set(map(type, children)) != {dict}:
            return None
    elif kinds != {dict}:
        return None
    return children if all(children) and similar(children) and _alike(children) else None


def _alike(children: list[Any]) -> bool:
    """Maps of objects must share most keys: siblings of different kinds are not rows."""
    counted = Counter(key for child in children for key in child)
    shared = sum(count for count in counted.values() if count * 2 >= len(children))
    return shared * 2 >= sum(counted.values())


def is_matrix(value: list[Any]) -> bool:
    """Whether a list holds lists of plain values, all of one length: rows without names."""
    if len(value) < 3 or set(map(type, value)) != {list}:
        return False
    width = len(value[0])
    scalar = not any(isinstance(item, dict | list) for item in value[0])
    return 2 <= width <= 40 and scalar and all(len(row) == width for row in value)


def table(
    value: Any, rows: list[Any], path: tuple[str, ...], factor: float, lens: Lens, grow: Grow, heads: Heads = ()
) -> Table:
    """The ranked table of `rows`; those that are lists have their `heads` beside them, or none."""
    at = candidates(rows, lens)
    picked = [rows[i] for i in at]
    columned = [seen(column) for column in _columns(value, picked, at, heads)]
    mark_link(columned)
    deepen(columned)
    weights, reasons = judge(rows, at, columned, lens)
    shown: dict[int, Col] = {}
    regular, sparse, hoisted = _sorted_out(columned, path, factor, lens, grow, shown)
    mean = sum(col.cost for col in regular) + sum(col.cost * 0.15 for col in sparse) + 1
    best = max((col.price for col in (*regular, *sparse)), default=0.0) * max(weights)
    order = sorted(range(len(at)), key=weights.__getitem__, reverse=True)
    special = _special(reasons, shown, factor)
    return Table(
        value, mean * len(rows), max([best, *(one.price for one in hoisted)]), len(rows), at, weights, order,
        regular, sparse, hoisted, overview(columned, factor), special,
        asked=tuple(word for word, _ in lens.words), keywords=lens.keywords, bare=type(rows[0]) is list,
    )  # fmt: skip


def row_worth(rows: list[Any], lens: Lens) -> list[float]:
    """What each of many objects is worth where they are not shown as a table."""
    at = candidates(rows, lens)
    columned = [seen(one) for one in _columns(rows, [rows[i] for i in at], at)]
    worth = [0.05] * len(rows)
    for i, weight in zip(at, judge(rows, at, columned, lens)[0], strict=True):
        worth[i] = weight
    return worth


def heads_of(value: dict[str, Any], rows: Any) -> Heads:
    """The names of the columns of rows without names, where a list beside them has as many."""
    if not isinstance(rows, list) or not is_matrix(rows):
        return ()
    for beside in value.values():
        if isinstance(beside, list) and beside is not rows and len(beside) == len(rows[0]):
            names = [one.get("name") if isinstance(one, dict) else one for one in beside]
            if all(isinstance(name, str) for name in names) and len(set(names)) == len(names):
                return tuple(map(str, names))
    return ()


def _columns(value: Any, picked: list[Any], at: list[int], heads: Heads = ()) -> list[Column]:
    if type(picked[0]) is list:
        places = [Place().below(i) for i in range(len(picked[0]))]
        places = [
            place._replace(name=key(head), last=head) for place, head in zip(places, heads, strict=False)
        ] or places
        return [Column(place, [row[i] for row in picked]) for i, place in enumerate(places)]
    found = columns(picked, True)
    if isinstance(value, dict):
        keys = keys_of(value)
        found.insert(0, Column(Place().below(KEY), [keys[i] for i in at]))
    return found


def keys_of(value: dict[str, Any]) -> list[str]:
    """The key of every row of a map; of a map of lists, once for each element."""
    return [key for key, child in value.items() for _ in (child if isinstance(child, list) else (child,))]


def _sorted_out(
    columned: list[Seen], path: tuple[str, ...], factor: float, lens: Lens, grow: Grow, by_seen: dict[int, Col]
) -> tuple[list[Col], list[Col], list[Hoisted]]:
    """Columns to show by row, those that few rows have, and what is the same everywhere; the dearest first."""
    regular: list[Col] = []
    sparse: list[Col] = []
    hoisted: list[Hoisted] = []
    twins: dict[Any, Col] = {}
    parts: dict[int, Any] = {}
    for rank, one in enumerate(columned):
        if not one.filled:
            continue
        cells = one.column.cells
        place = one.column.place
        if one.constant and len(cells) > 1:
            hoisted.append(_hoist(one, path, factor, lens))
            continue
        weight, scale, cost, least = worth_of(one, rank, factor, lens)
        mark = _mark(one)
        claimed = _claimed(place.path, path, weight * scale, least, lens)
        twin = _twin(twins.get(mark), one, price(weight * scale, least) if claimed is None else claimed)
        if twin is not None:
            by_seen[rank] = twin
            continue
        thin = one.filled < (SPARSE if claimed is None or claimed < FLOOR else GAPS) * len(cells)
        naming = len(place.name) / 4 * (1.0 if thin else min(1.0, NAMERS / len(cells)))
        col = Col(place.path, place.name, one.kind, cells, cost + naming, 0.0, weight * scale)
        col.least = least + naming
        col.price = price(weight * scale, col.least) if claimed is None else claimed
        col.gaps = one.filled < len(cells)
        if one.counted is None:
            _nest(col, path, scale, grow, lens)
        by_seen[rank] = twins[mark] = col
        parts[id(col)] = one.partition
        (sparse if thin else regular).append(col)
    return ranked(regular, parts), sorted(sparse, key=dearest), constants(hoisted)


def _hoist(one: Seen, path: tuple[str, ...], factor: float, lens: Lens) -> Hoisted:
    """What every row says in this column, said once."""
    name, text = one.column.place.name, cell(one.column.cells[0])
    paid = len(text) / 3.4 + len(name) / 4 + 1.5
    weight = 10.0 if one.column.place.path == (KEY,) else weigh(one.column.place.last, one.column.cells[0])
    weight *= scale_of(one, factor, lens)
    claimed = _claimed(one.column.place.path, path, weight, paid, lens)
    return Hoisted(name, text, paid, price(weight, paid) if claimed is None else claimed)


def _special(reasons: list[Reason], by_seen: dict[int, Col], factor: float) -> dict[int, list[tuple[float, Col]]]:
    """The cells for which a row stands out: worth seeing wherever their column stands."""
    special: dict[int, list[tuple[float, Col]]] = {}
    for i, which, bonus in reasons:
        col = by_seen.get(which)
        if col is not None and all(known is not col for _, known in special.get(i, ())):
            weight = max(TELLING * min(bonus, 3.0), weigh(col.name, col.cells[i]) * TOLD)
            paid = price(weight * factor, least_of(col.cells[i]) + len(col.name) / 4 + CELL)
            special.setdefault(i, []).append((paid, col))
    return special


def _nest(col: Col, path: tuple[str, ...], scale: float, grow: Grow, lens: Lens) -> None:
    """A column of containers is worth what is best in them."""
    at = [i for i, value in enumerate(col.cells) if type(value) in (dict, list) and value]
    if not at or all(is_listed(col.cells[i]) for i in at):
        return
    below = (*path, "[]", *(step if isinstance(step, str) else "[]" for step in col.path))
    col.grow = partial(grow, path=below, factor=scale)
    looked = at[:: max(1, len(at) // 4)][:4]
    share = SERIES if _series(col.cells[at[0]]) else NESTED
    col.price = max(col.price, sum(col.node(i).price for i in looked) / len(looked) * share)
    if lens.claims is not None:  # in whichever row it is
        best = max(col.node(i).price for i in at)
        col.price = best if best >= FLOOR else col.price


def _series(value: Any) -> bool:
    return type(value) is list and bool(telling(value))


def _claimed(steps: Path, path: tuple[str, ...], weight: float, cost: float, lens: Lens) -> float | None:
    """The price of a column that the policy claims; a row's place is [], in a map as well."""
    if lens.claims is None or steps == (KEY,):
        return None
    return lens.claimed((*path, EACH, *(step if isinstance(step, str) else EACH for step in steps)), weight, cost)


def _mark(one: Seen) -> Any:
    """What columns have in common that may be equal."""
    return (one.filled, *[value if type(value) is str else plain(value) for value in one.column.cells[:4]])


def _twin(other: Col | None, one: Seen, paid: float) -> Col | None:
    """The column that says the same in every row; its name then names both."""
    cells, name = one.column.cells, one.column.place.name
    if other is None or other.cells != cells or [*map(type, other.cells)] != [*map(type, cells)]:
        return None
    if len(other.name) + len(name) < ALIAS:
        other.name += f"={name}"
    other.price = max(other.price, paid)
    return other
