"""What the cells of a column are worth and cost: by the class of its name, its place, and a sample of them."""

import re
from typing import Any

from service.core.rank.columns import ABSENT
from service.core.rank.lens import Lens
from service.core.rank.names import kind_of, worths
from service.core.rank.seen import Seen
from service.core.render.spelling import plain

KEY = "@key"
SPARSE = 0.3
LABEL, DISTINCT = 9.0, 0.7  # weight of what names the rows in words, and how many of its values differ
LINK = 3.0  # what the only address of a row is worth: there is nothing else to go on with
GAP = 6.0  # tokens of the marker for what a list lost
LONG, OPENING = 200, 24.0  # bytes of a text that may be cut to what its row pays for; tokens of the least of it
CELL = 2.0  # tokens around a cell: the comma, and its share of the line
LEVEL = 0.68  # each dot in a column's name
QUERY, NOISE = 2.5, 0.35
_WORDY = re.compile(r"[a-z]{4}")
_LABEL = re.compile(r"(?=.{0,20}[^\W\d_]{3})(?!\d{4}-)[\w. ,:@&'()+-]{3,60}\Z")
_LINK = re.compile(r"https?://\S+\Z|/\S+\Z")
_DEEP = frozenset((dict, list))
_ALIKE = ({str}, {int}, {bool})  # equal values of one such type are spelled alike
LOOKS = 48  # cells that tell what a column is worth


def worth_of(one: Seen, rank: int, factor: float, lens: Lens) -> tuple[float, float, float, float]:
    """What one cell of this column is worth, by its class and by its place; what it costs, and at the least."""
    cells = one.column.cells
    full = [value for value in cells[:2000] if value is not ABSENT and value is not None]
    looked = full[:: max(1, len(full) // LOOKS)]
    again = one.counted is not None and len(one.counted) * 2 <= one.filled
    judged = list(set(looked)) if again and set(map(type, looked)) in _ALIKE else looked
    cost = least = _total([*map(cost_of, judged)], judged, looked) / len(looked) + CELL
    if any(is_begun(value) for value in judged):
        least = _total([*map(least_of, judged)], judged, looked) / len(looked) + CELL
    weight = 10.0
    if one.column.place.path != (KEY,):
        weight = _total(worths(kind_of(one.column.place.last), judged), judged, looked) / len(looked)
    weight = max(weight, LABEL if _names(one, looked) else LINK if one.link else 0.0)
    scale = scale_of(one, factor, lens) * (1 + rank / 6) ** -0.5
    if one.filled >= SPARSE * len(cells):
        scale *= one.filled / len(cells) * (0.5 + 0.5 * one.entropy)
    return weight, scale, cost, least


def mark_link(columned: list[Seen]) -> None:
    """Finds the addresses of the rows, when they have one each."""
    links = [
        one
        for one in columned
        if one.kind == "noise" and type(one.column.cells[0]) is str and _LINK.match(one.column.cells[0])
    ]
    if len(links) == 1:
        links[0].link = not links[0].constant


def _names(one: Seen, looked: list[Any]) -> bool:
    """Whether a column tells its rows apart in words: it names them, whatever it is called."""
    if one.kind not in ("category", "") or one.counted is None or len(one.counted) < DISTINCT * one.filled:
        return False
    return one.filled > 2 and all(type(value) is str and _LABEL.match(value) for value in looked)


def _total(found: list[float], judged: list[Any], looked: list[Any]) -> float:
    """The sum over all that was looked at of what was found for each that was judged."""
    if judged is looked:
        return sum(found)
    known: dict[Any, float] = dict(zip(judged, found, strict=True))
    return sum(map(known.__getitem__, looked))


def scale_of(one: Seen, factor: float, lens: Lens) -> float:
    """How much a column counts by where it is."""
    place = one.column.place
    scale = factor * LEVEL**one.depth * (NOISE if place.noisy else 1.0)
    if lens.names and any(
        lens.named(step if isinstance(step, str) else step[1]) for step in place.path if not isinstance(step, int)
    ):
        scale *= QUERY
    return scale


def least_of(value: Any) -> float:
    """The tokens without which a value is not worth beginning with."""
    if not is_begun(value):
        return cost_of(value)
    return OPENING if type(value) is str else min(OPENING, cost_of(value[0]) + GAP)


def is_begun(value: Any) -> bool:
    """Whether a value may be shown as far as its row pays for it: a long text, a list of several things."""
    if type(value) is not str:
        return is_listed(value) and len(value) > 1
    return len(value) > LONG or (len(value) * 3 > LONG and not value.isascii() and len(value.encode()) > LONG)


def is_listed(value: Any) -> bool:
    """Whether a value is a list of plain values."""
    return type(value) is list and _DEEP.isdisjoint(map(type, value))


def cost_of(value: Any) -> float:
    """Tokens of a cell, roughly: names and hashes are dearer than words."""
    text = value if type(value) is str else plain(value)
    if not text.isascii():
        return len(text.encode("utf-8", "replace")) / 3.4
    return len(text) / (2.2 if not _WORDY.search(text) else 3.8)
