"""What a log line is about: error, warning, summary, environment, section, frame, pass."""

import re

STRONG = (
    "error", "exception", "fail", "fatal", "panic", "traceback", "critical", "denied", "refused", "abort", "crash",
    "segfault", "could not", "cannot", "can't", "unable to", "emerg", "not found", "timed out", "out of memory", "killed",
    "unexpected", "undefined", "broken", "corrupt", "no such", "does not exist", "✗", "✘", "×", "✖", "❌", "assert",
    "violation", "invalid", "expected", "is offline", "disconnected", "unreachable", "rejected", "unhandled", "uncaught",
)  # fmt: skip  # one word a line would be four screens
WEAK = ("warn", "deprecat", "retry", "retries", "timeout", "slow", "missing", "refused", "skipp", "not ", "exceed", "⚠")
_STRONG = re.compile(
    r"(?i:\berr(?:or|no)?s?\b|exception|fail(?:s|ed|ure|ures|ing)?\b|\bfatal|\bpanic|traceback|\bcritical\b|denied|\babort"
    r"|crash|segfault|could not|can(?:not|'t)\b|unable to|\bemerg|not found|timed out|out of memory|\bkilled|unexpected"
    r"|undefined|corrupt|no such|does not exist|assert|violation|unreachable|rejected|unhandled|uncaught|disconnected"
    r"|is offline|broken|expected\b)|Error\b|[✗✘✖❌]|^\s*E {2,}|\bFAIL"
)
_LEVEL = re.compile(
    r"\b(FATAL|CRITICAL|CRIT|EMERG|ALERT|ERROR|ERR|SEVERE|WARNING|WARN|NOTICE|INFO|DEBUG|TRACE|VERBOSE)\b"
)
_LEVEL_LOW = re.compile(
    r"\[(?:\w+:)?(fatal|critical|crit|emerg|alert|error|err|warning|warn|notice|info|debug|trace)\]|level=\"?(\w+)"
)
_NONE = re.compile(
    r"(?i)\b(?:0|no|without|zero) (?:\w+ )?(?:errors?|fail(?:ed|ures?)|failing|exceptions?|warnings?)"
    r"|(?:errors?|failures?|failed|skipped|warnings?)\"?[=:]? ?0\b|(?:error|fail)\w*[-_.](?:\w+)|[-_/](?:error|fail)\w*|on[-_ ]?error\b|continue-on-\w+"
)
_SUMMARY = re.compile(
    r"(?i)\b\d[\d,]* (?:tests? )?(?:failed|passed|passing|failing|pending|skipped|errors?|warnings?|tests?|items?|examples|suites?|total|completed|succeeded"
    r"|actionable|executed|deleted|added|changed|destroyed|packages|files|bytes (?:sent|received))\b"
    r"|exit(?:ed)?(?: with)?(?: code| status)?:? -?\d+\b|process completed|build (?:fail|succe|success|error|finished|cancel)"
    r"|^total\b|\btotals?:|tests? run|test suites:|\bran \d+|finished (?:in|at|with|:)|(?:elapsed|total|wall|real) ?time|duration:?\s"
    r"|\bsummary\b|\bresults? ?:|^={3,}.*={3,}$|\bdone\. your|^ok\s*\(|^FAILED|coverage"
)
_ENVIRONMENT = re.compile(
    r"(?i)\bversion\b|\bplatform\b|\bruntime\b|operating system|^\s*(?:os|runner|image|node|python|java|jdk|go|rust|ruby|php|npm|maven|gradle|pip|numpy|host(?:name)?)\b[ :=]"
    r"|\b(?:python|java|node|ruby|php|openssl|pytest|nginx|apache|linux|windows|darwin|docker|kernel|jdk|build) ?[v-]?\d+\.\d|listening on|\bos\b.*[:=]"
    r"|starting\b.*\d|\bstarted\b|java_home|pythonlocation"
)
_SECTION = re.compile(
    r"##\[(?:group|section|command)\]|^\s*[=#*\-_]{3,}.*\w.*|^travis_fold:start|^\$ |^\+ |^> Task |^\[command\]|^Step \d+/|^Run |^>>> |^::group"
)
_FRAME = re.compile(
    r"\s*(?:at [\w$.<>/\[\]`]+[ (]|at .+:\d+:\d+|File \"[^\"]*\", line \d|#\d+ |\.{3} \d+ (?:more|common)|goroutine \d+|\t/\S+:\d+|in [\w.]+ \(|from \S+:\d+:in|\d+: 0x)"
)
_PASS = re.compile(
    r"\bPASS(?:ED)?\b|^\s*(?:✓|✔|√|ok\b)|\.\.\. ok$|\bUP-TO-DATE\b|NO-SOURCE|Download(?:ing|ed)\b|Receiving objects|Resolving deltas|Counting objects|Compressing objects"
    r"|Requirement already|^\s*Get:\d|\btook [\d.]+ sec|Testcase:|Unpacking |Setting up |Preparing to|Selecting prev|Collecting |Fetching |\d+%"
)


def level(line: str) -> str:
    """The level that a line names for itself, in capitals, or nothing."""
    head = line[:160]
    hit = _LEVEL.search(head)
    if not hit:
        low = _LEVEL_LOW.search(head)
        word = ((low[1] or low[2]) if low else "").upper()
    else:
        word = hit[1]
    return {"WARNING": "WARN", "ERR": "ERROR", "CRIT": "CRITICAL"}.get(word, word)


def faults(line: str, named: str) -> float:
    """4.5 for an error, 2.3 for a warning, else 1."""
    if named in ("ERROR", "FATAL", "CRITICAL", "SEVERE", "EMERG", "ALERT"):
        return 4.5
    low = line.lower()
    if any(word in low for word in STRONG):
        rest = _NONE.sub(" ", line)
        if _STRONG.search(rest):
            return 4.5 if named not in ("DEBUG", "TRACE", "VERBOSE") else 2.3
    if named == "WARN" or any(word in low for word in WEAK):
        return 2.3 if named in ("", "WARN") else 1.3
    return 1.0


def weight(line: str, named: str) -> tuple[float, bool]:
    """What a line is worth for what it says, and whether it tells of an error."""
    fault = faults(line, named)
    short = line if len(line) < 400 else line[:400]
    if _FRAME.match(short):
        return (0.7 if fault < 4 else 1.2), False
    worth = fault
    if _SUMMARY.search(short):
        worth *= 2.0
    elif fault < 4:
        if _PASS.search(short):
            return worth * 0.3, False
        if _ENVIRONMENT.search(short):
            worth *= 2.0
        elif _SECTION.search(short):
            worth *= 1.3
    return worth, fault > 4


def spot(line: str) -> int:
    """Where in a long line its error stands."""
    hit = _STRONG.search(line)
    return hit.start() if hit else 0
