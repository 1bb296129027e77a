"""Builds the ranked tree of a value: weights fall with depth, rise where the query or an error is."""

from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any

from service.core.branches import branch_lines
from service.core.events import event_lines
from service.core.paths import EACH
from service.core.plan import Plan
from service.core.rank.lens import Lens
from service.core.rank.names import kind_of, said, speaks_of_error, weigh
from service.core.rank.nodes import POWER, Arr, Leaf, Node, Obj, Seq, Text, always, price
from service.core.rank.series import telling
from service.core.rank.table import Heads, heads_of, is_matrix, row_worth, rows_of, table
from service.core.read import Reading
from service.core.read.ladder import read_text
from service.core.render.spelling import plain
from service.core.text import text_block
from service.core.text.query import Query
from service.core.truncate import beginning

_DEEP = frozenset((dict, list))
DEPTH = 60  # deeper values are one leaf: nobody reads them level by level
ROWS = 4  # objects that are judged against each other
LONG = 400  # characters from which a string is a text
AROUND = 4.0  # a few words around a payload say what it is
FALL = 0.9  # each level is worth so much of the one above
NOISE = 0.35  # what a container is worth whose name says that nobody reads it
PAIR, WORD = 4, 24  # items of a list, and their characters, that make it one value
SAID = 80  # characters of a status or reason that are looked at
WHY, ERROR, TOLD = 40, 11.0, 3.0  # a text so long that speaks of an error says why: that is what is looked for
OPENING = 8.0  # tokens of an object before its first field: its name, and what it lacks
MAP = 16  # a scalar map of so many keys is a list
TAIL, LEAST = 0.7, 0.03  # how fast the items of a long list count less, and how much they count at least
REFERRED = 2.5  # what a value elsewhere names
BIG, BESIDE = 200.0, 2.0  # what stands beside something big says what it is
PASSING = 0.3  # a sample between the ends and extremes of a series
ASKED = 2.5  # what is below a field that the query names
SURE, NEIGHBOUR = 0.5, 1.8
SURELY = always(DEPTH)  # from this price on a leaf is identity
QUERY = 2.5  # a field that the query names


