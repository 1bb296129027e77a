"""Strip: fields that carry nothing, null or empty, are left out and counted."""

from typing import Any

from service.core.globs import Machine, State, Tree
from service.core.paths import EACH
from service.core.tally import Place, Tally


def strip(value: Any, guard: Tree, tally: Tally, *, nulls: bool, empties: bool, at: tuple[str, ...] = ()) -> Any:
    """The value without null (and empty) fields; elements stay, their positions mean something."""
    machine = Machine(guard)

    def bare(child: Any) -> bool:
        return (nulls and child is None) or (empties and isinstance(child, str | list | dict) and not child)

    def walk(here: Any, state: State, place: Place) -> Any:
        if isinstance(here, list):
            inner = (*place, EACH)
            return [
                walk(child, machine.element(state, index), inner) if isinstance(child, dict | list) else child
                for index, child in enumerate(here)
            ]
        out = {}
        for key, child in here.items():
            below = machine.key(state, key)
            inside = isinstance(child, dict | list) and not below.ends
            kept = walk(child, below, (*place, key)) if inside else child
            if below.ends or not bare(kept):
                out[key] = kept
            elif bare(child):  # what became empty on the way is counted already, by what was in it
                tally.field((*place, key), child)
        return out

    return walk(value, machine.at(at), ()) if isinstance(value, dict | list) else value
