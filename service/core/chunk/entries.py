"""Where the entries of a log begin.

It is learnt from a sample of the log. When a good share of the lines carries a time stamp, a level or is JSON, those
lines begin entries and all others belong to the entry before them. When (nearly) all lines do, because a CI system or a
container runtime stamped every line of the output, or when none do, what is behind the stamp decides: indented lines,
frames, causes and other tails of stack traces (Python, Java, Node, Go, .NET, PHP) belong to what they follow.
"""

from collections.abc import Callable
from re import IGNORECASE, VERBOSE, Pattern, compile as regex
from typing import NamedTuple

from service.core.chunk.marks import Last, lines

ANSI = rb"(?:\x1b\[[0-9;?]*[A-Za-z])*"
_STAMP = (
    ANSI
    + rb"""(?:<\d{1,3}>\d?[ ]?)?                                      # syslog priority
    (?:[\[(]?\d{4}[-/.]\d\d[-/.]\d\d(?:[T ,_-]+\d\d?:\d\d|\b)              # 2024-05-01T10:00:00, w3c, kafka
    |[\[(]?\d\d?[-/.](?:\d\d?|[A-Z][a-z]{2})[-/.]\d{2,4}[ T:,-]+\d\d?:\d\d # 01/05/2024 10:00, 01/May/2024:10:00
    |\[?(?:[A-Z][a-z]{2}[ ])?[A-Z][a-z]{2}[ ]{1,2}\d\d?[ ,]+(?:\d{4}[ ])?\d\d:\d\d   # syslog, apache error
    |\d\d-\d\d[ ]\d\d:\d\d:\d\d\.\d                                        # android
    |\[\d\d\.\d\d[ ]\d\d:\d\d:\d\d\]                                       # proxifier
    |\d{8}[- ]\d\d:\d\d:\d\d|\d{6}[ ]\d{6}[ ]                              # health apps, hadoop file system
    |[IWEFD]\d{4}[ ]\d\d:\d\d:\d\d                                         # glog, klog
    |[\[(]?\d\d:\d\d:\d\d\b                                                # a time alone
    |[\[(]?1\d{9}(?:\d{3}|\.\d+)?[\])]?[ ,:|\t]|-[ ]1\d{9}[ ]              # epoch, supercomputers
    |\[[ ]*\d+\.\d{6}\][ ]                                                 # kernel
    |[\w.:-]{1,99}[ ]\S{1,99}[ ]\S{1,99}[ ]\[\d\d?/[A-Z][a-z]{2}/\d{4}:                   # apache access
    |\S{1,99}[ ]\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d                               # a file or host, then a stamp
    |(?:ts|time|timestamp|t|level|lvl|severity)="?\w                       # logfmt
    |[\[(]?(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL|SEVERE|trace|debug|info|warn|error|fatal)
        (?:[\])][ :]|:[\w.]+:|[ ]+[\[(]?\d{2,4}[-/:]|[ ]*\|)              # a level first
    |\{"|\{[ ]*"\w+":                                                      # JSON lines
    )"""
)
# what stamps every line of the output of something else: GitHub, docker, cri, compose, kubectl --prefix
_PREFIX = (
    ANSI + rb"(?:\xef\xbb\xbf)?(?:[\w.-]{1,99} +\| ?|\[[\w./-]{1,99}\] )?"
    rb"(?:\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6,9}(?:Z|[+-]\d\d:\d\d)(?: std(?:out|err) [FP])?"
    rb"(?: |(?=[\r\n]|\Z))|(?<=[\]|] ))" + ANSI
)
STAMP = regex(_STAMP, VERBOSE)
PREFIX = regex(_PREFIX)
BLANK = regex(rb"(?:\x1b\[[0-9;?]*[A-Za-z]|[ \t])*+(?:[\r\n]|\Z)")
TAIL = regex(
    rb"""[ \t]                                                             # whatever is indented
    |Caused[ ]by:|Suppressed:|\.\.\.[ ]\d+[ ](?:more|common)|at[ ][\w.$<>]+\(|---[ ]End[ ]of|--->|[ ]*\^+[ ]*[\r\n]
    |\#\d+[ ]|\[stacktrace\]|\[previous[ ]exception\]|Stack[ ]trace:|"\}|[\]})]+[;,]?[ ]*(?:[\r\n]|\Z)
    |goroutine[ ]\d+[ ]\[|created[ ]by[ ]|\[signal[ ]SIG|exit[ ]status[ ]\d|runtime[ ]stack:
    |Node\.js[ ]v\d|note:[ ]run[ ]with
    |During[ ]handling[ ]of[ ]the[ ]above|The[ ]above[ ]exception[ ]was""",
    VERBOSE,
)
RAISED = regex(
    rb"[\w$.\\/<>]{0,120}(?:Error|Exception|Interrupt|Exit|Warning|Failure|Iteration)\b(?:[: \[(\r\n]|\Z)|panic: "
)
TRACE = regex(rb"Traceback \(most recent call last\)|Exception in thread|(?:PHP )?(?:Fatal error|Uncaught |Unhandled )")
TROUBLE = regex(rb"error|exception|fail|fatal|critical|severe|crash|unhandled|panic|above exception|WARN", IGNORECASE)
GO_CALL = regex(rb"[\w./*()-]{1,200}\([^\r\n]{0,500}\)\r?\n(?:\S{20,40} )?[ \t]+/?[^\r\n:]{1,300}\.(?:go|s|c):\d")
SAMPLE = 8_192
STAMPED, RARE, TAILS, PREFIXED = 0.3, 0.04, 0.4, 0.9  # shares of the lines that are not blank
NEAR = 1024  # how far back from the end of a window entries are looked for at first
AHEAD = 300  # bytes behind the window that show whether its last line begins an entry

