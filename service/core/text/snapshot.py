"""Snapshots of a page: what can be read and what can be acted on, without the boxes around it."""

import re
from collections import Counter

from service.core.forms.snapshots import element
from service.core.text.lines import Span, offsets

ACTED = frozenset(
    "button link textbox searchbox combobox checkbox radio option tab menuitem switch slider spinbutton listbox".split()
)
TOLD = frozenset(
    "text statictext paragraph cell gridcell rowheader columnheader caption code term definition row listitem".split()
)
LOUD = frozenset("alert status dialog alertdialog progressbar".split())
HEADING, ALARM, ACT, TELL, NAMED, BOX, DETAIL = 6.0, 8.0, 5.0, 4.0, 1.5, 0.3, 0.4
STATES = ("[checked", "[selected", "[active", "[disabled", "[expanded", "[pressed")
TITLED, LONG = 2.0, 4  # a link of so many words is what the page is about
_WORD, _ESCAPE = re.compile(r"\w+"), re.compile(r"\\[ux][0-9a-f]{2,4}")
_FADE, _AGAIN = 300, -0.7  # elements after which one is worth less; and the same once more


def spans(lines: list[str]) -> list[Span]:
    """One unit a line."""
    at, said = offsets(lines), Counter[str]()
    found: list[Span] = []
    for number, line in enumerate(lines):
        weight, label = _worth(line)
        if label:
            said[label] += 1
            weight *= said[label] ** _AGAIN
        weight *= (1 + number / _FADE) ** -0.3
        found.append(Span(at[number], at[number] + len(line), number, number, weight))
    return found


def _worth(line: str) -> tuple[float, str]:
    """What an element is worth, and what it says."""
    found = element(line)
    if found is None:
        return TELL, line.strip()
    role, label = found.role, " ".join(_WORD.findall(_ESCAPE.sub(" ", found.name or found.said)))
    if role.startswith("/"):
        return DETAIL, ""
    state = 1.3 if any(mark in line for mark in STATES) else 1.0
    if role in LOUD:
        return ALARM * state, label
    if not label:
        return NAMED if role in ACTED else BOX, ""
    if role == "heading":
        return HEADING, label
    if role in ACTED:
        return ACT * state * (TITLED if label.count(" ") >= LONG else 1.0), label
    return (TELL if role in TOLD or found.said else NAMED) * state, label
