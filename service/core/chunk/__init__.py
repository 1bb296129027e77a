"""Long texts in pieces a person would have chosen: `chunk(text, kind, limits)`.

ONE table names the boundaries of every kind (the modules beside this one find them), ONE algorithm packs (`pack.py`).
"""

from collections.abc import Callable
from dataclasses import dataclass

from service.core.chunk import code, documents, jsons, logs, prose, tables
from service.core.chunk.limits import Limits, Reach
from service.core.chunk.marks import Marks
from service.core.chunk.pack import pack
from service.core.lines import line_ends

__all__ = ["KINDS", "Cut", "Limits", "chunk"]

KINDS: dict[str, Callable[[bytes], Marks]] = {
    "log": logs.marks,
    "markdown": documents.markdown,
    "rst": documents.rst,
    "html": documents.html,
    "code": code.marks,
    "csv": tables.records,
    "tsv": tables.records,
    "diff": tables.diff,
    "json": jsons.json,
    "jsonl": tables.json_lines,
    "repr": jsons.repr_,
    "prose": prose.marks,
}


@dataclass(frozen=True, slots=True)
class Cut:
    """One chunk: its bytes, its lines (from 1, inclusive; a line that is split counts in both), how it ended."""

    start: int
    end: int
    start_line: int
    end_line: int
    boundary: str
    heading: str = ""


def chunk(text: bytes, kind: str, limits: Limits) -> list[Cut]:
    """Cut a UTF-8 text of a kind into chunks; joined they are the text, and there is at least one."""
    reach = Reach(text, limits)
    marks = KINDS.get(kind, prose.marks)(text)
    if reach.whole:
        return [_cut(text, marks, 0, len(text), 1, "end")]
    cuts: list[Cut] = []
    start, line = 0, 1
    for close in pack(reach, marks):
        cuts.append(_cut(text, marks, start, close.end, line, close.boundary))
        line += line_ends(text, start, close.end)
        start = close.end
    return cuts


def _cut(text: bytes, marks: Marks, start: int, end: int, line: int, boundary: str) -> Cut:
    behind = line + line_ends(text, start, end)
    ended = text[end - 1 : end] == b"\n" or (text[end - 1 : end] == b"\r" and text[end : end + 1] != b"\n")
    return Cut(start, end, line, max(behind - ended, line), boundary, marks.heading(start, end))
