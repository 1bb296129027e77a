"""Rows of strings as objects: unique column names, and numbers where a whole column is numbers."""

from itertools import zip_longest
from typing import Any

from service.core.forms.scalars import is_number, scalar

_EMPTY = frozenset(
    ("", "-", "(empty)", "NA", "N/A", "n/a", "null", "NULL", "None", "nan", "NaN", "\\N", "<none>", "#N/A", "NaT")
)


def named(header: list[str], width: int) -> list[str]:
    """A distinct name for each column: its own, with a number when it is taken, or its position."""
    names: list[str] = []
    taken: set[str] = set()
    for at in range(width):
        name = header[at].strip() if at < len(header) else ""
        name = name or f"column {at + 1}"
        while name in taken:
            name = f"{name} {at + 1}"
        taken.add(name)
        names.append(name)
    return names


def typed(names: list[str], rows: list[list[str]]) -> list[dict[str, Any]]:
    """One object per row; cells that are missing at the end of a row are left out."""
    even = all(len(row) == len(names) for row in rows)
    columns: list[Any] = list(zip(*rows, strict=True)) if even else list(zip_longest(*rows))
    columns = [_typed(column) for column in columns]
    whole = [dict(zip(names, cells, strict=True)) for cells in zip(*columns, strict=True)]
    if even:
        return whole
    return [dict(list(item.items())[: len(row)]) for item, row in zip(whole, rows, strict=True)]


def _typed(column: tuple[str | None, ...]) -> tuple[Any, ...]:
    """The column with its numbers as numbers, when nearly all of its cells that say something are numbers."""
    if not all(is_number(cell) or cell in _EMPTY for cell in column[:10] if cell is not None):
        return column
    cells = [cell if cell is None else scalar(cell) for cell in column]
    words = sum(type(cell) is str and cell not in _EMPTY for cell in cells)
    return column if words * 10 > len(cells) else tuple(cells)
