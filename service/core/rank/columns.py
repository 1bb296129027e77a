"""Rows of objects as columns: nested objects become dotted columns, short lists indexed ones.

A path is a tuple of keys (str), list positions (int) and, for lists that are maps in disguise, ("type", "Ready") pairs.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

Step = str | int | tuple[str, str]
Path = tuple[Step, ...]
WIDE = 3.0  # the keys of all rows together, over the keys of one: above it the keys are data, not columns
SHORT = 2  # lists of up to so many objects are spread over columns
NAMING = ("name", "type", "key", "Key", "Name", "Type", "id", "kind", "label")
NAMED = 24


class Absent:
    """The cell of a row that has no such field."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT = Absent()
NONE = type(None)


@dataclass(slots=True, eq=False)
class Column:
    """One path through all rows."""

    path: Path
    cells: list[Any]


def columns(rows: list[Any], keyed: bool, path: Path = ()) -> Iterator[Column]:
    """The columns of rows that are objects, or ABSENT; `keyed` also spreads lists of named objects."""
    keys: dict[str, None] = {}
    for row in rows:
        if row is not ABSENT and not row.keys() <= keys.keys():
            keys.update(dict.fromkeys(row))
    for key in keys:
        cells = [ABSENT if row is ABSENT else row.get(key, ABSENT) for row in rows]
        yield from _split(cells, (*path, key), keyed)


def similar(rows: list[Any]) -> bool:
    """Whether objects share enough keys to be one table."""
    sizes = [len(row) for row in rows if row is not ABSENT]
    union: set[str] = set()
    for row in rows:
        if row is not ABSENT:
            union.update(row)
    return bool(union) and len(union) <= max(8.0, WIDE * sum(sizes) / len(sizes)) + 4


def _split(cells: list[Any], path: Path, keyed: bool) -> Iterator[Column]:
    kinds = set(map(type, cells)) - {Absent, NONE}
    if kinds == {dict} and len(path) < 12:
        yield from _spread_objects(cells, path, keyed)
    elif kinds == {list} and len(path) < 12:
        yield from _spread_lists(cells, path, keyed)
    else:
        yield Column(path, cells)


def _spread_objects(cells: list[Any], path: Path, keyed: bool) -> Iterator[Column]:
    inner = [cell if type(cell) is dict and cell else ABSENT for cell in cells]
    if not similar([cell for cell in inner if cell is not ABSENT]):
        yield Column(path, cells)
        return
    rest = [ABSENT if type(cell) is dict and cell else cell for cell in cells]
    if any(cell is not ABSENT for cell in rest):
        yield Column(path, rest)
    yield from columns(inner, keyed, path)


def _spread_lists(cells: list[Any], path: Path, keyed: bool) -> Iterator[Column]:
    full = [cell for cell in cells if type(cell) is list and cell]
    if full and len(full) == len(cells) and _tuples(full):
        for at in range(len(full[0])):
            yield Column((*path, at), [cell[at] for cell in cells])
        return
    if not full or any(type(item) is not dict or not item for cell in full for item in cell):
        yield Column(path, cells)
        return
    spread = _by_index(cells, full) or (_by_name(cells, full) if keyed else None)
    if spread is None:
        yield Column(path, cells)
        return
    rest = [ABSENT if type(cell) is list and cell else cell for cell in cells]
    if any(cell is not ABSENT for cell in rest):
        yield Column(path, rest)
    for step, inner in spread:
        yield from _split(inner, (*path, step), keyed)


def _tuples(full: list[list[Any]]) -> bool:
    """Short lists of scalars, all of one length, like [time, value]."""
    width = len(full[0])
    return 2 <= width <= 4 and all(len(c) == width and not any(isinstance(x, dict | list) for x in c) for c in full)


def _by_index(cells: list[Any], full: list[list[Any]]) -> list[tuple[Step, list[Any]]] | None:
    longest = max(map(len, full))
    if longest > SHORT:
        return None
    return [
        (at, [cell[at] if type(cell) is list and len(cell) > at else ABSENT for cell in cells])
        for at in range(longest)
    ]  # fmt: skip


def _by_name(cells: list[Any], full: list[list[Any]]) -> list[tuple[Step, list[Any]]] | None:
    """Lists whose objects all carry a unique name: [{type: Ready, status: True}, ...] is a map by type."""
    for field in NAMING:
        if not all(type(item.get(field)) is str for item in full[0]):
            continue
        maps = [{item.get(field): item for item in cell} for cell in full]
        names = dict.fromkeys(name for each in maps for name in each)
        whole = all(len(each) == len(cell) for each, cell in zip(maps, full, strict=True))
        used = sum(map(len, maps))
        if whole and len(names) <= NAMED and used >= 2 * len(names) and all(type(name) is str for name in names):
            return _named(cells, field, [str(name) for name in names])
    return None


def _named(cells: list[Any], field: str, names: list[str]) -> list[tuple[Step, list[Any]]]:
    spread: dict[str, list[Any]] = {name: [ABSENT] * len(cells) for name in names}
    for at, cell in enumerate(cells):
        for item in cell if type(cell) is list else ():
            spread[item[field]][at] = {key: value for key, value in item.items() if key != field}
    return [((field, name), column) for name, column in spread.items()]
