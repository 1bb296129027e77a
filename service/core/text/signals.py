"""What a log line is about: an error, a warning, a summary, the environment, a section, a frame, a success."""

import re

STRONG = (
    *"error err: exception fail fatal panic traceback critical denied refused abort crash segfault cannot can't emerg"
    " killed unexpected undefined broken corrupt assert violation unreachable rejected unhandled uncaught disconnected"
    " offline invalid errno ✗ ✘ ✖ ❌".split(),
    "could not",
    "unable to",
    "not found",
    "timed out",
    "out of memory",
    "no such",
    "does not exist",
    "e  ",
)
WEAK = ("warn", "deprecat", "retry", "retries", "timeout", "slow", "missing", "skipp", "not ", "exceed", "⚠")
_STRONG = re.compile(
    r"(?i:\berr(?:or|no)?s?\b|exception\b|\bfail(?:s|ed|ure|ures|ing)?\b|\bfatal\b|\bpanic(?:ked)?\b|\bcritical\b"
    r"|\bdenied|\brefused|\babort(?:ed|ing|s)?\b|\bcrash(?:ed|es|ing)?\b|segfault|could not|\bcan(?:not|'t)\b"
    r"|unable to|\bemerg\b|not found|timed out|out of memory|\bkilled|\bunexpected|\bundefined|\bcorrupt|\bno such|does not exist"
    r"|\bassert|violation|unreachable|\brejected|unhandled|uncaught|disconnected|is offline|\bbroken\b|\binvalid\b"
    r"|\berrno\b)|[a-z](?:Error|Exception|Failure)\b|[✗✘✖❌]|^E {2,}|\bFAIL"
)
_LEVEL = re.compile(
    r"\b(FATAL|CRITICAL|CRIT|EMERG|ALERT|ERROR|ERR|SEVERE|WARNING|WARN|NOTICE|INFO|DEBUG|TRACE|VERBOSE)\b"
    r"|[\[<=\"](?:\w+:)?(fatal|critical|crit|emerg|alert|error|err|warning|warn|notice|info|debug|trace)[\]>\"]"
    r"|\blevel[=:]\s?\"?([a-z]+)"
)
_SAME = {"WARNING": "WARN", "ERR": "ERROR", "CRIT": "CRITICAL", "VERBOSE": "TRACE"}
_LEVELS = frozenset("FATAL CRITICAL EMERG ALERT ERROR SEVERE WARN NOTICE INFO DEBUG TRACE".split())
_SERIOUS = frozenset("ERROR FATAL CRITICAL SEVERE EMERG ALERT".split())
_NONE = re.compile(
    r"(?i)\b(?:0|no|without|zero) (?:\w+ )?(?:errors?|fail(?:ed|ures?|ing)?|exceptions?|warnings?)\b"
    r"|\b(?:errors?|failures?|failed|skipped|warnings?)\"?[=:] ?\"?(?:0|null|none|false)\b"
    r"|[-_/.](?:error|fail|crash)\w*|\b(?:error|fail|crash)\w*[-_/](?=\w)|\bon[-_ ]?error\b"
)
_SUMMARY = re.compile(
    r"(?i)\b\d[\d,]* (?:tests? )?(?:failed|passed|passing|failing|pending|skipped|errors?|warnings?|tests?|items?"
    r"|examples|suites?|total|completed|succeeded|actionable|executed|deleted|added|changed|destroyed|packages|files"
    r"|bytes (?:sent|received))\b"
    r"|exit(?:ed|ing|s)?(?: with)?(?: error)?(?: code| status)?:? -?\d+\b|process completed"
    r"|build (?:fail|succe|success|error|finished|cancel)|^total\b|\btotals?:|tests? run|test suites:|\bran \d+"
    r"|finished (?:in|at|with|:)|(?:elapsed|total|wall|real|build) ?time|^\W{0,4}(?:duration|time):?\s"
    r"|\bsummary\b|\bresults? ?:|\bdone\. your|^ok\s*\(|^FAILED|\bcoverage:|^TOTAL\b"
)
_RULED = re.compile(r"^={3,}.*\w.*={3,}$")
_ENVIRONMENT = re.compile(
    r"(?i)\bversion\b|^\W*platform\b|\bruntime\b|operating system"
    r"|^\s*(?:os|runner|image|node|python|java|jdk|go|rust|ruby|php|npm|maven|gradle|pip|host(?:name)?)\b ?[:=]"
    r"|\b(?:python|java|node|ruby|php|openssl|pytest|nginx|apache|linux|windows|darwin|docker|kernel|jdk|build|numpy)"
    r"[ /-]?v?\d+\.\d|listening on|\bos[ :=].*\d|java_home|pythonlocation|^\s*\w+[ _]version\b|server start"
)
_NOTABLE = re.compile(
    r"\bCOMMAND=|\bAccepted |\bnew (?:user|group|session|connection)\b|(?i:\b(?:re(?:start|boot|load)|shut(?:ting)? ?down|roll(?:ing)? ?back"
    r"|terminat|promot|elect|failover|leader|migrat|deploy|upgrad|evict|throttl|expired?\b|scal(?:ed|ing)))"
)
_SECTION = re.compile(
    r"##\[(?:group|section|command)\]|^\s*[=#*\-_>]{3,}.*\w|^travis_fold:start|^\$ |^\+ |^> Task |^\[command\]"
    r"|^Step \d+/|^Run |^::group"
)
_FRAME = re.compile(
    r"\s*(?:at [\w$.<>/\[\]`]+[ (]|at .+:\d+:\d+|File \"[^\"]*\", line \d|#\d+ |\.{3} \d+ (?:more|common)|goroutine \d"
    r"|\t/\S+:\d+|in [\w.]+ \(|from \S+:\d+:in|\d+: 0x|\[stacktrace\]|Traceback \(most recent)"
)
_PASS = re.compile(
    r"\bPASS(?:ED)?\b|^\s*(?:✓|✔|√|ok\b)|\.\.\. ok$|\bUP-TO-DATE\b|NO-SOURCE|Download(?:ing|ed)\b"
    r"|(?:Receiving|Counting|Compressing) objects|Resolving deltas|Requirement already|^\s*Get:\d|\btook [\d.]+ sec"
    r"|Testcase:|Unpacking |Setting up |Preparing to|Selecting prev|Collecting |Fetching |\b\d+% "
)
_WELL = re.compile(r"\s*(?:[✓✔√]|ok \d|PASS\b|.*\bPASSED\b|.*\.\.\. ok$)")


