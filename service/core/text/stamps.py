"""Time stamps in front of log lines: found, compared, and left out where they only repeat."""

import re
from collections import Counter
from collections.abc import Sequence

SAMPLE = 200
NEAR = 120  # characters at the beginning of a line in which its stamp is looked for
OPENING = ("[", "(", "<")
EDGES = (2_000, 20_000)  # characters at both ends of a log in which its first and last stamps are looked for
_DATE = (
    r"\d{4}[-/.]\d\d[-/.]\d\d|\d\d[-/.]\d\d[-/.]\d{4}|\d\d/[A-Z][a-z]{2}/\d{4}|[A-Z][a-z]{2} [ \d]\d|\d\d-\d\d"
    r"|\b\d\d(?:0\d|1[0-2])[0-3]\d"
)
_CLOCK = r"\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d\b)?|[0-2]\d[0-5]\d[0-5]\d\b"
STAMP = re.compile(rf"(?<!\d)({_DATE})([T :]|, )\s?({_CLOCK})")
CLOCK = re.compile(r"\d\d:\d\d:\d\d(?:[.,]\d{1,9})?")
_RUNNER = re.compile(r"^\ufeff?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z ?", re.MULTILINE)
_COLOUR = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()][A-B0-2]|[=>78McDEH])")
_TRAVIS = re.compile(r"^travis_time:\S*\s?", re.MULTILINE)


def without_colours(body: str) -> str:
    """The text without ANSI sequences and the marks of build services."""
    if "\x1b" in body:
        body = _COLOUR.sub("", body)
    return _TRAVIS.sub("", body) if "travis_time:" in body else body


def without_runner_stamps(body: str) -> str:
    """The text without the stamps, to a ten-millionth of a second, that a build runner puts before every line."""
    return _RUNNER.sub("", body) if _RUNNER.match(body) else body


def dated(lines: Sequence[str]) -> int:
    """How many characters in front of most lines are a stamp, or 0."""
    step = max(1, len(lines) // SAMPLE)
    found: Counter[int] = Counter()
    for line in lines[::step]:
        hit = STAMP.match(line) or (STAMP.match(line, 1) if line[:1] in OPENING else None)
        found[hit.end() if hit else 0] += 1
    length, count = max(found.items(), key=lambda item: (item[1], item[0]), default=(0, 0))
    return length if count * 10 >= sum(found.values()) * 4 else 0


def date(line: str) -> int:
    """How many characters in front of a line are the date of its stamp, with what opens it; or 0."""
    hit = STAMP.match(line) or (STAMP.match(line, 1) if line[:1] in OPENING else None)
    return hit.start(3) if hit else 0


def stamp(line: str) -> tuple[str, str]:
    """Date and time of a line, both empty when it has none near its beginning."""
    hit = STAMP.search(line, 0, NEAR)
    if hit:
        return hit[1], hit[3]
    clock = CLOCK.search(line, 0, 60)
    return ("", clock[0]) if clock else ("", "")


def times(first: str, last: str, dated: bool = False) -> str:
    """From the stamp of one line to that of another: with the date where it says more than the time."""
    (date, clock), (end_date, end_clock) = stamp(first), stamp(last)
    if not clock:
        return ""
    if dated and date == end_date:
        return f"{date} {clock}..{end_clock}"
    if date == end_date or not end_clock:
        return clock if clock == end_clock or not end_clock else f"{clock}..{end_clock}"
    return f"{date} {clock}..{end_date} {end_clock}"


def span(text: str) -> str:
    """The first and the last stamp of a whole log."""
    first, last = STAMP.search(text, 0, EDGES[-1]), None
    for edge in EDGES if first else ():
        for hit in STAMP.finditer(text, max(0, len(text) - edge)):
            last = hit
        if last:
            break
    return times(first[0], last[0], True) if first and last else ""
