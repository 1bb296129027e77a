"""How columns stand beside each other: what says little beside dearer ones counts less, and what leads a row."""

import re
from collections import Counter
from typing import Any

from service.core.rank.cells import KEY
from service.core.rank.columns import ABSENT
from service.core.rank.names import weigh
from service.core.rank.nodes import ALWAYS, POWER, Col, Hoisted, price

PAIR, SECOND = 40.0, 0.8  # tokens that a column may cost to be bought with the first; a second number counts less
HOIST, REPEAT, VARY = 4, 1.0, 0.5  # how soon constants, equal constants and kinds of columns count less
ECHO, ECHOED = 0.4, 24  # a column that repeats a dearer one, among the first so many
LONGER, PEEK = 1.5, 200
CALLED, CALL = 2, 30.0  # columns of which one says what a reader would call the row, and what that may cost
LOOKED, MOST = 40, 0.7  # cells that tell, and how many of them must agree
PLAIN = 4.5  # what a text is worth that is no address, hash or time
FEW, LITTLE = 4, 30.0  # columns, and tokens, of rows that are shown whole or not at all
SAME = 0.4  # a column that groups the rows as another one does
_WORDS = re.compile(r"[^\W\d_]{3}")
_WORD = re.compile(r"[^\W\d_]{4}")
_HASH = re.compile(r"(?=.*\d)[0-9a-fA-F-]{16,}\Z|[\w+/=-]{24,}\Z|[\d.:TZ+-]+\Z")


def dearest(col: Col) -> float:
    """The order of columns."""
    return -col.price


def ranked(regular: list[Col], parts: dict[int, Any]) -> list[Col]:
    """The dearest first, after what says little beside others counts less; `parts` tells how each groups the rows."""
    regular.sort(key=dearest)
    _parted(regular, parts)
    for discount in (_vary, _echoes):
        discount(regular)
        regular.sort(key=dearest)
    _called(regular)
    _lead(regular)
    for rank, col in enumerate(regular):
        col.rank = rank
    return regular


def constants(hoisted: list[Hoisted]) -> list[Hoisted]:
    """What all rows share, dearest first: the more there is of it, and of the same, the less it is worth."""
    hoisted.sort(key=lambda one: -one.price)
    said: Counter[str] = Counter()
    for rank, one in enumerate(hoisted):
        said[one.text] += 1
        one.price *= (1 + rank / HOIST) ** -0.5 * said[one.text] ** -REPEAT
    return sorted(hoisted, key=lambda one: -one.price)


def _parted(regular: list[Col], parts: dict[int, Any]) -> None:
    """A column that groups the rows as a dearer one does says the same in other words."""
    told: set[Any] = set()
    for col in regular:
        if parts[id(col)] in told and col.price < ALWAYS / 1e3:
            col.price *= SAME
        told.add(parts[id(col)])


def _vary(regular: list[Col]) -> None:
    """The k-th column of a kind counts less: four dates say little more than one."""
    times: Counter[str] = Counter()
    for col in sorted(regular, key=dearest):
        times[col.kind] += 1
        if col.kind and col.price < ALWAYS / 1e3:
            col.price *= times[col.kind] ** -VARY


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
    """Whether every text stands in the other of its row, or is hardly longer than it."""
    pairs = 0
    for one, other in zip(texts, said, strict=True):
        if not one or not other:
            continue
        if one not in other and not (len(other) > 3 and other in one and len(one) < LONGER * len(other) + 4):
            return False
        pairs += 1
    return pairs > 1


def _called(regular: list[Col]) -> None:
    """What a reader would call a row comes early: the best column of texts that tell rows apart."""
    if any(_readable(col) for col in regular[:CALLED]):
        return
    found = next((col for col in regular if col.kind == "name" and _readable(col)), None)
    if found is not None:
        found.price = max(found.price, regular[CALLED - 1].price)
        regular.sort(key=dearest)


def _readable(col: Col) -> bool:
    """Whether the cells of a column are words, and differ from row to row."""
    some = col.cells[:: max(1, len(col.cells) // LOOKED)][:LOOKED]
    looked = [value for value in some if type(value) is str and value]
    if col.cost > CALL or len(looked) * 2 < len(some) or len(set(looked)) < MOST * len(looked):
        return False
    return sum(weigh("", value) >= PLAIN and _WORDS.search(value) is not None for value in looked) > MOST * len(looked)


def _lead(regular: list[Col]) -> None:
    """A number or key alone says little: it is bought together with what says most."""
    if not regular or regular[0].price >= ALWAYS or not (regular[0].path == (KEY,) or _opaque(regular[0])):
        return
    first, *others = regular
    for col in others:
        if _opaque(col) and col.price < ALWAYS:
            col.price *= SECOND
    others.sort(key=dearest)
    regular[:] = [first, *others]
    telling = max((col for col in others if col.least < PAIR and not _opaque(col)), key=_tells, default=None)
    if telling is not None and _repeats(telling) and len(regular) <= FEW and sum(col.cost for col in regular) < LITTLE:
        whole = price(sum(col.price * col.cost**POWER for col in regular), sum(col.cost for col in regular))
        for col in regular:
            col.price = whole
    elif telling is not None:
        others.remove(telling)
        worth = sum(col.price * col.least**POWER for col in (first, telling))
        both = price(worth, first.least + telling.least)
        first.price = telling.price = max([both, *(col.price for col in others[:1])])
        regular[:] = [first, telling, *others]


def _repeats(col: Col) -> bool:
    """Whether a column groups the rows: with it and a number alone they say nothing."""
    some = col.cells[:: max(1, len(col.cells) // LOOKED)][:LOOKED]
    return len(set(map(str, some))) < MOST * len(some)


def _tells(col: Col) -> tuple[bool, bool, bool, float]:
    """How much a column says of its rows: names before other words, words before numbers, each its own before a few."""
    some = next((value for value in col.cells if value is not None and value is not ABSENT), None)
    return col.kind == "name", type(some) is str and _WORDS.search(some) is not None, not _repeats(col), col.weight


def _opaque(col: Col) -> bool:
    """Whether a column says little alone: numbers, codes, hashes, times, but no words."""
    if col.kind in ("name", "status", "message", "text", "error", "metric"):
        return False
    looked = [value for value in col.cells[:: max(1, len(col.cells) // 8)] if value is not None and value is not ABSENT]
    return bool(looked) and not any(
        type(value) is str and _WORD.search(value) and not _HASH.match(value) for value in looked
    )
