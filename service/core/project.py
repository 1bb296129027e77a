"""Keep and drop by paths, and the projection that a request asks for: one walk that copies only what it changes."""

from typing import Any

from service.core.globs import Machine, State, Tree
from service.core.paths import EACH, opened
from service.core.tally import Place, Tally

KEEP, DROP, GUARD = 1, 2, 4
OPEN, WANTED, CLOSED = 0, 1, 2  # all but what is dropped; only what is kept; only what is guarded
WHOLE, GONE = 3, 4
NOTHING = object()


class Projection:
    """One run of the walk: what was met and what was taken away."""

    def __init__(self, tree: Tree, *, exact: bool) -> None:
        self.machine, self.exact = Machine(tree), exact
        self.tally = Tally()
        self.met: set[int] = set()  # patterns that named something

    def run(self, value: Any, mode: int, at: tuple[str, ...] = ()) -> Any:
        """The value without what the mode takes away, or NOTHING."""
        kept = self._walk(value, self.machine.at(at), mode, ())
        if kept is NOTHING and isinstance(value, list):
            self.tally.items((), value, len(value))
        return kept

    def _walk(self, value: Any, state: State, mode: int, place: Place) -> Any:
        if self.exact and isinstance(value, str):
            value = opened(value)
        if isinstance(value, dict):
            out = {}
            for key, child in value.items():
                below = self.machine.key(state, key)
                fate = _fate(below, mode)
                if below.enders:
                    self.met.update(below.enders)
                if fate == WHOLE:
                    out[key] = child
                    continue
                kept = NOTHING if fate == GONE else self._walk(child, below, fate, (*place, key))
                if kept is not NOTHING:
                    out[key] = kept
                elif fate == GONE or not isinstance(child, dict) or not child:
                    self.tally.field((*place, key), child)
            return out if out or mode == OPEN else NOTHING
        if isinstance(value, list):
            return self._elements(value, state, mode, place)
        return value if mode == OPEN else NOTHING

    def _elements(self, value: list[Any], state: State, mode: int, place: Place) -> Any:
        inner, before = (*place, EACH), self.tally.mark()
        out, gone, found = [], [], mode == OPEN
        for index, child in enumerate(value):
            below = self.machine.element(state, index)
            fate = _fate(below, mode) if below is not state else mode
            if below.enders:
                self.met.update(below.enders)
            mark = self.tally.mark()
            kept = child if fate == WHOLE else NOTHING if fate == GONE else self._walk(child, below, fate, inner)
            if kept is not NOTHING:
                out.append(kept)
                found = True
            elif fate == GONE or not isinstance(child, dict):
                gone.append(child)
            else:
                out.append(self._unmatched(child, mode, mark))
        if not found:
            self.tally.back_to(before)  # it goes as a whole, and is counted so
            return NOTHING
        if gone:
            self.tally.items(place, gone, len(value))
        return out

    def _unmatched(self, child: dict[str, Any], mode: int, mark: int) -> dict[str, Any]:
        """A row that has none of the fields: {} when they were asked for, whole when a policy guessed them."""
        if self.exact or mode == CLOSED:
            return {}
        self.tally.back_to(mark)
        return child


def _fate(state: State, mode: int) -> int:
    """What becomes of a value here: decided once per state and mode."""
    if not state.fates:
        state.fates = [_decide(state, one) for one in (OPEN, WANTED, CLOSED)]
    return state.fates[mode]


def _decide(state: State, mode: int) -> int:
    if state.ends & GUARD:
        return WHOLE
    whole = OPEN if state.live & DROP else WHOLE
    guarded = CLOSED if state.firm & GUARD else GONE
    if state.ends & DROP or mode == CLOSED:
        return guarded
    if mode == OPEN or state.ends & KEEP:
        return whole
    return WANTED if state.live & KEEP or state.firm & GUARD else GONE
