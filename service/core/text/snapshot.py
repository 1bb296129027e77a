"""Snapshots of a page: what can be read and what can be acted on, without the boxes around it."""

from collections import Counter

from service.core.forms.snapshots import ELEMENT
from service.core.text.lines import Span, offsets

ACTED = frozenset(
    "button link textbox searchbox combobox checkbox radio option tab menuitem switch slider spinbutton listbox".split()
)
TOLD = frozenset(
    "text paragraph cell gridcell rowheader columnheader caption code term definition row listitem".split()
)
LOUD = frozenset("alert status dialog alertdialog progressbar".split())
HEADING, ALARM, ACT, TELL, NAMED, BOX, DETAIL = 6.0, 8.0, 5.0, 4.0, 1.5, 0.3, 0.4
STATES = ("[checked", "[selected", "[active", "[disabled", "[expanded", "[pressed")
_FADE, _AGAIN = 300, -0.7  # elements after which one is worth less; and the same once more
_LEAST = 0.7


def is_snapshot(lines: list[str]) -> bool:
    """Whether most lines are elements of a page that can be referred to."""
    some = [line for line in lines[:200] if line.strip()]
    marked = sum(" [ref=" in line for line in some)
    return marked > 2 and sum(ELEMENT.match(line) is not None for line in some) >= _LEAST * len(some)


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
    element = ELEMENT.match(line)
    if element is None:
        return TELL, line.strip()
    role, rest = element["role"], (element["rest"] or "").strip(": ")
    label = element["name"] or element["named"] or rest
    if role.startswith("/"):
        return DETAIL, ""
    state = 1.3 if any(mark in line for mark in STATES) else 1.0
    if role in LOUD:
        return ALARM * state, label
    if role == "heading":
        return HEADING, label
    if role in ACTED:
        return (ACT if label else NAMED) * state, f"{role} {label}" if label else ""
    if not label:
        return BOX, ""
    return (TELL if role in TOLD or rest else NAMED) * state, label
