"""What the cells of a column are worth and cost: by the class of its name, its place, and a sample of them."""

import re
from functools import partial
from typing import Any

from service.core.rank.columns import ABSENT, Path
from service.core.rank.lens import Lens
from service.core.rank.names import kind_of, worth
from service.core.rank.seen import Seen, each
from service.core.render.spelling import plain

KEY = "@key"
SPARSE = 0.3
CELL = 2.0  # tokens around a cell: the comma, and its share of the line
LEVEL = 0.68  # each dot in a column's name
QUERY, NOISE = 2.5, 0.35
_WORDY = re.compile(r"[a-z]{4}")
LOOKS = 48  # cells that tell what a column is worth


def worth_of(one: Seen, rank: int, factor: float, lens: Lens) -> tuple[float, float, float]:
    """What one cell of this column is worth, by its class and by its place, and what it costs."""
    cells = one.column.cells
    full = [value for value in cells[:2000] if value is not ABSENT and value is not None]
    looked = full[:: max(1, len(full) // LOOKS)]
    again = one.counted is not None and len(one.counted) * 2 <= one.filled
    cost = sum(each(cost_of, looked, again)) / len(looked) + CELL
    weight = 10.0
    if one.column.path != (KEY,):
        weight = sum(each(partial(worth, kind_of(last_name(one.column.path))), looked, again)) / len(looked)
    scale = scale_of(one, factor, lens) * (1 + rank / 6) ** -0.5
    if one.filled >= SPARSE * len(cells):
        scale *= one.filled / len(cells) * (0.5 + 0.5 * one.entropy)
    return weight, scale, cost


def last_name(path: Path) -> str:
    """The name of what a path leads to."""
    return next(
        (step if isinstance(step, str) else step[1] for step in reversed(path) if not isinstance(step, int)), ""
    )


def scale_of(one: Seen, factor: float, lens: Lens) -> float:
    """How much a column counts by where it is."""
    path = one.column.path
    scale = factor * LEVEL ** (len(path) - 1)
    if len(path) > 1 or lens.names:
        names = [step if isinstance(step, str) else step[1] for step in path if not isinstance(step, int)]
        scale *= NOISE if "noise" in map(kind_of, names[:-1]) else 1.0
        scale *= QUERY if lens.names and any(map(lens.named, names)) else 1.0
    return scale


def cost_of(value: Any) -> float:
    """Tokens of a cell, roughly: names and hashes are dearer than words."""
    text = value if type(value) is str else plain(value)
    if not text.isascii():
        return len(text.encode("utf-8", "replace")) / 3.4
    return len(text) / (2.2 if not _WORDY.search(text) else 3.8)
