"""What stands around a payload: a code fence, or a line that announces it."""

import re
from typing import NamedTuple

_FENCE = re.compile(r"^[ \t]{0,3}(```+|~~~+)[ \t]*([\w+#.-]*)[^`\n]*$", re.M)
_ANNOUNCES = re.compile(
    r"(?i)(?:\S+ +){2}[^:]*:|\W{0,4}(?:results?|outputs?|response|answer|data|"
    r"rows|contents?|query results?|stdout|stderr|body|json) ?:"
)
_SYNTAX = re.compile(r"[{}\[\]|=<>\t;]|\S:\S")
_PREAMBLE = 2000  # a longer text before a fence is a document of its own


class Wrap(NamedTuple):
    """A payload and what stands around it."""

    before: str
    body: str
    after: str
    fence: str = ""  # the name the fence gives its content
    fenced: bool = False


def unwrapped(text: str) -> Wrap | None:
    """The payload inside a fence that makes up most of the text, or below a line that announces it."""
    return _fenced(text) or _announced(text)


def _fenced(text: str) -> Wrap | None:
    opening = _FENCE.search(text, 0, _PREAMBLE + 300)
    if opening is None or opening.start() > _PREAMBLE:
        return None
    begin = opening.end() + 1
    end = text.find("\n" + opening[1], begin - 1)
    if end < 0 or (end - begin) * 5 < len(text) * 3:
        return _whole_fence(text, opening)
    rest = text[end + 1 :].lstrip("`~ ").strip()
    if _FENCE.search(rest):
        return _whole_fence(text, opening)
    return Wrap(text[: opening.start()].strip(), text[begin : end + 1], rest, opening[2].lower(), True)


def _whole_fence(text: str, opening: re.Match[str]) -> Wrap | None:
    """A fence around the whole text: fences inside belong to its content."""
    tail = text[-200:].rstrip()
    if text[: opening.start()].strip() or not tail.endswith("\n" + opening[1]):
        return None
    body = text[opening.end() + 1 : text.rindex(opening[1])]
    if text.count("\n" + opening[1]) % 2 == 0 and opening[2] == "" and body.count(opening[1]) == 0:
        return None
    return Wrap("", body, "", opening[2].lower(), True)


def _announced(text: str) -> Wrap | None:
    """The payload below a first line of words that ends with a colon."""
    head = text[:400]
    begin = len(head) - len(head.lstrip())
    end = head.find("\n", begin)
    line = head[begin:end].rstrip()
    if end < 0 or len(line) > 200 or line[-1:] != ":" or _SYNTAX.search(line) or not _ANNOUNCES.fullmatch(line):
        return None
    below = head[end + 1 :].lstrip("\r\n")
    if not below.strip() or (below[0].isspace() and len(line.split()) < 4):  # deeper lines belong to it as to a key
        return None
    return Wrap(line, text[end + 1 :].lstrip("\r\n"), "")
