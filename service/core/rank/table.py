"""Tables: arrays and maps of similar objects, turned into columns that are priced once and rows that are scored."""

import math
import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

from service.core.rank.columns import ABSENT, Column, Path, columns, similar
from service.core.rank.lens import Lens
from service.core.rank.names import kind_of, weigh
from service.core.rank.nodes import ALWAYS, POWER, Col, Hoisted, Node, Table, always, price
from service.core.rank.overview import overview
from service.core.rank.rows import Reason, candidates, judge
from service.core.rank.seen import Seen, each
from service.core.render.spelling import cell, dotted, plain

Grow = Callable[..., Node]
KEY = "@key"
SPARSE = 0.3
TOLD = 1.0  # and of what it says by itself
TELLING = 5.0  # weight of a cell for which its row stands out
CELL = 2.0  # tokens around a cell: the comma, and its share of the line
LEVEL = 0.68  # each dot in a column's name
QUERY = 2.5
PAIR = 16.0  # tokens that a second column may cost to be bought with the first
NESTED = 0.12  # the best of a container against what it takes to show the rest of it as well
HOIST, REPEAT, VARY = 4, 1.0, 0.5  # how soon constants, equal constants and kinds of columns count less
NAMERS = 3.0  # rows that pay for the name of a column
ECHO, ECHOED = 0.4, 24  # a column that repeats a dearer one, among the first so many
LONGER, PEEK = 1.5, 200
SAME = 0.4  # a column that another one determines
ALIAS = 60  # characters of a name that says which columns are equal
LOOKS = 48  # cells that tell what a column is worth


def rows_of(value: Any) -> list[Any] | None:
    """The rows of a value that is a table: objects, a map's values with their key, lists of equal length."""
    if isinstance(value, list) and len(value) >= 2:
        kinds = set(map(type, value))
        if kinds == {dict} and all(value) and similar(value):
            return value
        if kinds == {list} and _matrix(value):
            return value
    if isinstance(value, dict) and len(value) >= 3:
        return _map_rows(list(value.values()))
    return None


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


def _matrix(value: list[list[Any]]) -> bool:
    width = len(value[0])
    scalar = not any(isinstance(item, dict | list) for item in value[0])
    return 2 <= width <= 40 and scalar and len(value) >= 3 and all(len(row) == width for row in value)


def table(value: Any, rows: list[Any], path: tuple[str, ...], factor: float, lens: Lens, grow: Grow) -> Table:
    """The ranked table of `rows`."""
    at = candidates(rows, lens)
    picked = [rows[i] for i in at]
    found = list(_columns(value, picked, at))
    seen = [Seen(column, _counted(column.cells), _filled(column.cells)) for column in found]
    weights, reasons = judge(rows, at, seen, lens)
    shown: dict[int, Col] = {}
    regular, sparse, hoisted = _sorted_out(seen, path, factor, lens, grow, shown)
    mean = sum(col.cost for col in regular) + sum(col.cost * 0.15 for col in sparse) + 1
    best = max((col.price for col in (*regular, *sparse)), default=0.0) * max(weights)
    return Table(
        value, mean * len(rows), max([best, *(one.price for one in hoisted)]), len(rows), at, weights,
        regular, sparse, hoisted, overview(seen, factor), _special(reasons, shown, factor), bare=type(rows[0]) is list,
    )  # fmt: skip


def row_worth(rows: list[Any], lens: Lens) -> list[float]:
    """What each of many objects is worth where they are not shown as a table."""
    at = candidates(rows, lens)
    seen = [Seen(one, _counted(one.cells), _filled(one.cells)) for one in columns([rows[i] for i in at], True)]
    worth = [0.05] * len(rows)
    for i, weight in zip(at, judge(rows, at, seen, lens)[0], strict=True):
        worth[i] = weight
    return worth


def _columns(value: Any, picked: list[Any], at: list[int]) -> list[Column]:
    if type(picked[0]) is list:
        return [Column((i,), [row[i] for row in picked]) for i in range(len(picked[0]))]
    found = list(columns(picked, True))
    if isinstance(value, dict):
        keys = keys_of(value)
        found.insert(0, Column((KEY,), [keys[i] for i in at]))
    return found


