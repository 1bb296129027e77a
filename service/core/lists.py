"""Where the list of a payload is, and its items as slices of one byte string."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import msgspec

from service.core import find, markers, paths, slices, values
from service.core.payload import Payload
from service.core.read import read
from service.errors import Refusal, RequestInvalid

_HINT = "Send a list or an object that holds one, name it with `path`, or POST this payload to /compact or /chunk."


@dataclass(frozen=True, slots=True)
class Listing:
    """The list of a payload: its items are windows of `tape`."""

    steps: tuple[str, ...]  # path of the list, from the payload's root
    tape: bytes
    starts: "array[int]"  # of every item, and the last one's end
    derived: bool  # the tape is not the received payload: it has to be kept beside it
    around: bytes | None  # the object the list was found in, without the list
    content_type: str
    notes: tuple[str, ...] = ()
    order: tuple[int, ...] | None = None  # offsets of the items in the list, when sorted or searched
    words: str = ""  # the text that stood around what was read

    @property
    def count(self) -> int:
        """How many items."""
        return len(self.starts) - 1

    def item(self, index: int) -> bytes:
        """The JSON text of one item."""
        return slices.element(self.tape, self.starts[index], self.starts[index + 1])


def find_list(payload: Payload, path: str, items_path: str | None) -> Listing:
    """The list at `path` or `items_path`, or the only or largest one of the payload."""
    source, kind, notes, words = _json_of(payload)
    derived = source is not payload.data
    steps = paths.parse(path)
    base = slices.at_path(source, steps)
    if base is None:  # a path through lists makes a list of its own; one that leads nowhere says what is there
        source = base = values.encode(paths.resolve(values.decode(source), path))
        derived = True
    base = (slices.inside(base) if slices.first_byte(base) == b'"' else None) or base
    within = _within(base, items_path, path)
    steps, here = (*steps, *within), slices.at_path(base, within)
    if here is None or not slices.is_list(here):
        raise RequestInvalid(f"What stands at {paths.spell(steps) or 'the root'} is not a list.", _HINT)
    parts = slices.elements(here)
    begin = 0 if here is source else source.find(here)
    if begin < 0:  # it stood inside a JSON string
        source, begin, derived = here, 0, True
    starts = slices.starts(here, parts)
    if begin:
        starts = array("I", map(begin.__add__, starts))
    around = None if derived and source is here else _around(source, steps, len(parts))
    return Listing(steps, source, starts, derived, around, kind, notes, words=words)


def is_json(payload: Payload) -> bool:
    """Whether the payload's own bytes are a JSON array or object, or known to be JSON."""
    return payload.form == "json" or slices.holds(payload.data)


def holds_list(payload: Payload, path: str) -> bool:
    """Whether `find_list` would find one."""
    try:
        find_list(payload, path, None)
    except Refusal:
        return False
    return True


def part_of(payload: Payload, path: str) -> bytes:
    """The JSON text at a path of a payload in any form."""
    source = payload.data if is_json(payload) else values.encode(read(payload.data, "text", payload.content_type).value)
    part = slices.at_path(source, paths.parse(path))
    if part is not None:
        return part
    return values.encode(paths.resolve(values.decode(source), path))  # names what is there when nothing is


def _json_of(payload: Payload) -> tuple[bytes, str, tuple[str, ...], str]:
    """The payload as JSON, as it came or as reading it yields; its kind, notes, and the text around it."""
    if is_json(payload) and not (payload.form == "text" and payload.content_type == "jsonl"):
        return payload.data, "json", (), ""
    reading = read(payload.data, "text", payload.content_type)
    if not reading.structured or not isinstance(reading.value, list | dict):
        raise RequestInvalid(f"The payload was read as {reading.kind}: there is no list in it.", _HINT)
    lone = payload.content_type == "jsonl" and isinstance(reading.value, dict)  # one line is a list of one
    words = reading.before.strip() + reading.after.strip()
    return values.encode([reading.value] if lone else reading.value), reading.kind, reading.notes, words


def _within(base: bytes, items_path: str | None, path: str) -> tuple[str, ...]:
    """Path of the list inside `base`, from there."""
    if slices.is_list(base):
        return ()
    if not slices.is_object(base):
        return ()
    if items_path and not path:
        named = paths.parse(items_path)
        found = slices.at_path(base, named)
        if found is not None and slices.is_list(found):
            return named
    return slices.largest_list(base) or ()


def _around(source: bytes, steps: Sequence[str], count: int) -> bytes | None:
    """The payload with the list's marker in the list's place; None when the list is all there is."""
    if not steps:
        return None
    marker = values.encode(markers.stand_in([None] * count))
    try:
        return slices.replaced(source, steps, marker)
    except (KeyError, ValueError, IndexError, msgspec.DecodeError):  # the path leads through a string
        return None


def arranged(listing: Listing, words: str, sort: str) -> Listing:
    """The same list searched and sorted: a tape of its own, with the items' offsets in the list beside it."""
    chosen: Sequence[int] = range(listing.count)
    items = [listing.item(i) for i in chosen]
    if words:
        chosen = find.find_items(items, words)
    if sort:
        order = slices.ordered([items[i] for i in chosen], sort, paths.parse(sort.lstrip("-+")))
        chosen = [chosen[i] for i in order]
    kept = [items[i] for i in chosen]
    return Listing(
        steps=listing.steps,
        tape=b",".join(kept),
        starts=_packed(kept),
        derived=True,
        around=listing.around,
        content_type=listing.content_type,
        notes=listing.notes,
        words=listing.words,
        order=tuple(chosen),
    )


def _packed(items: Sequence[bytes]) -> "array[int]":
    """Starts of items that stand in a row with one comma between them."""
    found = list(accumulate((len(item) + 1 for item in items), initial=0))
    if items:
        found[-1] -= 1
    return array("I", found)
