"""Cells that are shown as far as their row pays for them: long texts, and lists of plain values."""

from collections.abc import Iterable
from math import inf
from typing import Any

from service.core import markers
from service.core.ledger import Ledger
from service.core.paths import EACH
from service.core.rank.cells import GAP, OPENING, cost_of, is_begun
from service.core.rank.claims import FLOOR
from service.core.rank.nodes import POWER, Col, Table
from service.core.render.spelling import cell, quoted
from service.core.summarise import summarise
from service.core.truncate import truncate

WORDY, SLACK = 3.8, 1.2  # bytes of a token in a text; what is hardly longer than what is paid for is not cut
GROWTH = 0.6  # many texts begun are better than one read on
SENTENCE, READ = 60, 20_000  # characters of a sentence; of a text that is read to its end to summarise it


def begun(table: Table, col: Col, i: int, level: float, path: tuple[str, ...], ledger: Ledger) -> str:
    """A long cell, as far as its row pays for it; what it loses goes to the ledger."""
    value = col.cells[i]
    if not is_begun(value):
        return cell(value)
    if isinstance(value, str):
        return _text(table, value, _room(col, level), path, ledger)
    return _listed(value, _asked(table, col, i), (_room(col, level), col.cost), path, ledger)


def _room(col: Col, level: float) -> float:
    """Tokens of a value that its row pays for."""
    if level <= 0 or col.price >= FLOOR:
        return inf
    return float(OPENING * max((col.weight / level) ** (1 / POWER) / OPENING, 1.0) ** GROWTH)


def _text(table: Table, value: str, paid: float, path: tuple[str, ...], ledger: Ledger) -> str:
    """What is asked for in a text, or what it begins with."""
    signs = WORDY * len(value) / len(value.encode("utf-8", "replace"))
    if paid * signs * SLACK >= len(value):
        return cell(value)
    safe, room = markers.escape(value), int(paid * signs)
    if (table.asked or table.keywords) and len(value) <= READ:
        text = summarise(safe, room, max(2, room // SENTENCE), table.keywords, " ".join(table.asked))
    else:
        text = truncate(safe, room)
    kept = max(0, len(value) - markers.cut_characters(text))
    ledger.add(path, "text", "fit", kept, len(value), (len(value) - kept) / signs)
    return quoted(text)


def _listed(
    value: list[Any], asked: list[int], costs: tuple[float, float], path: tuple[str, ...], ledger: Ledger
) -> str:
    """The items that are asked for, then the first ones; `costs` are what may be paid, and what such a list costs."""
    kept: set[int] = set()
    paid, whole = costs
    for at in dict.fromkeys([*asked, *range(len(value))]):
        paid -= cost_of(value[at]) + 1
        if kept and paid < -GAP:
            break
        kept.add(at)
    if len(kept) == len(value):
        return cell(value)
    ledger.add(path, "items", "fit", len(kept), len(value), whole * (1 - len(kept) / len(value)))
    return f"[{', '.join(_with_gaps(value, kept))}]"


def _with_gaps(value: list[Any], kept: set[int]) -> Iterable[str]:
    gap = 0
    for at, item in enumerate(value):
        if at not in kept:
            gap += 1
            continue
        if gap:
            yield markers.array_gap(gap, at - gap, at - 1)
        yield cell(item)
        gap = 0
    if gap:
        yield markers.array_gap(gap, len(value) - gap, len(value) - 1)


def _asked(table: Table, col: Col, i: int) -> list[int]:
    """The places in a row's list that hold what is asked for, in whichever field of its objects."""
    if not table.asked:
        return []
    around = col.path[: len(col.path) - col.path[::-1].index(EACH)] if EACH in col.path else col.path
    lists = [other.cells[i] for other in (*table.columns, *table.sparse) if other.path[: len(around)] == around]
    found: dict[int, None] = {}
    for one in lists:
        for at, item in enumerate(one if isinstance(one, list) else ()):
            low = item.lower() if isinstance(item, str) else ""
            if any(word in low for word in table.asked):
                found[at] = None
    return [at for at in found if at < len(col.cells[i])]
