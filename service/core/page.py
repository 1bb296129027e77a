"""A page: as many items as fit, in order, each whole; one that can never fit is previewed in place.

Items come in one by one until the page is surely full (`Filling.add` says no); then `close` measures the real bytes
and takes back what is over. The next page begins after what was taken, so nothing is skipped and nothing loops.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from schemas.api import LimitedBy, Omitted
from service.core import paths, tokens, values
from service.core.ledger import Ledger, rooted
from service.core.payload import Payload, Wish
from service.core.pipeline import compact
from service.core.plan import Plan
from service.core.steps import steps

_SLACK = 1.6  # single estimates of tiny items run high: gather so much more than the budget before measuring


@dataclass(frozen=True, slots=True)
class Page:
    """What one page holds."""

    body: bytes
    taken: int
    tokens: int
    limited_by: LimitedBy
    omitted: tuple[Omitted, ...]
    missing: tuple[str, ...]
    previewed: bool
    notes: tuple[str, ...] = ()


class Filling:
    """Gathers the items of one page."""

    def __init__(self, plan: Plan, wish: Wish, limit: int, around: bytes = b"", root: str = "") -> None:
        self.plan, self.wish, self.limit, self.around, self.root = plan, wish, limit, around, root
        self.at = (*paths.parse(root), paths.EACH)
        self.stepping = wish.fields is not None or (plan.has_steps and not wish.verbatim)
        self.raw: list[bytes] = []
        self.parts: list[bytes] = []
        self.gone: list[tuple[Omitted, ...]] = []
        self.missing: dict[str, int] = {}
        self.notes: dict[str, None] = {}
        self.spent = 0.0
        self.size = len(around)

    def add(self, item: bytes) -> bool:
        """Take one more item; False when the page has all it can hold."""
        if len(self.parts) >= self.limit or (self.parts and self._full()):
            return False
        part = self._prepared(item)
        self.raw.append(item)
        self.parts.append(part)
        self.size += len(part) + 1
        self.spent += tokens.estimate(part, self.wish.family) if len(part) < self.wish.byte_cap else self.wish.budget
        return len(self.parts) < self.limit and not self._full()

    def _full(self) -> bool:
        return self.spent > self.wish.budget * _SLACK or self.size > self.wish.byte_cap

    def _prepared(self, item: bytes) -> bytes:
        """The item after the steps that the policy and the request wish for."""
        if not self.stepping:
            self.gone.append(())
            return values.minify(item)
        done = steps(values.decode(item), self.plan, self.wish, self.at)
        self.gone.append(done.omitted)
        for name in done.missing:
            self.missing[name] = self.missing.get(name, 0) + 1
        for note in done.notes:
            self.notes[note] = None
        return values.encode(done.value) if done.ran else values.minify(item)

    def close(self, more: bool) -> Page:
        """The page: measured on its real bytes, never over budget; `more` tells whether items follow those added."""
        count = self._fitting()
        if count == 0 and self.parts:
            return self._preview(more or len(self.parts) > 1)
        body = _joined(self.parts[:count])
        limited: LimitedBy = "budget"
        if count == len(self.parts):
            limited = "end" if not more else "limit" if count >= self.limit else "budget"
        return Page(
            body=body,
            taken=count,
            tokens=self._measure(body),
            limited_by=limited,
            omitted=Ledger(self._entries(count)).entries(),
            missing=tuple(name for name, times in self.missing.items() if times >= len(self.parts)),
            previewed=False,
            notes=tuple(self.notes),
        )

    def _entries(self, count: int) -> Iterable[Omitted]:
        for entries in self.gone[:count]:
            for entry in entries:
                yield rooted(entry, self.at)

    def _measure(self, body: bytes) -> int:
        return tokens.estimate(body + self.around, self.wish.family)

    def _fits(self, body: bytes) -> bool:
        return len(body) + len(self.around) <= self.wish.byte_cap and self._measure(body) <= self.wish.budget

    def _fitting(self) -> int:
        """How many of the parts fit: prefix sums first, the real bytes last."""
        body = _joined(self.parts)
        if len(body) + len(self.around) <= self.wish.byte_cap and self._measure(body) <= self.wish.budget:
            return len(self.parts)
        room, spent, count = self.wish.budget - tokens.estimate(self.around, self.wish.family), 1.0, 0
        size = len(self.around) + 2
        for cost, part in zip(self._costs(body), self.parts, strict=True):
            spent, size = spent + cost, size + len(part) + 1
            if spent > room + 1 or size > self.wish.byte_cap + 1:
                break
            count += 1
        while count and not self._fits(_joined(self.parts[:count])):
            count -= 1
        return count

    def _costs(self, body: bytes) -> list[float]:
        bounds = [1]
        for part in self.parts:
            bounds.append(bounds[-1] + len(part) + 1)
        return tokens.item_costs(body, bounds, self.wish.family)

    def _preview(self, more: bool) -> Page:
        """A page of one item that is too large for any page: its best cut, in its place."""
        room = self.wish.budget - tokens.estimate(self.around, self.wish.family) - 3
        cap = self.wish.byte_cap - len(self.around) - 2
        while True:
            wish = replace(self.wish, budget=room, byte_cap=cap, format="json", path="", query="")
            made = compact(Payload(self.raw[0], "json"), self.plan, wish)
            body = _joined([made.body if made.format == "json" else values.encode(made.body.decode())])
            if self._fits(body) or room < 8:
                break
            room -= max(1, self._measure(body) - self.wish.budget)
        return Page(
            body=body,
            taken=1,
            tokens=self._measure(body),
            limited_by="budget" if more else "end",
            omitted=tuple(rooted(entry, self.at) for entry in made.omitted),
            missing=made.missing_fields,
            previewed=True,
            notes=(*self.notes, *made.notes),
        )


def _joined(parts: list[bytes]) -> bytes:
    return b"[" + b",".join(parts) + b"]"