def keys_of(value: dict[str, Any]) -> list[str]:
    """The key of every row of a map; of a map of lists, once for each element."""
    return [key for key, child in value.items() for _ in (child if isinstance(child, list) else (child,))]


def _counted(cells: list[Any]) -> "Counter[Any] | None":
    """How often each value stands in a column, when its values can be counted."""
    try:
        counted = Counter(cells)
    except TypeError:
        return None
    counted.pop(ABSENT, None)
    counted.pop(None, None)
    return counted


def _filled(cells: list[Any]) -> int:
    return len(cells) - cells.count(ABSENT) - cells.count(None)


def _sorted_out(
    seen: list[Seen], path: tuple[str, ...], factor: float, lens: Lens, grow: Grow, by_seen: dict[int, Col]
) -> tuple[list[Col], list[Col], list[Hoisted]]:
    """Columns to show by row, those that few rows have, and what is the same everywhere; the dearest first."""
    regular: list[Col] = []
    sparse: list[Col] = []
    hoisted: list[Hoisted] = []
    twins: dict[Any, Col] = {}
    parted: set[Any] = set()
    for rank, one in enumerate(seen):
        cells = one.column.cells
        if not one.filled:
            continue
        weight, scale, cost = _worth(one, rank, factor, lens)
        name = dotted(one.column.path)
        if one.constant and len(cells) > 1:
            text = cell(cells[0])
            paid = len(text) / 3.4 + len(name) / 4 + 1.5
            hoisted.append(Hoisted(name, text, paid, price(weight * scale, paid)))
            continue
        if one.partition in parted:
            scale *= SAME
        twin = _twin(twins, one, name, cost, weight * scale)
        if twin is not None:
            by_seen[rank] = twin
            continue
        parted.add(one.partition)
        thin = one.filled < SPARSE * len(cells)
        cost += len(name) / 4 * (1.0 if thin else min(1.0, NAMERS / len(cells)))
        col = Col(one.column.path, name, cells, cost, 0.0)
        col.weight, col.price = weight * scale, _priced(one.column.path, path, weight * scale, col.cost, lens)
        _nest(col, path, scale, grow)
        by_seen[rank] = twins[_mark(one)] = col
        (sparse if thin else regular).append(col)
    by_price = lambda col: -col.price  # noqa: E731  # two sorts, one order
    for discount in (_vary, _echoes):
        discount(regular)
        regular.sort(key=by_price)
    _lead(regular)
    return regular, sorted(sparse, key=by_price), _constants(hoisted)


def _constants(hoisted: list[Hoisted]) -> list[Hoisted]:
    """What all rows share, dearest first: the more there is of it, and of the same, the less it is worth."""
    hoisted.sort(key=lambda one: -one.price)
    said: Counter[str] = Counter()
    for rank, one in enumerate(hoisted):
        said[one.text] += 1
        one.price *= (1 + rank / HOIST) ** -0.5 * said[one.text] ** -REPEAT
    return sorted(hoisted, key=lambda one: -one.price)


def _vary(regular: list[Col]) -> None:
    """The k-th column of a kind counts less: four dates say little more than one."""
    times: Counter[str] = Counter()
    for col in sorted(regular, key=lambda col: -col.price):
        kind = kind_of(next((step for step in reversed(col.path) if isinstance(step, str)), ""))
        times[kind] += 1
        if kind and col.price < ALWAYS / 1e3:
            col.price *= times[kind] ** -VARY


