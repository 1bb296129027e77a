"""A bounded look at a text of any size: its ends, and lines from its head, its middle and its tail."""

import re
from dataclasses import dataclass

WHOLE = 64 * 1024  # texts up to this size are looked at whole
SMALL = 16 * 1024  # texts up to this size are read to know their kind
_HEAD, _PART = 16 * 1024, 6 * 1024
_LINES, _WIDTH = 400, 400
_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@dataclass(frozen=True, slots=True)
class Sample:
    """What the sniffers see. `text` is the whole text only when `whole` is true."""

    full: str  # the text itself, to be looked at in places only
    text: str
    whole: bool
    first: str  # the first and the last character that is not a space
    last: str
    lines: tuple[str, ...]  # not blank, cut to a width, ANSI colours removed
    colours: int  # how many ANSI escapes the head has


def sample(text: str) -> Sample:
    """Look at a text: everything when it is small, else about 30 KB of it."""
    whole = len(text) <= WHOLE
    head = text[:WHOLE] if whole else text[:_HEAD]
    tail = "" if whole else text[-_PART:]
    middle = "" if whole else text[len(text) // 2 : len(text) // 2 + _PART]
    top = _lines(head if whole else head[: head.rfind("\n") + 1] or head, _LINES)
    rest = _lines(middle, 60)[1:-1] + _lines(tail, 60)[1:]  # parts begin and end inside a line
    stripped, ending = head.lstrip("\ufeff \t\r\n"), (tail or head).rstrip()
    return Sample(
        text, text if whole else head, whole, stripped[:1], ending[-1:], tuple(top + rest), head.count("\x1b[")
    )


def _lines(part: str, most: int) -> list[str]:
    found = []
    for line in part.split("\n", most * 2)[: most * 2]:
        line = line.rstrip("\r")[:_WIDTH]
        line = _ANSI.sub("", line) if "\x1b" in line else line
        if line and not line.isspace():
            found.append(line)
    return found[:most]
