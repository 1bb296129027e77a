"""Claims: places that a policy names, identity and what must be kept, at prices that put them before the rest."""

from dataclasses import dataclass

from service.core.globs import Machine, Tree
from service.core.plan import Plan
from service.core.rank.nodes import always, price

MUST = 2.0**62  # the price of what must be kept, the levels and dear values below it included
FLOOR = 2.0**36  # at a level below it all of that is shown
TOP = 16.0  # what a short value in the best of places is worth
DEAREST = 2.0**-8  # a long value that must be kept still comes before what need not be


class Places:
    """Paths that patterns name; each is looked up once."""

    __slots__ = ("_inside", "_known", "_machine")

    def __init__(self, tree: Tree, *, inside: bool = False) -> None:
        """With `inside`, what stands anywhere in a named place counts as well."""
        self._machine, self._inside = Machine(tree), inside
        self._known: dict[tuple[str, ...], bool] = {}

    def __contains__(self, path: tuple[str, ...]) -> bool:
        known = self._known.get(path)
        if known is None:
            known = bool(path) and bool(self._machine.at(path).ends)
            known = known or (self._inside and bool(path) and path[:-1] in self)
            self._known[path] = known
        return known


@dataclass(frozen=True, slots=True)
class Claims:
    """What a policy wants to see before anything else."""

    identity: Places
    must: Places
    names: frozenset[str]  # the last names of what must be kept

    def price(self, path: tuple[str, ...], weight: float, cost: float) -> float | None:
        """The price of a value that is claimed; None for any other."""
        depth, worth = len(path), price(1 + weight, cost)
        if path in self.must:
            return MUST * 4.0 ** -min(depth, 4) * max(DEAREST, min(1.0, worth / TOP))
        return always(depth) * worth if path in self.identity else None


def claims(plan: Plan | None) -> Claims | None:
    """The claims of a plan, when it has any."""
    if plan is None or not (plan.policy.identity or plan.policy.must_keep):
        return None
    ends = (one.segments[-1] for one in plan.must_keep.patterns if one.segments)
    names = frozenset(end for end in ends if isinstance(end, str))
    return Claims(Places(plan.identity), Places(plan.must_keep, inside=True), names)
