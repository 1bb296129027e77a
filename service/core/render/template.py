"""Templates: a list or an object in the words of its policy, row by row, so that the engine can cut between rows."""

from dataclasses import dataclass
from typing import Any

from schemas.api import Omitted
from service.core.globs import Pattern, Tree
from service.core.payload import Wish
from service.core.plan import Plan
from service.core.project import NOTHING, WANTED, Projection
from service.core.render.slots import ABSENT, Fill, Scope, at, plain
from service.core.render.wording import Condition, Filled, Parts, Wording, compose
from service.core.tally import Place

KEEP = 1


@dataclass(frozen=True, slots=True)
class Rows:
    """A worded list: a header, its rows, and how the end is told; `tail` follows the last row."""

    header: str
    rows: tuple[str, ...]
    total: int  # rows there are, shown or not
    say_more: Parts = ()
    tail: str = ""
    omitted: tuple[Omitted, ...] = ()  # fields of the payload that the words leave out
    path: str = ""  # where the rows stand in the value
    query: str = ""

    def more(self, left: int) -> str:
        """The line after the rows when so many are not shown; empty when the policy has no words for it."""
        known: dict[str, Any] = {"more": left, "count": self.total, "query": self.query}
        return _joined(compose(self.say_more, Fill(Scope(known, {}, None)))) or "" if left else ""

    def text(self, shown: int | None = None) -> str:
        """Header, the first rows, and how many more there are."""
        rows = self.rows if shown is None else self.rows[:shown]
        lines = (self.header, *rows, self.more(self.total - len(rows)), self.tail)
        return "\n".join(line for line in lines if line)


def template_rows(value: Any, plan: Plan, wish: Wish) -> Rows | None:
    """The value in the words of the first template that fits its shape; None when none does."""
    for words in plan.templates:
        if not all(_holds(value, one) for one in words.when):
            continue
        found = _listed(value, words, wish) if words.listing else _single(value, words, wish)
        if found is not None:
            return found
    return None


def _holds(value: Any, condition: Condition) -> bool:
    found = ((at(value, path), wanted) for path, wanted in condition.paths)
    there = any(here is not ABSENT and here is not None and wanted in (None, plain(here)) for here, wanted in found)
    return there == condition.there


def _single(value: Any, words: Wording, wish: Wish) -> Rows | None:
    """One object, or each object of a list, without words around it."""
    if isinstance(value, list) and value and words.items is None:
        return _worded(value, (), value, words, wish)
    found = _worded([value], None, value, words, wish) if isinstance(value, dict) else None
    return found if found and found.total == 1 else None


def _listed(value: Any, words: Wording, wish: Wish) -> Rows | None:
    place = _place(value, words)
    if place is None:
        return None
    rows = value
    for segment in place:
        rows = rows[segment]
    if rows or place or words.items is None:
        return _worded(rows, place, value, words, wish)
    return None  # an empty list alone does not tell what it is a list of


def _place(value: Any, words: Wording) -> Place | None:
    """Where the rows are; None when they are not there, or when there is another list that the words would lose."""
    if isinstance(value, list):
        return ()
    if not isinstance(value, dict):
        return None
    lists = [key for key, child in value.items() if isinstance(child, list)]
    if words.items is None:
        return (lists[0],) if len(lists) == 1 else None
    here: Any = value
    for segment in words.items:
        here = here.get(segment) if isinstance(here, dict) else None
    others = [key for key in lists if value[key] and key != words.items[0]]
    return words.items if isinstance(here, list) and not others else None


def _worded(rows: list[Any], place: Place | None, whole: Any, words: Wording, wish: Wish) -> Rows | None:
    """Rows in words; None when not one of them has what the words need."""
    known: dict[str, Any] = {"count": len(rows), "query": wish.query}
    texts, fitting, inside = [], [], dict[Place, list[int]]()
    for number, row in enumerate(rows, 1):
        pieces = _row(row, words, Scope({**known, "n": number}, row, wish.as_of))
        if pieces is not None:
            fitting.append(row)
            _count(pieces, inside)
        texts.append(_unforged(_joined(pieces) or plain(row)))
    if rows and not fitting:
        return None
    top = whole if isinstance(whole, dict) and place is not None else {}
    said = compose(words.header if rows else words.empty, Fill(Scope(known, top, wish.as_of, known_first=True)))
    around = _count(said or [], {})
    limit = words.limit if words.limit is not None else len(texts)
    return Rows(
        header=_unforged(_joined(said) or ""),
        rows=tuple(texts[:limit]),
        total=len(rows),
        say_more=words.more,
        omitted=_lost(whole, fitting, place, inside, around, wish),
        path=".".join(place or ()),
        query=wish.query,
    )


def _row(row: Any, words: Wording, scope: Scope) -> list[Filled] | None:
    """The row in the first wording that has all its values."""
    if not isinstance(row, dict):
        return None
    found = (compose(parts, Fill(scope)) for parts in words.rows)
    return next((pieces for pieces in found if pieces is not None), None)


def _joined(pieces: list[Filled] | None) -> str | None:
    if pieces is None:
        return None
    return "\n".join(line.rstrip() for line in "".join(piece.text for piece in pieces).split("\n"))


def _count(pieces: list[Filled], counts: dict[Place, list[int]]) -> dict[Place, list[int]]:
    """Characters shown and there, by the path they come from."""
    for piece in pieces:
        if piece.path is not None:
            counted = counts.setdefault(piece.path, [0, 0])
            counted[0], counted[1] = counted[0] + piece.shown, counted[1] + piece.full
    return counts


def _unforged(text: str) -> str:
    """A row that begins with … is not one of our markers."""
    return "…" + text if text.startswith("…") else text


def _lost(
    whole: Any,
    fitting: list[Any],
    place: Place | None,
    inside: dict[Place, list[int]],
    around: dict[Place, list[int]],
    wish: Wish,
) -> tuple[Omitted, ...]:
    """What the words leave out of the payload: fields that no slot took, and values told in short."""
    base = place or ()
    patterns = [Pattern("", (*base, *path), KEEP) for path in inside] + [Pattern("", path, KEEP) for path in around]
    if not fitting and base:
        patterns.append(Pattern("", base, KEEP))
    projection = Projection(Tree(tuple(patterns)), exact=True)
    seen = _with(whole, base, fitting) if place is not None else whole
    kept = projection.run(seen, WANTED)
    for path, (shown, full) in inside.items():
        if shown < full:
            spot = (*base, "[]", *path) if place is not None else path
            projection.tally.reduced(spot, "text", "x" * (full - shown), shown, full)
    result = {} if kept is NOTHING else kept
    return projection.tally.entries(result, "policy", wish.family)


def _with(whole: Any, place: tuple[str, ...], rows: list[Any]) -> Any:
    """The value with other rows at a place."""
    if not place:
        return rows
    return {**whole, place[0]: _with(whole[place[0]], place[1:], rows)}
