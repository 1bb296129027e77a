"""Snapshots of a page, as browsers under control give them: one element a line, set in below its parent."""

import re

from service.core.forms.sample import Sample

ELEMENT = re.compile(
    r"""\s*- '?(?P<role>/?[a-z]+)(?: "(?P<name>(?:[^"\\]|\\.)*)"| /(?P<named>[^/]*)/)?"""
    r"""(?: \[[^\]]+\])*'?(?P<rest>:.*)?\Z"""
)
_MARKED, _LEAST, _MOST = " [ref=", 3, 0.7


def looks_snapshot(seen: Sample) -> bool:
    """Whether most lines are elements, and some of them can be referred to."""
    lines = seen.lines[:200]
    marked = sum(_MARKED in line for line in lines)
    return marked >= _LEAST and sum(ELEMENT.match(line) is not None for line in lines) >= _MOST * len(lines)
