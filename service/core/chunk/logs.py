"""Logs: entries with their stack traces, and the groups of CI logs."""

from re import compile as regex

from service.core.chunk.entries import entries, starts
from service.core.chunk.marks import Level, Marks, Rank, finer, listed, nearby

GROUPS = (b"##[group]", b"::group::", b"travis_fold:start", b"section_start:", b"[Pipeline] {")
HEAD = 65_536  # a log that has groups has one here
PART = regex(rb"\n(?=[^\s#.)}\]](?!t ))")  # within an entry: a line that is neither indented nor a frame


def _groups(text: bytes) -> list[int]:
    """Where the lines start that begin a group."""
    found, head = [], text[:HEAD]
    for group in GROUPS:
        at = text.find(group) if group in head else -1
        while at >= 0:
            start = text.rfind(b"\n", 0, at) + 1
            if at - start <= 60:
                found.append(start)
            at = text.find(group, at + 1)
    return sorted(found)


def marks(text: bytes) -> Marks:
    """Groups where a CI log has them, then entries; within one that is too long, its parts."""
    whole: Level = (Rank("entry", 0.5, starts(text, entries(text))),)
    if groups := _groups(text):
        whole = (Rank("entry", 0.75, listed(groups)), *whole)
    return Marks((whole, (Rank("line", 0.3, nearby(text, PART)),), *finer(text)))
