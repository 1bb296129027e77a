"""Long lines in pieces: sentences, and where there are none, words or characters."""

import re
from collections.abc import Iterator

LONG = 360  # characters: a longer line falls into sentences
SHORT = 40  # a shorter sentence goes with the next one
PIECE = 400  # a sentence is no longer than this
_END = re.compile(
    r"""[.!?]["')\]*_`]*\s+(?=["'(\[*_`]*[^\sa-z])"""  # a full stop, then something that is not in lower case
    r"""|[。！？．；।][」』）”’"'*]*\s*"""
)
_ABBREVIATION = re.compile(
    r"(?:\b(?:[A-Z]|Dr|Mr|Mrs|Ms|Prof|St|vs|etc|e\.g|i\.e|cf|No|Fig|Sec|approx|bzw|z\.B|d\.h|u\.a|Nr|ca|Abs)|^\s*\d+)\.\s*$"
)


def sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The sentences of text[start:end] as spans that join to all of it."""
    at = start
    for hit in _END.finditer(text, start, end):
        if (
            hit.end() - at < SHORT
            or hit.end() >= end
            or _ABBREVIATION.search(text, max(at, hit.start() - 8), hit.start() + 2)
        ):
            continue
        yield from _cut(text, at, hit.end())
        at = hit.end()
    yield from _cut(text, at, end)


def _cut(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Even pieces of at most PIECE characters, at a space where there is one."""
    for left in range(-(-(end - start) // PIECE), 1, -1):
        most = -(-(end - start) // left)
        space = max(text.rfind(sign, start + most // 2, start + most) for sign in " ,;，、>")
        at = space + 1 if space >= 0 else start + most
        yield start, at
        start = at
    if end > start:
        yield start, end
