"""Snapshots of a page, as browsers under control give them: one element a line, set in below its parent.

- button "Pay" [ref=e2]            uid=1_2 button "Pay" focused            [12] button 'Pay', clickable
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from service.core.forms.sample import Sample

_QUOTED = r"""(?:"(?P<name>(?:[^"\\]|\\.)*)"|'(?P<single>(?:[^'\\]|\\.)*)'(?=\Z|,)|/(?P<named>[^/]*)/)"""
_LISTED = re.compile(rf"\s*- '?(?P<role>/?[a-z]+)(?: {_QUOTED})?(?: \[[^\]]+\])*'?(?P<rest>:.*)?\Z")
_NUMBERED = re.compile(
    rf"\s*(?:(?:\[\d+\]|uid=\S+) (?P<role>[A-Za-z]+)(?: {_QUOTED})?|(?P<bare>[A-Z]\w+) '(?P<said>.*)'\Z)"
)
_REFERS = re.compile(r".* \[ref=|\s*(?:\[\d+\]|uid=\d\S*) [A-Za-z]")
_LOOKED, _LEAST, _MOST = 200, 3, 0.7


class Element(NamedTuple):
    """One element: its role, what it is called, and what it says."""

    role: str
    name: str
    said: str


def element(line: str) -> Element | None:
    """The element of a line, or nothing."""
    if found := _LISTED.match(line):
        name = found["name"] or found["single"] or found["named"] or ""
        return Element(found["role"], name, (found["rest"] or "").strip(": "))
    if found := _NUMBERED.match(line):
        name = found["name"] or found["single"] or found["named"] or found["said"] or ""
        return Element((found["role"] or found["bare"]).lower(), name, "")
    return None


def mostly_elements(lines: Iterable[str]) -> bool:
    """Whether most lines are elements, and some of them can be referred to."""
    some = [line for line in lines if line.strip()][:_LOOKED]
    referred = sum(_REFERS.match(line) is not None for line in some)
    return referred >= _LEAST and sum(element(line) is not None for line in some) >= _MOST * len(some)


def looks_snapshot(seen: Sample) -> bool:
    """Whether a text is a snapshot of a page."""
    return mostly_elements(seen.lines)