def _echoes(regular: list[Col]) -> None:
    """A column that is part of a dearer one, or hardly more, says little: a branch with and without its owner."""
    said: list[list[str]] = []
    for col in regular[:ECHOED]:
        looked = [value[:PEEK] if type(value) is str else "" for value in col.cells[:: max(1, len(col.cells) // 8)][:8]]
        wordy = sum(map(len, looked)) > 4 * len(looked) and col.price < ALWAYS / 1e3
        if wordy and any(_echo(looked, other) for other in said):
            col.price *= ECHO
        said.append(looked)


def _echo(texts: list[str], said: list[str]) -> bool:
    """Whether nearly every text stands in the other of its row, or is hardly longer than it."""
    pairs = [(one, other) for one, other in zip(texts, said, strict=True) if one and other]
    within = sum(
        one in other or (len(other) > 3 and other in one and len(one) < LONGER * len(other) + 4)
        for one, other in pairs
    )  # fmt: skip
    return len(pairs) > 1 and within >= 0.9 * len(pairs)


def _special(reasons: list[Reason], by_seen: dict[int, Col], factor: float) -> dict[int, list[tuple[float, Col]]]:
    """The cells for which a row stands out: worth seeing wherever their column stands."""
    special: dict[int, list[tuple[float, Col]]] = {}
    for i, which, bonus in reasons:
        col = by_seen.get(which)
        if col is not None and all(known is not col for _, known in special.get(i, ())):
            weight = max(TELLING * min(bonus, 3.0), weigh(col.name, col.cells[i]) * TOLD)
            paid = price(weight * factor, _cost(col.cells[i]) + len(col.name) / 4 + CELL)
            special.setdefault(i, []).append((paid, col))
    return special


def _lead(regular: list[Col]) -> None:
    """A key or number alone says little: the first two columns are bought together."""
    if len(regular) > 1 and regular[1].cost < PAIR and regular[0].price < ALWAYS:
        first, second = regular[:2]
        both = first.price * first.cost**POWER + second.price * second.cost**POWER
        first.price = second.price = price(both, first.cost + second.cost)


def _nest(col: Col, path: tuple[str, ...], scale: float, grow: Grow) -> None:
    """A column of containers is worth what is best in them."""
    at = [i for i, value in enumerate(col.cells) if isinstance(value, dict | list) and value]
    if not at:
        return
    below = (*path, "[]", *(step if isinstance(step, str) else "[]" for step in col.path))
    col.grow = partial(grow, path=below, factor=scale)
    looked = at[:: max(1, len(at) // 4)][:4]
    col.price = max(col.price, sum(col.node(i).price for i in looked) / len(looked) * NESTED)


def _priced(steps: Path, path: tuple[str, ...], weight: float, cost: float, lens: Lens) -> float:
    names = tuple(step for step in (*path, *steps) if isinstance(step, str))
    if lens.identifies(names):
        return always(len(names)) * price(1 + weight, cost)
    return price(weight, cost)


def _mark(one: Seen) -> Any:
    return (one.filled, tuple(map(str, one.column.cells[:4])))


def _twin(twins: dict[Any, Col], one: Seen, name: str, cost: float, weight: float) -> Col | None:
    """The column that says the same in every row; its name then names both."""
    other = twins.get(_mark(one))
    if other is None or other.cells != one.column.cells or [*map(type, other.cells)] != [*map(type, one.column.cells)]:
        return None
    if len(other.name) + len(name) < ALIAS:
        other.name += f"={name}"
    other.price = max(other.price, price(weight, cost))
    return other


def _worth(one: Seen, rank: int, factor: float, lens: Lens) -> tuple[float, float, float]:
    """What one cell of this column is worth, by its class and by its place, and what it costs."""
    column = one.column
    full = [value for value in column.cells[:2000] if value is not ABSENT and value is not None]
    looked = full[:: max(1, len(full) // LOOKS)]
    names = [step if isinstance(step, str) else step[1] for step in column.path if not isinstance(step, int)]
    again = one.counted is not None and len(one.counted) * 2 <= one.filled
    judged = each(partial(weigh, names[-1] if names else ""), looked, again)
    weight = 10.0 if column.path == (KEY,) else sum(judged) / len(looked)
    cost = sum(each(_cost, looked, again)) / len(looked) + CELL
    scale = factor * LEVEL ** (len(column.path) - 1)
    scale *= 0.35 if any(kind_of(name) == "noise" for name in names[:-1]) else 1.0
    scale *= QUERY if any(map(lens.named, names)) else 1.0
    if one.constant:
        return weight, scale, cost
    scale *= (1 + rank / 6) ** -0.5
    if one.filled >= SPARSE * len(column.cells):
        scale *= one.filled / len(column.cells) * (0.5 + 0.5 * one.entropy)
    return weight, scale, cost


def _cost(value: Any) -> float:
    text = value if type(value) is str else plain(value)
    if not text.isascii():
        return len(text.encode("utf-8", "replace")) / 3.4
    return len(text) / (2.2 if not _WORDY.search(text) else 3.8)


_WORDY = re.compile(r"[a-z]{4}")
__all__ = ["math", "rows_of", "table"]