@dataclass(frozen=True, slots=True)
class Builder:
    """Builds nodes for one request."""

    lens: Lens
    plan: Plan | None = None
    query: str = ""
    family: str = "claude"
    tables: bool = True  # off for what must be plain JSON
    chars: int = 0  # of a string, the rest is cut

    def build(
        self, value: Any, path: tuple[str, ...] = (), factor: float = 1.0, told: tuple[str, ...] = (), heads: Heads = ()
    ) -> Node:
        """The tree to render `value` from; `told` are the lines it was read from, `heads` names its columns."""
        kind = type(value)
        if self.tables and kind is list and not self._kept() and (lines := event_lines(value, told)):
            return self.text("\n".join(lines), "log", factor)
        if self.tables and kind in (dict, list) and value and not self._kept() and (lines := branch_lines(value)):
            return self.text("\n".join(lines), "prose", factor)
        if kind is str and len(value) >= LONG and self.tables:
            return self._long(value, path, factor)
        if not value or (kind is not dict and kind is not list) or len(path) >= DEPTH:
            return self._leaf(value, path, factor)
        rows = rows_of(value) if self.tables else None
        if rows is not None:
            return table(value, rows, path, factor * FALL, self.lens, replace(self, tables=False).build, heads)
        return self._object(value, path, factor) if kind is dict else self._array(value, path, factor)

    def _kept(self) -> bool:
        """Whether the policy names fields, or wants no folding: then records stay records."""
        policy = self.plan.policy if self.plan else None
        return policy is not None and bool(policy.must_keep or policy.identity or policy.fold_logs is False)

    def around(self, reading: Reading, value: Any) -> Node:
        """The tree of a reading whose value may stand between text."""
        inner = (
            self.text(value, reading.kind, 1.0)
            if isinstance(value, str)
            else self.build(value, told=reading.lines if value is reading.value else ())
        )
        texts = [
            self.text(part.strip(), "prose", AROUND if len(part) < LONG else 1.0) if part.strip() else None
            for part in (reading.before, reading.after)
        ]
        kids = [kid for kid in (texts[0], inner, texts[1]) if kid is not None]
        if len(kids) == 1:
            return inner
        return Seq(value, sum(kid.cost for kid in kids), max(kid.price for kid in kids), kids)

    def text(self, text: str, kind: str, factor: float) -> Text:
        """A text of a known kind."""
        block = text_block(text, kind, plan=self.plan, query=self.query, family=self.family)
        return Text(text, text_cost(text), block.best * factor, factor, block)

    def _long(self, value: str, path: tuple[str, ...], factor: float) -> Node:
        """A long string: what it holds, line by line when that is no structure."""
        reading = read_text(value)
        if reading.structured and not isinstance(reading.value, str) and not reading.before and not reading.after:
            return self.build(reading.value, path, factor, reading.lines)
        if reading.structured:
            return self.around(reading, reading.value)
        if self.lens.claimed(path, 1.0, 1.0) is not None:
            return self._leaf(value, path, factor)
        if reading.kind == "html" and len(reading.value) < len(value) and self._says(reading.value, value):
            return self._reduced(value, reading, factor)
        return self.text(value, reading.kind, factor)

    def _says(self, text: str, value: str) -> bool:
        """Whether the text of a page holds most of the words of the query that the page holds."""
        words, text, value = Query(self.query).words, text.lower(), value.lower()
        return 2 * sum(word in text for word in words) >= sum(word in value for word in words)

    def _reduced(self, value: str, reading: Reading, factor: float) -> Text:
        """A page of HTML as its text, which never counts as the whole of it."""
        inner = self.text(reading.value, reading.kind, factor)
        inner.block.reduced = True
        return replace(inner, value=value)

    def _object(self, value: dict[str, Any], path: tuple[str, ...], factor: float) -> Obj:
        falls = self._falls(value, factor * FALL)
        kids = {
            key: self.build(child, (*path, key), fall, heads=heads_of(value, child) if self.tables else ())
            for (key, child), fall in zip(value.items(), falls, strict=True)
        }
        each = [kid.cost for kid in kids.values()]
        if len(kids) > 1 and max(each) > BIG:
            for kid in kids.values():
                if isinstance(kid, Leaf):
                    kid.price *= BESIDE
        if self.lens.words:
            self._beside_hits(kids)
        _explain(kids)
        if path and self.tables and len(kids) > 1:
            _open(kids)
        return Obj(value, sum(each) + 1, max([kid.price for kid in kids.values()]), kids)

    def _beside_hits(self, kids: dict[str, Node]) -> None:
        """What stands beside a value that the query names is likely the answer."""
        leaves = [kid for kid in kids.values() if isinstance(kid, Leaf)]
        hits = [isinstance(kid.value, str) and self.lens.hit(kid.value) > SURE for kid in leaves]
        for kid, hit in zip(leaves, hits if any(hits) else (), strict=False):
            if not hit:
                kid.price *= NEIGHBOUR

    def _falls(self, value: dict[str, Any], factor: float) -> list[float]:
        """How much each field counts: in a long map of scalars, whose keys are data, like the items of an array."""
        falls = [factor] * len(value)
        if set(map(type, value.values())).isdisjoint(_DEEP):
            if len(value) >= MAP:
                middle = len(value) - 1
                falls = [factor * (1 + min(i, middle - i) / 6) ** -TAIL if not kind_of(key) or "/" in key else factor
                         for i, key in enumerate(value)]  # fmt: skip
            return self._referred(value, falls, factor)
        if not self.tables and len(value) >= ROWS and rows_of(value) is not None:
            falls = [factor * (1 + i / 6) ** -0.5 for i in range(len(value))]
        for i, (key, child) in enumerate(value.items()):
            if type(child) in _DEEP and kind_of(key) == "noise":
                falls[i] *= NOISE
        falls = self._referred(value, falls, factor)
        for i, (key, child) in enumerate(value.items() if self.lens.names else ()):
            if type(child) in _DEEP:
                falls[i] *= 1 + ASKED * self.lens.share(key)
        return falls

    def _referred(self, value: dict[str, Any], falls: list[float], factor: float) -> list[float]:
        """What is named elsewhere counts more."""
        if self.lens.named_elsewhere.isdisjoint(value):
            return falls
        return [
            factor * REFERRED if key in self.lens.named_elsewhere else fall
            for key, fall in zip(value, falls, strict=True)
        ]

    def _array(self, value: list[Any], path: tuple[str, ...], factor: float) -> Arr | Leaf:
        if len(value) <= PAIR and all(map(_small, value)):
            return self._leaf(value, path, factor)
        scale, inner = factor * FALL, (*path, EACH)
        judged = not self.tables and len(value) >= ROWS and path.count(EACH) == 0 and set(map(type, value)) == {dict}
        worth = row_worth(value, self.lens) if judged or is_matrix(value) else _places(value)
        kids = [self.build(child, inner, scale * part) for child, part in zip(value, worth, strict=True)]
        return Arr(value, sum(kid.cost for kid in kids) + 1, max(kid.price for kid in kids), kids)

    def _classed(self, name: str, path: tuple[str, ...]) -> str:
        """The name that says what a value is: of an entry whose key is data, that of the map."""
        over = path[-2] if len(path) > 1 and path[-1] == name else ""
        if not over or over == EACH:
            return name
        return over if not kind_of(name) and kind_of(over) != "noise" else said(over, name)

    def _leaf(self, value: Any, path: tuple[str, ...], factor: float) -> Leaf:
        own = bool(path) and path[-1] != EACH
        name = path[-1] if own else _over(path)
        full = len(value) if self.chars and isinstance(value, str) and len(value) > self.chars else 0
        value = beginning(value, self.chars) if full else value
        text = value if isinstance(value, str) else plain(value)
        cost = text_cost(text) + (len(name) / 4 + 1 if own else 0.5)
        weight = weigh(self._classed(name, path), value) * factor
        if len(text) > WHY and weight >= ERROR * factor and kind_of(name) in ("text", "message", "error"):
            weight *= TOLD
        if self.lens.names and self.lens.named(name):
            weight *= QUERY
        if self.lens.words or self.lens.keywords is not None:
            weight += 4 * self.lens.hit(text) * factor
        claimed = self.lens.claimed(path, weight, cost) if self.lens.claims is not None else None
        return Leaf(value, cost, price(weight, cost) if claimed is None else claimed, full=full)


