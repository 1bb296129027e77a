"""What stands around a payload: a code fence, or a line that announces it."""

import re
from typing import NamedTuple

_FENCE = re.compile(r"^[ \t]{0,3}(```+|~~~+)[ \t]*([\w+#.-]*)[^`\n]*$", re.M)
_ANNOUNCES = re.compile(
    r"[^\S\n]*(?=[^\n]*\w)[^\n{}\[\]|=<>\t;]{2,200}:[ \t]*\r?\n(?:[ \t]*\r?\n)?(?=[^\s-]|- )", re.A | re.M
)
_WORDS = re.compile(
    r"(?i)\W*(?:\S+\s+){2,}|\W*(?:results?|outputs?|response|answer|data|rows|contents?|query results?|std(?:out|err)|body|json)\s*:"
)
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
    found = _ANNOUNCES.match(text)
    if found is None or not _WORDS.match(found.group()):
        return None
    return Wrap(found.group().strip(), text[found.end() :], "")
