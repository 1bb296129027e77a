"""The order of a table's columns: the dearest first, after what says little beside the others counts less."""

import re
from collections import Counter

from service.core.rank.names import weigh
from service.core.rank.nodes import ALWAYS, POWER, Col, price

VARY = 0.5  # how soon columns of one kind count less
PAIR = 16.0  # tokens that a second column may cost to be bought with the first
ECHO, ECHOED = 0.4, 24  # a column that repeats a dearer one, among the first so many
LONGER, PEEK = 1.5, 200
CALLED, CALL = 2, 30.0  # columns of which one says what a reader would call the row, and what that may cost
LOOKED, MOST = 40, 0.7  # cells that tell, and how many of them must agree
PLAIN = 4.5  # what a text is worth that is no address, hash or time
_WORDS = re.compile(r"[^\W\d_]{3}")


def ranked(regular: list[Col]) -> list[Col]:
    """The dearest first, after what says little beside others counts less."""
    for discount in (_vary, _echoes):
        discount(regular)
        regular.sort(key=dearest)
    _called(regular)
    _lead(regular)
    return regular


def dearest(col: Col) -> float:
    """The key to sort columns by, those first that are worth most for what they cost."""
    return -col.price


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
    """A key or number alone says little: the first two columns are bought together."""
    if len(regular) > 1 and regular[1].cost < PAIR and regular[0].price < ALWAYS:
        first, second = regular[:2]
        both = first.price * first.cost**POWER + second.price * second.cost**POWER
        first.price = second.price = price(both, first.cost + second.cost)
