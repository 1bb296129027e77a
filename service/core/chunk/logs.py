"""Logs: entries with their stack traces, and the groups of CI logs."""

from service.core.chunk.entries import entries, starts
from service.core.chunk.marks import Level, Marks, Rank, finer, indented, listed

GROUPS = (b"##[group]", b"::group::", b"travis_fold:start", b"section_start:", b"[Pipeline] {")
HEAD = 65_536  # a log that has groups has one here


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
    how = entries(text)
    whole: Level = (Rank("entry", 0.5, starts(text, how)),)
    if groups := _groups(text):
        whole = (Rank("entry", 0.75, listed(groups)), *whole)
    outermost, latest = indented(text, how.parts)
    inside: Level = (Rank("line", 0.5, outermost), Rank("line", 0.0, latest))
    return Marks((whole, inside, *finer(text)))
