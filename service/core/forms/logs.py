"""What tells a log, the output of a command or a stack trace from other text."""

import re
from collections import Counter

from service.core.forms.reading import Reading
from service.core.forms.sample import Sample
from service.core.forms.tools import is_output

_LEVEL = r"(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|FATAL|CRITICAL|SEVERE|PANIC|VERBOSE)"
_STAMP = (
    r"\d{4}[-/.]\d\d[-/.]\d\d[T _-]\d\d:?\d\d|\d{1,2}[-/ ][A-Z][a-z]{2}[-/ ]\d{4}[: ]\d\d:\d\d|"
    r"(?:[A-Z][a-z]{2} )?[A-Z][a-z]{2} [ \d]?\d (?:\d{4} )?\d\d:\d\d:\d\d|\d{1,2}/\d{1,2}/\d{2,4},? \d{1,2}:\d\d|"
    r"\d\d-\d\d \d\d:\d\d:\d\d|\d\d:\d\d:\d\d\b|\d{8}-\d\d:\d\d:\d\d|[IWEF]\d{4} \d\d:\d\d:\d\d|\d{6} \d{6} \d|"
    r"1\d{9}(?:\.\d+|\d{3})?[\s:\]|]|"
    r"[ \d]{1,6}\.\d{6}\]"
)
_ENTRY = re.compile(
    rf"(?:[^\s|]{{1,60}} *\| *|[A-Z], |(?:[^\s,;\t]{{1,50}}[ \t]+){{0,3}})?[\[(<\"']{{0,2}}(?:{_STAMP})|"
    rf"\W{{0,3}}{_LEVEL}[\]):>| \t-]|"
    r"\[?(?:debug|info|notice|warn|warning|error|fatal|panic)[\]:]|(?:ts|time|level|lvl)=\S"
)
_TRACE = re.compile(
    r"\s+at \S+.*[)\d]$|\s+File \"[^\"]+\", line \d+|Traceback \(most recent call last\)|Caused by: |"
    r"#\d+ +\S+.*[:(]\d+|"
    r"goroutine \d+ \[|\t\S+\.go:\d+|\s+\.\.\. \d+ more|[\w.$]+(?:Error|Exception)\b:? |panic: |thread '.*' panicked|"
    r"\S+\.\w{1,5}(?::\d+(?::\d+)?|\(\d+(?:,\d+)?\)): (?:fatal )?(?:error|warning)\b"
)
_VALUE = re.compile(r"[^\s,;()\[\]{}<>\"'|=]*[\d/\\][^\s,;()\[\]{}<>\"'|=]*|\"[^\"]*\"|'[^']*'")
_WORDS = re.compile(
    r"[A-Za-z]{2,}\b[^A-Za-z]+(?:[A-Za-z]{2,}\b.*#|.*#.*[A-Za-z]{2,}\b)|#.*[A-Za-z]{2,}\b.*[A-Za-z]{2,}\b"
)
_ENDING = re.compile(r"[;,{}\[(|:]\s*$")
ALIKE, MOST = 3, 0.5  # lines that say the same are that many, and they are most of the text


def is_entry(line: str) -> bool:
    """Whether a line begins like an entry of a log: with a time or a level."""
    return _ENTRY.match(line[:160]) is not None


def looks_log(seen: Sample) -> bool:
    """Whether many lines are log entries, frames of a stack trace, or what tools print while they work."""
    lines = seen.lines[::2] if len(seen.lines) > 240 else seen.lines
    entries = frames = commands = 0
    for line in lines:
        line = line[:160]
        if _ENTRY.match(line):
            entries += 1
        elif _TRACE.match(line):
            frames += 1
        elif is_output(line):
            commands += 1
    share = (entries + frames + commands * 0.7) / max(1, len(lines))
    if len(lines) < 3:
        return entries + frames == len(lines) > 0
    strong = (entries >= 5 and share >= 0.2) or (frames >= 2 and share >= 0.15) or seen.colours > 7
    return share >= 0.3 or strong


def looks_repetitive(seen: Sample) -> bool:
    """Whether most lines say the same words about other numbers, names and paths, as only a program does."""
    masked = [_VALUE.sub("#", line[:160]).strip() for line in seen.lines]
    counts = Counter(line for line in masked if _WORDS.match(line) and not _ENDING.search(line))
    told = sum(count for count in counts.values() if count >= ALIKE)
    return len(masked) >= 2 * ALIKE and told >= MOST * len(masked)


def read_text(kind: str, text: str) -> Reading:
    """A text that stays a text."""
    return Reading(kind, text, False)
