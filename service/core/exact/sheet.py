"""One table without loss: header, what every row shares, and the rows."""

from dataclasses import dataclass
from typing import Any

from service.core.exact.cells import column, spell
from service.core.exact.urls import WHOLE, prefix, templates
from service.core.rank.cells import KEY
from service.core.rank.columns import ABSENT, Column, Place, columns
from service.core.render.spelling import quoted

SPARSE = 0.3


@dataclass(slots=True)
class Sheet:
    """The lines of a table, its name aside."""

    header: str
    shared: str
    rows: list[str]


def sheet(rows: list[Any], keys: list[str] | None = None, many: bool = False, label: str | None = None) -> Sheet:
    """The lines of these rows; `keys` when they are the values of a map, `label` when others refer to them."""
    found = _columns(rows)
    cells = {one.place.name: one.cells for one in found}
    shared, cells = _shared(cells, label)
    heads: list[str] = []
    texts: list[list[str]] = []
    ends: list[list[str]] = [[] for _ in rows]
    if keys is not None:
        heads, texts = [f"{KEY}[]" if many else KEY], [[_key(key) for key in keys]]
    for name, one in _merged(cells, label).items():
        if sum(cell is not ABSENT for cell in one) < SPARSE * len(rows):
            for end, cell in zip(ends, one, strict=True):
                if cell is not ABSENT:
                    end.append(f"{name}={_end(cell)}")
            continue
        start = prefix(one) if name in cells and name != label else ""
        if start:
            shared[name] = f"{start}{{{WHOLE}}}"
        suffix, spelled = column([cell[len(start) :] for cell in one] if start else one)
        heads.append(name + suffix)
        texts.append(spelled)
    lines = [
        _line(row, end) for row, end in zip(zip(*texts, strict=True) if texts else ((),) * len(rows), ends, strict=True)
    ]
    told = ", ".join(f"{name}={text}" for name, text in shared.items())
    return Sheet(",".join(heads), f"# every row: {told}" if told else "", lines)


def _columns(rows: list[Any]) -> list[Column]:
    if type(rows[0]) is list:
        return [Column(Place().below(i), [row[i] for row in rows]) for i in range(len(rows[0]))]
    return columns(rows, keyed=False)


def _end(cell: Any) -> str:
    """A value behind its name; a = in it would be taken for another name."""
    text = spell(cell)
    return quoted(cell) if "=" in text and text[0] not in '"[{' else text


def _key(key: str) -> str:
    text = spell(key)
    return key if text == f'"{key}"' and key.isalnum() else text


def _line(cells: tuple[str, ...], end: list[str]) -> str:
    row = list(cells)
    while row and not end and not row[-1]:
        row.pop()
    return ",".join([*row, *end])


def _shared(cells: dict[str, list[Any]], label: str | None) -> tuple[dict[str, str], dict[str, list[Any]]]:
    """Constants, URLs that other columns spell, and what URLs begin with."""
    shared: dict[str, str] = {}
    rest: dict[str, list[Any]] = {}
    for name, one in cells.items():
        if len(one) > 1 and one[0] is not ABSENT and _same(one):
            shared[name] = spell(one[0])
        else:
            rest[name] = one
    made = templates({name: one for name, one in rest.items() if not set(name) & set(',{}"')})
    for name, text in made.items():
        if name != label:
            shared[name] = text
            del rest[name]
    return shared, rest


def _same(cells: list[Any]) -> bool:
    """Whether all cells say the same; equal numbers with a fraction may be written in different ways."""
    first, kind = cells[0], type(cells[0])
    if first != cells[-1] or any(type(cell) is not kind for cell in cells):
        return False
    if kind is str or kind is int:
        return cells.count(first) == len(cells)
    text = spell(first)
    return all(spell(cell) == text for cell in cells)


def _merged(cells: dict[str, list[Any]], label: str | None) -> dict[str, list[Any]]:
    """Columns with equal cells united as a=b, and the label marked."""
    alike: dict[Any, list[str]] = {}
    for name, one in cells.items():
        alike.setdefault(tuple(map(_mark, (*one[:3], one[-1]))), []).append(name)
    by_mark: dict[Any, list[str]] = {}
    for names in alike.values():
        for name in names:  # all cells are looked at only where the first ones agree
            by_mark.setdefault(tuple(map(_mark, cells[name])) if len(names) > 1 else name, []).append(name)
    merged: dict[str, list[Any]] = {}
    for names in by_mark.values():
        first = cells[names[0]]
        joined = "=".join(f"&{name}" if name == label else name for name in names)
        merged[joined] = first
    return merged


def _mark(cell: Any) -> Any:
    return "\x00" if cell is ABSENT else spell(cell)
