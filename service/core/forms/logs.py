"""What tells a log, the output of a command or a stack trace from other text."""

import re

from service.core.forms.reading import Reading
from service.core.forms.sample import Sample

_LEVEL = r"(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|FATAL|CRITICAL|SEVERE|PANIC|VERBOSE)"
_STAMP = (
    r"\d{4}[-/.]\d\d[-/.]\d\d[T _-]\d\d:?\d\d|\d{1,2}[-/ ][A-Z][a-z]{2}[-/ ]\d{4}[: ]\d\d:\d\d|"
    r"(?:[A-Z][a-z]{2} )?[A-Z][a-z]{2} [ \d]?\d (?:\d{4} )?\d\d:\d\d:\d\d|\d{1,2}/\d{1,2}/\d{2,4},? \d{1,2}:\d\d|"
    r"\d\d-\d\d \d\d:\d\d:\d\d|\d\d:\d\d:\d\d\b|[IWEF]\d{4} \d\d:\d\d:\d\d|\d{6} \d{6} \d|"
    r"1\d{9}(?:\.\d+|\d{3})?[\s:\]|]|"
    r"[ \d]{1,6}\.\d{6}\]"
)
_ENTRY = re.compile(
    rf"(?:[^\s|]{{1,60}} *\| *|(?:[^\s,;\t]{{1,50}}[ \t]+){{0,3}})?[\[(<\"']{{0,2}}(?:{_STAMP})|"
    rf"\W{{0,3}}{_LEVEL}[\]):>| \t-]|"
    r"\[?(?:debug|info|notice|warn|warning|error|fatal|panic)[\]:]|(?:ts|time|level|lvl)=\S"
)
_TRACE = re.compile(
    r"\s+at \S+.*[)\d]$|\s+File \"[^\"]+\", line \d+|Traceback \(most recent call last\)|Caused by: |"
    r"#\d+ +\S+.*[:(]\d+|"
    r"goroutine \d+ \[|\t\S+\.go:\d+|\s+\.\.\. \d+ more|[\w.$]+(?:Error|Exception)\b:? |panic: |thread '.*' panicked"
)
_COMMAND = re.compile(
    r"=+ .* =+$|-{3,} .* -{3,}$|_{3,} .* _{3,}$|PASS\b|FAIL(?:ED|URE)?\b|(?:not )?ok \d|\S+::\S+|E {3,}|"
    r"##\[|::(?:error|group)|"
    r"npm (?:ERR!|WARN|error|warn|notice)|yarn |\$ \S|> Task |> \S+@\S+ |--- (?:FAIL|PASS)|=== RUN|Step \d+/\d+|#\d+ |"
    r"Collecting |Downloading |Requirement already|Installing |Get:\d|Unpacking |Setting up |remote: |"
    r"travis_|\[command\]|"
    r"added \d+ packages|\s*[✓✔✕✗✖×●] |Building |Compiling |warning: |error: |error\[|"
    r"make(?:\[\d+\])?: |\[[ \d]{1,3}%\]|"
    r"\S+\.\w{1,4}:\d+(?::\d+)?: |Exit(?:ed)? (?:code|with)|\d+ (?:passed|failed|passing|failing)|BUILD |collected \d|"
    r"Terraform |Plan: \d+ to |\s*(?:[+~-]|-/\+) (?:resource |data |\S+ += |\})|"
    r"(?:>>>|<<<|!!!) |[a-z]{2,4}: {2,}|\s{3,7}[a-z]{2,4}: "
)


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
        elif _COMMAND.match(line):
            commands += 1
    share = (entries + frames + commands * 0.7) / max(1, len(lines))
    if len(lines) < 3:
        return entries + frames == len(lines) > 0
    strong = (entries >= 5 and share >= 0.2) or (frames >= 2 and share >= 0.15) or seen.colours > 7
    return share >= 0.3 or strong


def read_text(kind: str, text: str) -> Reading:
    """A text that stays a text."""
    return Reading(kind, text, False)
