"""Verify: what a policy says must be kept stands in the answer, or the answer says that it does not.

The fit shows it before anything else. So it is all there at any price that buys something else as well; only an answer
that had to begin leaving it out, or to cut a text, is searched for it, value by value.
"""

import re
from collections.abc import Iterator
from math import inf
from typing import Any

from service.core import markers, values
from service.core.globs import Machine, State
from service.core.plan import Plan
from service.core.rank.claims import FLOOR
from service.core.rank.rows import SAMPLE

LOOKED = 300  # values of one path that are looked for


def missing(body: str, value: Any, plan: Plan, level: float = inf) -> tuple[str, ...]:
    """The `must_keep` paths of which a body, cut at a price, does not show every value."""
    if not plan.policy.must_keep:
        return ()
    found: dict[int, dict[str, None]] = {}
    sampled = False
    for numbers, leaf, far in _leaves(value, Machine(plan.must_keep)):
        sampled = sampled or far
        for number in numbers:
            found.setdefault(number, {})[leaf] = None
    if level < FLOOR and not sampled and not markers.cut_characters(body):
        return ()
    lost = (number for number, leaves in sorted(found.items()) if not _all_said(body, list(leaves)))
    return tuple(dict.fromkeys(plan.must_keep.patterns[number].written for number in lost))


def _leaves(value: Any, machine: Machine) -> Iterator[tuple[frozenset[int], str, bool]]:
    """Every leaf that a pattern names, or that stands in what one names, and whether it is in a very long list."""
    waiting: list[tuple[Any, State, frozenset[int], bool]] = [(value, machine.root, frozenset(), False)]
    while waiting:
        here, state, named, far = waiting.pop()
        named = named.union(state.enders)
        if isinstance(here, dict):
            waiting += [(child, machine.key(state, key), named, far) for key, child in here.items()]
        elif isinstance(here, list):
            far = far or len(here) > SAMPLE
            waiting += [(child, machine.element(state, at), named, far) for at, child in enumerate(here)]
        elif named and here is not None:
            yield named, here if isinstance(here, str) else values.encode(here).decode(), far


def _all_said(body: str, leaves: list[str]) -> bool:
    """Whether all of these stand in a body; of very many, some are looked for."""
    looked = leaves[:: len(leaves) // LOOKED + 1]
    return all(any(_stands(body, said) for said in _spellings(leaf)) for leaf in looked)


def _spellings(leaf: str) -> tuple[str, ...]:
    escaped = values.encode(leaf).decode()[1:-1]
    return (leaf, escaped, markers.escape(leaf), markers.escape(escaped))


def _stands(body: str, said: str) -> bool:
    """Whether a value stands in a body, and not as a part of a longer word."""
    return said in body and re.search(rf"(?<!\w){re.escape(said)}(?!\w)", body) is not None