Opens = Callable[[int], bool]


class Entries(NamedTuple):
    """How entries begin in a log: the lines that can, which of them do (all, when None), and the parts of an entry."""

    candidates: Pattern[bytes]
    check: Opens | None
    opens: Opens  # whether the line that starts here begins an entry
    parts: Pattern[bytes]  # lines within an entry that begin something, and their indentation


STAMPED_LINE = regex(rb"\n(?=" + _STAMP + rb")", VERBOSE)
PREFIXED_LINE = regex(rb"\n(?=" + _PREFIX + rb"[^\s])")
FULL_LINE = regex(rb"\n(?=[^\s])")
_PART = rb"([ \t]*(?:\[[\w.-]+\][ \t]*)?)(?![\s#^|>})\]]|at |File \"|\.\.\. |Caused by|Suppressed|---|\d+ +\|)"
PART = regex(rb"\n" + _PART)
PREFIXED_PART = regex(rb"\n" + _PREFIX + _PART)
CR_LINE = regex(rb"\r(?=[^\s])")


def entries(text: bytes) -> Entries:
    """How entries begin in this log."""
    seen = [line for line in _sampled(text) if not BLANK.match(line)]
    most = max(len(seen), 1)
    if sum(PREFIX.match(line) is not None for line in seen) > PREFIXED * most:
        opens = _by_content(text, lambda start: match.end() if (match := PREFIX.match(text, start)) else start)
        return Entries(PREFIXED_LINE, opens, opens, PREFIXED_PART)
    if _stamped(seen) and b"\n" in text:
        return Entries(STAMPED_LINE, None, lambda start: STAMP.match(text, start) is not None, PART)
    opens = _by_content(text, lambda start: start)
    return Entries(FULL_LINE if b"\n" in text else CR_LINE, opens, opens, PART)


def _stamped(seen: list[bytes]) -> bool:
    """Whether stamps tell entries: many lines have one, or most of those that have none are tails of something."""
    bare = [line for line in seen if not STAMP.match(line)]
    stamps = len(seen) - len(bare)
    if stamps >= STAMPED * max(len(seen), 1):
        return stamps > 0
    return stamps >= max(RARE * len(seen), 1) and sum(TAIL.match(line) is not None for line in bare) >= TAILS * len(
        bare
    )


def _sampled(text: bytes) -> list[bytes]:
    """Whole lines from the head, the middle and the tail."""
    found: list[bytes] = []
    for start in sorted({0, max(len(text) // 2 - SAMPLE // 2, 0), max(len(text) - SAMPLE, 0)}):
        part = text[start : start + SAMPLE].splitlines()
        found += part[bool(start) :] if start else part
    return found


def _by_content(text: bytes, content: Callable[[int], int]) -> Opens:
    """An entry begins at a line that is neither the tail of a stack trace nor the trace of the error before it."""
    before = lines(text)

    def previous(start: int) -> int:
        line = before(max(start - 20_000, 0), start - 1)
        return max(line, 0) if line < start else start

    def indented(start: int) -> bool:
        return text[content(start) : content(start) + 1] in (b" ", b"\t")

    def continues(start: int) -> bool:
        body = content(start)
        if BLANK.match(text, body) or TAIL.match(text, body):
            return True
        head = TRACE.match(text, body)
        if not head and not RAISED.match(text, body):
            return GO_CALL.match(text, body) is not None
        if not start:
            return False
        above = previous(start)
        if not head and indented(above):
            return True  # the last line of a trace
        while above and BLANK.match(text, content(above)):
            above = previous(above)
        troubled = TROUBLE.search(text, content(above), min(start, content(above) + 300)) is not None
        return troubled and not (above and indented(previous(above)))

    return lambda start: not continues(start)


def starts(text: bytes, how: Entries) -> Last:
    """Starts of entries, looked for backwards from the end of the window."""

    def within(low: int, high: int) -> int:
        found = [match.end() for match in how.candidates.finditer(text, low, min(high + AHEAD, len(text)))]
        for start in reversed(found):
            if low < start <= high and (how.check is None or how.check(start)):
                return start
        return low

    clear = (0, 0)  # nothing begins between these: levels and ranks ask for the same window more than once

    def last(low: int, high: int) -> int:
        nonlocal clear
        top = clear[0] if high == clear[1] else high
        near = top - NEAR
        if near > low and (start := within(near, top)) > near:
            return start
        start = within(low, min(near, top) if near > low else top) if top > low else low
        if start == low:
            clear = (min(low, top), high)
        return start

    return last
