"""Condense: an object is replaced by the one of its fields that names it (`{"**.user": login}`)."""

from typing import Any

from service.core.globs import Machine, State, Tree
from service.core.paths import EACH, parse
from service.core.tally import Place, Tally

CARRIER, GUARD = 1, 4
_NONE = object()


def condense(value: Any, tree: Tree, tally: Tally, at: tuple[str, ...] = ()) -> Any:
    """The value with objects condensed to their field; an object without it, or with a guarded field, stays."""
    machine = Machine(tree)

    def walk(here: Any, state: State, place: Place) -> Any:
        if state.ends & GUARD:
            return here
        if isinstance(here, dict):
            short = _short(here, tree, state, place, tally)
            if short is not _NONE:
                return short
            return {
                key: walk(child, machine.key(state, key), (*place, key)) if isinstance(child, dict | list) else child
                for key, child in here.items()
            }
        inner, out = (*place, EACH), []
        for index, child in enumerate(here):
            below = machine.element(state, index)
            if isinstance(child, dict) and _carries(state) and not _carries(below):
                below = state  # the pattern names the list: its elements are what it means
            out.append(walk(child, below, inner) if isinstance(child, dict | list) else child)
        return out

    return walk(value, machine.at(at), ()) if isinstance(value, dict | list) else value


def _carries(state: State) -> bool:
    return bool(state.ends & CARRIER) and not (state.ends | state.firm) & GUARD


def _short(here: dict[str, Any], tree: Tree, state: State, place: Place, tally: Tally) -> Any:
    """The field that stands for the object, or nothing."""
    if not _carries(state):
        return _NONE
    segments = parse(tree.patterns[state.first].carries)
    found: Any = here
    for segment in segments:
        if not isinstance(found, dict) or segment not in found:
            return _NONE
        found = found[segment]
    if isinstance(found, dict | list) or found is None:
        return _NONE
    if len(here) > 1 or len(segments) > 1:
        rest = {key: child for key, child in here.items() if key != segments[0]}
        tally.reduced(place, "fields", rest, 1, max(2, len(here)))
    return found
