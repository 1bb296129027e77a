"""Outlines, which are lines set in below one another: trees of files and packages, plans of queries.

A reader wants the upper levels whole before the lower ones, and what is wrong wherever it stands.
"""

import re
from itertools import pairwise

from service.core.text.lines import Span, offsets

LEAST = 4  # lines
_DEEPER = 0.62  # a level is worth so much of the one above it
_NEXT = 0.03  # each sibling is worth less than the one before
_PARENT = 1.3
_WRONG = re.compile(r"(?i)\b(?:unmet|missing|invalid|extraneous|deprecated|error|failed|failure|not found|conflict)\b")
_SENTENCE = re.compile(r"(?:[a-z]{2,}[,;]? ){6}")


def is_outline(lines: list[str]) -> bool:
    """Whether most lines are short and set in, each at most one level deeper than the one before."""
    filled = [line for line in lines[:400] if line and not line.isspace()]
    depths = [len(line) - len(line.lstrip(" ")) for line in filled]
    if len(filled) < LEAST or sum(depth > 0 for depth in depths) < 0.6 * len(depths):
        return False
    steps = [below - above for above, below in pairwise(depths) if below > above]
    even = sum(step == 2 for step in steps) >= 0.95 * len(steps) and len(steps) > 1
    wordy = sum(_SENTENCE.search(line) is not None for line in filled)
    return even and len(set(depths)) > 2 and wordy * 10 < len(filled)


def spans(lines: list[str]) -> list[Span]:
    """One unit a line, blank ones with the line before, each under the one it is set in below."""
    at, found = offsets(lines), list[Span]()
    above: list[tuple[int, int]] = []  # indentation and number of the units that are open
    siblings: dict[int, int] = {}  # of each unit
    for number, line in enumerate(lines):
        if found and (not line or line.isspace()):
            found[-1] = found[-1]._replace(last=number)
            continue
        depth = len(line) - len(line.lstrip(" "))
        while above and above[-1][0] >= depth:
            above.pop()
        parent = above[-1][1] if above else -1
        siblings[parent] = place = siblings.get(parent, -1) + 1
        kids = number + 1 < len(lines) and lines[number + 1].startswith(" " * (depth + 1))
        weight = 3.0 * _DEEPER ** len(above) * (_PARENT if kids else 1.0) / (1 + _NEXT * place)
        above.append((depth, len(found)))
        weight *= 4.0 if _WRONG.search(line) else 1.0
        found.append(Span(at[number], at[number] + len(line), number, number, weight, parent))
    return found
