"""The ledger: what was left out, per path, unit and cause, so that kept + omitted = total in every entry."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

from msgspec import structs

from schemas.api import Omitted
from service.core.paths import parse, spell

Place = str | tuple[str, ...]  # a path, or its segments
Unit = Literal["items", "fields", "text"]
Cause = Literal["policy", "request", "fit"]
LISTED = 8
_DEEP = frozenset((dict, list))
SAMPLE = 2000  # elements of a list whose keys are counted


def unit_of(value: Any) -> Unit:
    """What a value that is gone is counted in."""
    return "items" if isinstance(value, list) else "fields" if isinstance(value, dict) else "text"


class Ledger:
    """Collects what one answer leaves out."""

    __slots__ = ("_later", "_rows")

    def __init__(self, entries: Iterable[Omitted] = ()) -> None:
        self._rows: dict[tuple[Place, Unit, Cause], list[float]] = {}
        self._later: list[Callable[[Ledger], None]] = []
        for entry in entries:
            unit, by = entry.unit or "fields", entry.by or "policy"
            self.add(entry.path, unit, by, entry.kept or 0, entry.total or 0, entry.tokens)

    def add(self, path: Place, unit: Unit, by: Cause, kept: int, total: int, tokens: float) -> None:
        """Another place where something at `path` was left out (or, for a path with gaps elsewhere, kept)."""
        row = self._rows.setdefault((path, unit, by), [0, 0, 0.0])
        row[0] += kept
        row[1] += total
        row[2] += tokens

    def later(self, count: Callable[["Ledger"], None]) -> None:
        """Leaves the counting until somebody asks: of the many renderings of a search only one is told about."""
        self._later.append(count)

    def _settle(self) -> None:
        waiting, self._later = self._later, []
        for count in waiting:
            count(self)

    def __len__(self) -> int:
        self._settle()
        return len(self._rows)

    def entries(self) -> tuple[Omitted, ...]:
        """Every entry that lost something, largest first."""
        rows = [
            Omitted(path=path, unit=unit, by=by, kept=int(kept), total=int(total), tokens=max(1, round(tokens)))
            for (path, unit, by), (kept, total, tokens) in self._spelled().items()
            if kept < total
        ]
        return tuple(sorted(rows, key=lambda row: (-row.tokens, row.path)))

    def _spelled(self) -> dict[tuple[str, Unit, Cause], list[float]]:
        """The rows by their path as text: of the many renderings of a search only one is told about."""
        self._settle()
        spelled: dict[tuple[str, Unit, Cause], list[float]] = {}
        for (path, unit, by), row in self._rows.items():
            key = (path if isinstance(path, str) else spell(path), unit, by)
            known = spelled.get(key)
            spelled[key] = row if known is None else [one + other for one, other in zip(known, row, strict=True)]
        return spelled

    def listed(self) -> tuple[Omitted, ...]:
        """The eight largest entries, and one that sums up the rest."""
        return brief(self.entries())


def brief(entries: Sequence[Omitted]) -> tuple[Omitted, ...]:
    """The eight largest of sorted `entries` and one {path: "*"} for the others."""
    if len(entries) <= LISTED + 1:
        return tuple(entries)
    rest = entries[LISTED:]
    return (*entries[:LISTED], Omitted(path="*", paths=len(rest), tokens=sum(row.tokens for row in rest)))


def total_fields(value: Any) -> int:
    """Every key at every level; the elements of an array count as one (the union of their keys)."""
    count, waiting = 0, [value] if type(value) in _DEEP else []
    while waiting:
        one = waiting.pop()
        if type(one) is dict:  # nothing to unite: most levels of an object
            count += len(one)
            waiting.extend([child for child in one.values() if type(child) in _DEEP])
        elif one:
            count += _united(_sampled(one) if type(one) is list else [*one], waiting)
    return count


def _united(level: list[Any], waiting: list[Any]) -> int:
    """The keys of these objects and arrays together; what is below them waits, as a tuple for each key."""
    merged, keys = dict[str, list[Any]](), set[str]()
    for item in level:  # arrays dissolve into the level while it is walked
        if isinstance(item, dict):
            keys.update(item)
            for key, child in item.items():
                if type(child) in _DEEP:
                    merged.setdefault(key, []).append(child)
        elif isinstance(item, list):
            level.extend(_sampled(item))
    waiting.extend(below[0] if len(below) == 1 else tuple(below) for below in merged.values())
    return len(keys)


def _sampled(items: list[Any]) -> list[Any]:
    """Enough of a long list to know its keys, at a bounded cost."""
    inner = items if len(items) <= SAMPLE else items[: SAMPLE // 2] + items[:: len(items) * 2 // SAMPLE + 1]
    return [item for item in inner if type(item) in _DEEP]


def fields_of(value: Any) -> list[str]:
    """The keys of an object, or of the objects in a list."""
    if isinstance(value, list):
        return list(dict.fromkeys(key for row in value[:SAMPLE] if isinstance(row, dict) for key in row))
    return list(value) if isinstance(value, dict) else []


def rooted(entry: Omitted, root: Sequence[str]) -> Omitted:
    """The same entry with its path counted from where `root` begins."""
    if not root or entry.path == "*":
        return entry
    return structs.replace(entry, path=spell((*root, *parse(entry.path))))
