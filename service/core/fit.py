"""Fit: one price for everything, found by bisecting over real renders."""

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate
from operator import attrgetter

from service.core.ledger import Ledger
from service.core.rank.nodes import Arr, Leaf, Node, Obj, Seq
from service.core.tokens import estimate

Render = Callable[[float, Ledger], bytes]
ENOUGH = 0.97  # of the goal: a closer fit is not worth another render
MARGIN = 1.035  # on dense notation the estimate runs low, so the search aims below the budget
LOWEST, HIGHEST = -14.0, 7.0  # log2 of the prices of anything that is not identity
DEAREST = 74.0  # and of what a policy says must be kept
ROUNDS = 11
SURE = 3.0  # times the budget: what is guessed to cost so much more need not be rendered to know that it is over


@dataclass(frozen=True, slots=True)
class Limits:
    """What a body may take."""

    tokens: int
    size: int  # bytes
    family: str

    def hold(self, body: bytes) -> bool:
        """Whether this body may go out."""
        return len(body) <= self.size and estimate(body, self.family) <= self.tokens

    def share(self, body: bytes) -> float:
        """How much of the nearer limit a body takes, 1.0 being all of it."""
        return max(len(body) / max(1, self.size), estimate(body, self.family) / self.tokens)


@dataclass(frozen=True, slots=True)
class Fitted:
    """The best body found, the price it was rendered at, and what it left out."""

    body: bytes
    level: float
    ledger: Ledger


def never() -> bool:
    """The clock of a caller that has all the time there is."""
    return False


def guess(node: Node) -> Callable[[float], float]:
    """About what the leaves of a tree cost that are shown at a price; tables and texts come on top of it."""
    leaves, waiting = list[Leaf](), [node]
    for one in waiting:
        if isinstance(one, Leaf):
            leaves.append(one)
        elif isinstance(one, Obj):
            waiting.extend(one.kids.values())
        elif isinstance(one, Arr | Seq):
            waiting.extend(one.kids)
    leaves.sort(key=attrgetter("price"), reverse=True)
    prices, costs = [-leaf.price for leaf in leaves], [0.0, *accumulate([leaf.cost for leaf in leaves])]
    return lambda level: costs[bisect_right(prices, -level)]


def fit(
    render: Render,
    limits: Limits,
    expired: Callable[[], bool] = never,
    start: float = -2.0,
    costs: Callable[[float], float] = lambda level: 0.0,
) -> Fitted | None:
    """The fullest rendering within the limits, or None when even the barest is over them."""
    low, high, at, best = LOWEST, HIGHEST, start, None
    goal = 1 / MARGIN
    for _ in range(ROUNDS):
        found = _at(render, 2.0**at) if costs(2.0**at) <= SURE * limits.tokens else None
        share = limits.share(found.body) if found else SURE
        if found is None or share > goal:
            low = at
        else:
            best, high = found, at
            if share >= goal * ENOUGH:
                break
        if high - low < 0.02 or (best is not None and expired()):
            break
        at = (
            (low + high) / 2
            if (best is not None or low > LOWEST) and high - low < 12
            else at + (2.0 if share > goal else -2.0)
        )
    return best or _barest(render, limits)


def _at(render: Render, level: float) -> Fitted:
    ledger = Ledger()
    return Fitted(render(level, ledger), level, ledger)


def _barest(render: Render, limits: Limits) -> Fitted | None:
    """Identity alone, as much of it as goes; then the one marker."""
    low, high, best = HIGHEST, DEAREST, None
    for _ in range(14):
        at = (low + high) / 2
        found = _at(render, 2.0**at)
        if limits.hold(found.body):
            best, high = found, at
        else:
            low = at
    return best
