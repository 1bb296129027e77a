"""Rows of objects as columns: nested objects become dotted columns, short lists indexed ones.

A path is a tuple of keys (str), list positions (int) and, for lists that are maps in disguise, ("type", "Ready") pairs.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

from service.core.paths import EACH
from service.core.rank.names import kind_of, said
from service.core.render import spelling

Step = str | int | tuple[str, str]
Path = tuple[Step, ...]
WIDE = 3.0  # the keys of all rows together, over the keys of one: above it the keys are data, not columns
SHORT = 2  # lists of up to so many objects are spread over columns
NAMING = ("name", "type", "key", "Key", "Name", "Type", "id", "kind", "label")
NAMED = 24
DEEP = 12
FIELDS, NESTED = 24, 2  # columns that a list of objects may become, and lists in lists that are looked into


class Absent:
    """The cell of a row that has no such field."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT = Absent()
NONE = type(None)
NOTHING = {Absent, NONE}


class Place(NamedTuple):
    """Where a column is: what is said of it by its path."""

    path: Path = ()
    name: str = ""  # a.b, list positions as [0], named items as [type=Ready]
    last: str = ""  # the name of what it leads to
    noisy: bool = False  # nobody reads what is in one of the containers around it

    def below(self, step: Step) -> "Place":
        """One step further in."""
        if isinstance(step, int):
            return Place((*self.path, step), f"{self.name}[{step}]", self.last, self.noisy)
        noisy = self.noisy or kind_of(self.last) == "noise"
        if isinstance(step, tuple):
            name = f"{self.name}[{spelling.key(step[0])}={spelling.cell(step[1])}]"
            return Place((*self.path, step), name, step[1], noisy)
        if step == EACH:
            return Place((*self.path, step), f"{self.name}[]", self.last, noisy)
        name = f"{self.name}.{spelling.key(step)}" if self.path else spelling.key(step)
        return Place((*self.path, step), name, said(self.last, step), noisy)


@dataclass(slots=True, eq=False)
class Column:
    """One path through all rows."""

    place: Place
    cells: list[Any]


def columns(rows: list[Any], keyed: bool) -> list[Column]:
    """The columns of rows that are objects; `keyed` also spreads lists of named objects."""
    found: list[Column] = []
    _spread_keys(rows, rows, Place(), keyed, found)
    return found


def _spread_keys(cells: list[Any], rows: list[Any], place: Place, keyed: bool, found: list[Column]) -> None:
    """Adds what stands under each key of `rows`, which are those of the cells that are objects."""
    whole = len(rows) == len(cells)
    shapes = dict.fromkeys(map(tuple, rows))
    keys = list(dict.fromkeys(chain.from_iterable(shapes)))
    under: Iterable[list[Any]] = (
        map(list, zip(*map(dict.values, rows), strict=True))  # all of one shape, as mostly: cut at once
        if len(shapes) == 1
        else ([row.get(key, ABSENT) for row in rows] for key in keys)
    )
    for step, inner in zip(keys, under, strict=True):
        _split(inner if whole else _placed(inner, cells), place.below(step), keyed, found)


def _placed(inner: list[Any], cells: list[Any]) -> list[Any]:
    """What stands in the cells that are objects, each at the place of its cell."""
    following = iter(inner)
    return [next(following) if type(cell) is dict and cell else ABSENT for cell in cells]


def similar(rows: list[Any]) -> bool:
    """Whether objects share enough keys to be one table."""
    union = set().union(*rows)
    return bool(union) and len(union) <= max(8.0, WIDE * sum(map(len, rows)) / len(rows)) + 4


def _split(cells: list[Any], place: Place, keyed: bool, found: list[Column]) -> None:
    kinds = set(map(type, cells))
    if dict in kinds or list in kinds:
        kinds -= NOTHING
    if len(place.path) < DEEP and (kinds == {dict} or (keyed and dict in kinds and list not in kinds)):
        _spread_objects(cells, place, keyed, found)
    elif kinds == {list} and len(place.path) < DEEP:
        _spread_lists(cells, place, keyed, found)
    else:
        found.append(Column(place, cells))


