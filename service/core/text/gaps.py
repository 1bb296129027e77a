"""How a text says what it left out: markers between lines, inside a line, and behind the last line."""

from collections.abc import Callable, Sequence

from service.core.markers import MARK, cut_string, line_gap

PLACES = 3  # up to so many gaps are marked where they are, more are counted together: numbers tell where they were


def missing_lines(count: int, first: int, last: int) -> str:
    """The marker for `count` lines that are missing between lines `first` and `last` (from 1)."""
    if count == last - first + 1:
        return line_gap(count, first, last)
    return f"{MARK} {count} more lines (between {first} and {last})"


def between(kept: Sequence[tuple[int, int]], total: int) -> list[tuple[int, int]]:
    """The gaps, from 0 and inclusive, that ascending spans of kept lines leave in `total` lines."""
    gaps, reach = [], 0
    for first, last in kept:
        if first > reach:
            gaps.append((reach, first - 1))
        reach = max(reach, last + 1)
    return [*gaps, (reach, total - 1)] if reach < total else gaps


def cut_long(text: str, longest: int, spot: Callable[[str], int] | None = None) -> str:
    """`text` in about `longest` characters around its most telling spot, with markers at the cut ends."""
    if len(text) <= longest:
        return text
    at = spot(text) if spot else 0
    start = 0 if at < longest * 2 // 3 else min(at - longest // 3, len(text) - longest)
    end = start + max(0, longest)
    before = f"{cut_string(start)} " if start else ""
    return before + text[start:end] + (f" {cut_string(len(text) - end)}" if end < len(text) else "")
