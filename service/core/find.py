"""Find: the lines of a text, or the items of a list, that contain every word, whatever their case and order.

Those with the whole phrase come first, then the others, each in order. Plain text, never a regex.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from re import Match, compile as regex

from service.core.chunk.entries import entries
from service.core.lines import blocks, line_starts

CONTEXT = 2  # lines shown before and behind a hit
ENTRY = 60  # lines on either side that are looked at for the ends of an entry
_ESCAPE = regex(r"\\(?:u([0-9a-fA-F]{4})|(.))")
_SHORT = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


@dataclass(frozen=True, slots=True)
class Hit:
    """One line found, by its number (from 1), and the window to show it in: its entry and two lines on either side."""

    line: int
    start: int  # of the window, in bytes
    end: int
    first: int  # the number of the window's first line
    entry: tuple[int, int]  # the entry's first and last line


def find_lines(text: bytes, words: str, kind: str = "prose") -> list[Hit]:
    """The lines of a UTF-8 text that contain every word, in the order of a walk over them."""
    wanted = words.casefold().split()
    if not wanted:
        return []
    starts = line_starts(text)
    begins = entries(text).opens if kind == "log" else None
    return [_hit(starts, line, begins) for line in _phrase_first(_lines_with(text, wanted))]


def find_items(items: Sequence[bytes], words: str) -> list[int]:
    """The positions of the JSON items whose text, escapes resolved, contains every word."""
    wanted = words.casefold().split()
    if not wanted:
        return []
    return _phrase_first(_with(((at, _resolved(item)) for at, item in enumerate(items)), wanted))


def render(window: bytes, hit: Hit, fits: Callable[[str], bool]) -> str:
    """One hit as text: `123: line` and its surroundings as `122- line`, as much of them as fits; at least the line."""
    lines = window.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").split("\n")
    numbered = [f"{n}{':' if n == hit.line else '-'} {line}" for n, line in enumerate(lines, hit.first)]
    at, last = hit.line - hit.first, len(numbered) - 1
    entry = (hit.entry[0] - hit.first, hit.entry[1] - hit.first)
    for low, high in ((0, last), entry, (at - CONTEXT, at + CONTEXT), (at, at)):
        shown = "\n".join(numbered[max(low, 0) : high + 1])
        if fits(shown):
            break
    return shown


def _lines_with(text: bytes, wanted: Sequence[str]) -> Iterator[tuple[int, bool]]:
    """The numbers (from 0) of the lines with every word, and whether they have the whole phrase."""
    number = 0
    for start, end in blocks(text):
        part = text[start:end].decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
        folded = part.casefold()
        lines = folded.removesuffix("\n").count("\n") + 1
        if all(word in folded for word in wanted):
            yield from _with(enumerate(folded.split("\n"), number), wanted)
        number += lines


def _with(texts: Iterator[tuple[int, str]], wanted: Sequence[str]) -> Iterator[tuple[int, bool]]:
    first, phrase, several = wanted[0], " ".join(wanted), len(wanted) > 1
    for at, text in texts:
        if first in text and (not several or all(word in text for word in wanted)):
            yield at, phrase in text


def _phrase_first(found: Iterator[tuple[int, bool]]) -> list[int]:
    hits = list(found)
    return [at for at, phrase in hits if phrase] + [at for at, phrase in hits if not phrase]


def _hit(starts: Sequence[int], line: int, begins: Callable[[int], bool] | None) -> Hit:
    """The window around a line (from 0)."""
    low = high = line
    lines = len(starts) - 1
    if begins:
        while low > max(line - ENTRY, 0) and not begins(starts[low]):
            low -= 1
        while high + 1 < min(line + ENTRY, lines) and not begins(starts[high + 1]):
            high += 1
    first, last = max(min(low, line - CONTEXT), 0), min(max(high, line + CONTEXT), lines - 1)
    return Hit(line + 1, starts[first], starts[last + 1], first + 1, (low + 1, high + 1))


def _resolved(item: bytes) -> str:
    """An item's JSON text as a reader sees it: escapes resolved, case folded."""
    text = item.decode("utf-8", "replace")
    if "\\" in text:
        resolved = _ESCAPE.sub(_character, text)  # surrogate pairs come out as two halves: join them
        text = resolved.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text.casefold()


def _character(escape: Match[str]) -> str:
    return chr(int(escape[1], 16)) if escape[1] else _SHORT.get(escape[2], escape[2])