def level(line: str) -> str:
    """The level that a line names for itself, in capitals, or nothing."""
    hit = _LEVEL.search(line, 0, 160)
    word = (hit[1] or hit[2] or hit[3] or "").upper() if hit else ""
    word = _SAME.get(word, word)
    return word if word in _LEVELS else ""


def _fault(line: str, named: str) -> float:
    """4.5 for an error, 2.3 for a warning, else 1."""
    if named in _SERIOUS:
        return 4.5
    low = line.lower()
    if any(word in low for word in STRONG) and _STRONG.search(_NONE.sub(" ", line)):
        return 2.3 if named in ("DEBUG", "TRACE") else 4.5
    weak = named == "WARN" or (named == "" and any(word in low for word in WEAK))
    return 2.3 if weak else 1.0


def weight(line: str, named: str) -> tuple[float, bool]:
    """What a line is worth for what it says, and whether it tells of an error."""
    short = line[:400]
    if _WELL.match(short):
        return 0.3, False
    fault = _fault(short, named)
    if _FRAME.match(short):
        return 0.7, False
    if _SUMMARY.search(short):
        return fault * (2.0 if fault < 4 else 1.6), fault > 4
    if fault > 4:
        return fault, True
    if _PASS.search(short):
        return fault * 0.3, False
    if _ENVIRONMENT.search(short):
        return fault * 2.0, False
    if _NOTABLE.search(short):
        return fault * 1.5, False
    return fault * (1.3 if _SECTION.search(short) or _RULED.match(short) else 1.0), False


def spot(line: str) -> int:
    """Where in a long line its error stands."""
    hit = _STRONG.search(line)
    return hit.start() if hit else 0