def _spread_objects(cells: list[Any], place: Place, keyed: bool, found: list[Column]) -> None:
    rows = [cell for cell in cells if type(cell) is dict and cell]
    if not similar(rows):
        found.append(Column(place, cells))
        return
    if len(rows) < len(cells):
        _rest(cells, place, found)
    _spread_keys(cells, rows, place, keyed, found)


def _rest(cells: list[Any], place: Place, found: list[Column]) -> None:
    """Adds the cells that are not spread over columns of their own, when any says something."""
    rest = [ABSENT if type(cell) in (dict, list) and cell else cell for cell in cells]
    if any(cell is not ABSENT for cell in rest):
        found.append(Column(place, rest))


def _spread_lists(cells: list[Any], place: Place, keyed: bool, found: list[Column]) -> None:
    full = [cell for cell in cells if type(cell) is list and cell]
    if full and len(full) == len(cells) and _tuples(full):
        found.extend(Column(place.below(at), list(inner)) for at, inner in enumerate(zip(*cells, strict=True)))
        return
    objects = full and all(type(item) is dict and item for cell in full for item in cell)
    spread = (_by_index(cells, full) or (_by_name(cells, full) if keyed else None)) if objects else None
    if spread is None and objects and keyed:
        fields = _by_field([cell if type(cell) is list else [] for cell in cells], place)
        if fields:
            if len(full) < len(cells):
                _rest(cells, place, found)
            found.extend(fields)
            return
    if spread is None:
        found.append(Column(place, cells))
        return
    if len(full) < len(cells):
        _rest(cells, place, found)
    for step, inner in spread:
        _split(inner, place.below(step), keyed, found)


def _by_field(lists: list[list[Any]], place: Place) -> list[Column]:
    """Lists of objects by field: `items[].name` is the list of the names; nothing when that would tear them apart."""
    items = [item for one in lists for item in one]
    counted = Counter(key for item in items for key in item)
    shared = sum(count for count in counted.values() if count * 2 >= len(items))
    found: list[Column] = []
    if shared * 2 >= sum(counted.values()) and not _recursive(items, place):
        _spread_items(lists, place.below(EACH), found)
    return found if len(found) <= FIELDS else []


def _recursive(items: list[Any], place: Place) -> bool:
    """Whether what the items hold looks like themselves: a tree."""
    for item in items:
        for key, inner in item.items():
            if (
                type(inner) is list
                and inner
                and type(inner[0]) is dict
                and (key == place.last or inner[0].keys() == item.keys())
            ):
                return True
    return False


def _spread_items(lists: list[list[Any]], place: Place, found: list[Column]) -> None:
    for key in dict.fromkeys(key for items in lists for item in items for key in item):
        inner = [[item.get(key) for item in items] for items in lists]
        kinds = {type(value) for values in inner for value in values} - NOTHING
        below = place.below(key)
        flat = [[one for value in values if type(value) is list for one in value] for values in inner]
        if len(place.path) < DEEP and kinds == {dict}:
            _spread_items([[value or {} for value in values] for values in inner], below, found)
        elif kinds == {list} and {type(one) for values in flat for one in values} == {dict}:
            if place.path.count(EACH) >= NESTED:
                continue
            _spread_items(flat, below.below(EACH), found)
        elif kinds:
            found.append(Column(below, [ABSENT if values.count(None) == len(values) else values for values in inner]))


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
        if not all(type(item.get(field)) is str for cell in full for item in cell):
            continue
        maps = [{item.get(field): item for item in cell} for cell in full]
        names = dict.fromkeys(name for each in maps for name in each)
        whole = all(len(each) == len(cell) for each, cell in zip(maps, full, strict=True))
        used = sum(map(len, maps))
        if whole and len(names) <= NAMED and used >= 2 * len(names):
            return _named(cells, field, [str(name) for name in names])
    return None


def _named(cells: list[Any], field: str, names: list[str]) -> list[tuple[Step, list[Any]]]:
    spread: dict[str, list[Any]] = {name: [ABSENT] * len(cells) for name in names}
    for at, cell in enumerate(cells):
        for item in cell if type(cell) is list else ():
            spread[item[field]][at] = {key: value for key, value in item.items() if key != field}
    return [((field, name), column) for name, column in spread.items()]