def _explain(kids: dict[str, Node]) -> None:
    """What is said beside a failure says why: no field of the object is worth more."""
    said = [(kind_of(name), kid) for name, kid in kids.items() if isinstance(kid, Leaf) and isinstance(kid.value, str)]
    if any(kind in ("status", "error") and speaks_of_error(kid.value[:SAID]) for kind, kid in said):
        for kind, kid in said:
            if kind in ("message", "text") and " " in kid.value and not speaks_of_error(kid.value[:2000]):
                kid.price *= TOLD


def _over(path: tuple[str, ...]) -> str:
    """The last key on a path."""
    for key in reversed(path):
        if key != EACH:
            return key
    return ""


def _small(value: Any) -> bool:
    return len(value) <= WORD if isinstance(value, str) else not isinstance(value, dict | list)


def _places(value: list[Any]) -> list[float]:
    """What each item counts by its place: both ends more than the middle, and of a series what stands out in it."""
    last, first = len(value) - 1, telling(value)
    share = PASSING if first else 1.0
    worth = [share * max(LEAST, (1 + min(at, 2 * (last - at) + 2) / 6) ** -TAIL) for at in range(len(value))]
    for rank, at in enumerate(first):
        worth[at] = (1 + rank / 6) ** -0.5
    return worth


def _open(kids: dict[str, Node]) -> None:
    """The first field shown of an object pays for its line too: the best are bought together or not at all."""
    leaves = [kid for kid in kids.values() if isinstance(kid, Leaf)]
    leaves.sort(key=attrgetter("price"), reverse=True)
    worth, spent, best, count = 0.0, OPENING, 0.0, 0
    for at, kid in enumerate(leaves):
        worth, spent = worth + kid.price * kid.cost**POWER, spent + kid.cost
        together = price(worth, spent)
        if together <= best or kid.price >= SURELY:
            break
        best, count = together, at + 1
    for kid in leaves[:count]:
        kid.price = best


def text_cost(text: str) -> float:
    """Tokens of a short text, roughly: ASCII letters are cheap, everything else is not."""
    return (len(text) if text.isascii() else len(text.encode("utf-8", "replace"))) / 3.4 + 0.6
