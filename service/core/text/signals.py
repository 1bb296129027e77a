"""What a log line is about: an error, a warning, a summary, the environment, a section, a frame, a success.

Regular expressions decide, but each is asked only about lines that hold one of its words: most lines hold none.
"""

import re

STRONG, WEAK, SUMMARY, ENVIRONMENT, NOTABLE, PASS, LEVEL = (1 << n for n in range(7))
_WORDS = {
    STRONG: "error errors err errno exception exceptions fail fails failed failure failures failing fatal panic"
    " panicked critical denied refused abort aborted aborting aborts crash crashed crashes crashing segfault"
    " could cannot can unable emerg found timed killed unexpected undefined corrupt corrupted such exist"
    " assert asserted assertion violation unreachable rejected unhandled uncaught disconnected offline broken"
    " invalid memory e",
    WEAK: "warn warning warnings warned deprecated deprecation retry retrying retries timeout slow missing skipping"
    " skipped exceeds exceeded ignored lost dropped",
    SUMMARY: "failed passed passing failing pending skipped error errors warning warnings test tests item items"
    " examples suite suites total totals completed succeeded actionable executed deleted added changed"
    " destroyed packages files bytes exit exits exited exiting process build run ran finished time elapsed"
    " duration summary result results done ok coverage",
    ENVIRONMENT: "version platform runtime operating os runner image node python java jdk go rust ruby php npm maven"
    " gradle pip host hostname openssl pytest nginx apache linux windows darwin docker kernel build numpy"
    " listening java_home pythonlocation home server",
    NOTABLE: "command accepted new restart restarted restarting reboot reload reloading reloaded shutdown shutting"
    " shut rolling rollback terminated terminating terminate promoted elected election failover leader migrate"
    " migrated migration migrating deploy deployed deployment upgrade upgraded upgrading evicted evicting"
    " throttled throttling expired scaled scaling",
    PASS: "pass passed ok date source downloading downloaded download receiving counting compressing resolving"
    " requirement get took testcase unpacking setting preparing selecting collecting fetching fetched progress"
    " compiling building installing linking checking copying"
    " generating processing adding creating",
    LEVEL: "fatal critical crit emerg alert error err severe warning warn notice info debug trace verbose level",
}
_GATES: dict[bytes, int] = {}
for _class, _words in _WORDS.items():
    for _word in _words.split():
        _GATES[_word.encode()] = _GATES.get(_word.encode(), 0) | _class
_NAMES = frozenset(_GATES)
_LETTERS = bytes(n if 97 <= n <= 122 or n in b"\n_" else n + 32 if 65 <= n <= 90 else 32 for n in range(256))
_SIGNS = frozenset("✗✘✖❌×✓✔√⚠")
_STRONG = re.compile(  # these four look at lines in lower case: ignoring case is slow
    r"\b(?:err(?:or|no)?s?\b|fail(?:s|ed|ures?|ing)?\b|fatal\b|panic(?:ked)?\b|critical\b|denied|refused|killed"
    r"|abort(?:ed|ing|s)?\b|crash(?:ed|es|ing)?\b|segfault|could not|can(?:not|'t)\b|unable to|emerg\b|not found"
    r"|timed out|out of memory|unexpected|undefined|corrupt|no such|does not exist|assert|unreachable|rejected"
    r"|unhandled|uncaught|disconnected|is offline|broken\b|invalid\b|violation)|exceptions?\b|violation"
)
_CAMEL = re.compile(r"[a-z](?:Error|Exception|Failure)\b|[✗✘✖❌]|^E {2,}|\bFAIL")
_LEVEL = re.compile(
    r"\b(FATAL|CRITICAL|CRIT|EMERG|ALERT|ERROR|ERR|SEVERE|WARNING|WARN|NOTICE|INFO|DEBUG|TRACE|VERBOSE)\b"
    r"|[\[<=\"](?:\w+:)?(fatal|critical|crit|emerg|alert|error|err|warning|warn|notice|info|debug|trace) {0,3}[\]>\"]"
    r"|\b(Notice|Warning|Error|Fatal|Critical|Deprecated)(?: error)?:"
    r"|\blevel[=:]\s?\"?([a-z]+|[1-6]0\b)"
    r"|:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)? (fatal|critical|alert|error|err|warning|warn|notice|info|debug|trace) "
)
_LETTER = re.compile(r"([IWEF])\d{4} \d\d:|\d[\d-]+ [\d:.]+ +\d+ +\d+ ([VDIWEF]) ")  # glog, logcat
_LETTERED_LEVELS = {"V": "TRACE", "D": "DEBUG", "I": "INFO", "W": "WARN", "E": "ERROR", "F": "FATAL"}
_NUMBERED = {"10": "TRACE", "20": "DEBUG", "30": "INFO", "40": "WARN", "50": "ERROR", "60": "FATAL"}  # pino, bunyan
_SAME = _NUMBERED | {"DEPRECATED": "WARN", "WARNING": "WARN", "ERR": "ERROR", "CRIT": "CRITICAL", "VERBOSE": "TRACE"}
_LEVELS = frozenset("FATAL CRITICAL EMERG ALERT ERROR SEVERE WARN NOTICE INFO DEBUG TRACE".split())
_SERIOUS = frozenset("ERROR FATAL CRITICAL SEVERE EMERG ALERT".split())
_NONE = re.compile(
    r"(?i)\b(?:0|no|without|zero) (?:\w+ )?(?:errors?|fail(?:ed|ures?|ing)?|exceptions?|warnings?)\b"
    r"|\b(?:errors?|failures?|failed|skipped|warnings?)\"?[=:] ?\"?(?:0|null|none|false)\b"
    r"|[-_/.](?:error|fail|crash)\w*|\b(?:err|error|fail|crash|exception|assert|abort)\w*[-_/@](?=\w)|\bon[-_ ]?error\b"
    r"|(?<=\w)[-_](?:err|exception|assert|abort|invalid|fatal|undefined)\w*|(?<![^\s\"'(=,\[])[\w.@~:+-]*/[\w./@~:+-]+"
)
_SUMMARY = re.compile(
    r"\b\d[\d,]* (?:tests? )?(?:failed|passed|passing|failing|pending|skipped|errors?|warnings?|tests?|items?"
    r"|examples|suites?|total|completed|succeeded|actionable|executed|deleted|added|changed|destroyed|packages|files"
    r"|bytes (?:sent|received))\b"
    r"|exit(?:ed|ing|s)?(?: with)?(?: error)?(?: code| status)?:? -?\d+\b|process completed"
    r"|build (?:fail|succe|success|error|finished|cancel)|^total\b|\btotals?:|tests? run|test suites:|\bran \d+"
    r"|finished (?:in|at|with|:)|(?:elapsed|total|wall|real|build) ?time|^\W{0,4}(?:duration|time):?\s"
    r"|\bsummary\b|\bresults? ?:|\bdone\. your|^ok\s*\(|^failed|\bcoverage:"
)
_RULED = re.compile(r"={3,}.*\w.*={3,}$")
_ENVIRONMENT = re.compile(
    r"\bversion\b|^\W*platform\b|\bruntime\b|operating system"
    r"|^\s*(?:os|runner|image|node|python|java|jdk|go|rust|ruby|php|npm|maven|gradle|pip|host(?:name)?)\b ?[:=]"
    r"|\b(?:python|java|node|ruby|php|openssl|pytest|nginx|apache|linux|windows|darwin|docker|kernel|jdk|build|numpy)"
    r"[ /-]?v?\d+\.\d|listening on|\bos[ :=].*\d|java_home|pythonlocation|server start"
)
_NOTABLE = re.compile(
    r"\bCOMMAND=|\bAccepted |\bnew (?:user|group|session|connection)\b|(?i:\b(?:re(?:start|boot|load)|terminat|promot"
    r"|shut(?:ting)? ?down|roll(?:ing)? ?back|elect|failover|leader|migrat|deploy|upgrad|evict|throttl|expired?\b"
    r"|scal(?:ed|ing)))"
)
_SOURCE = re.compile(  # a listing around a failure; the line that failed is pointed at
    r"\s*(>\s+)(?:\d+ \||\S)|\s*\d+ [|+-] |\s*\d+ \|$|\s{4,}.*(?:[({;,]|\):)$"
    r"|\s{2,}(?:raise|except|try|return|if|for|while|def|class|import|from|with|elif|else|throw|catch|const|let|var"
    r"|function|assert|await|self\.|this\.|[\w.]+ = |:\w+:|[\w.]+=)(?:\W|\w).*[\w:({;,\])}`]$"
)
_SECTION = re.compile(
    r"##\[(?:group|section|command)\]|\s*[=#*\-_>]{3,}.*\w|travis_fold:start|\$ |\+ |> Task |\[command\]"
    r"|Step \d+/|Run |::group"
)
_FRAME = re.compile(
    r"\s*(?:at [\w$.<>/\[\]`]+[ (]|at .+:\d+:\d+|File \"[^\"]*\", line \d|#\d+ |\.{3} \d+ (?:more|common)|goroutine \d"
    r"|\t/\S+:\d+|in [\w.]+ \(|from \S+:\d+:in|\d+: 0x|\[stacktrace\]|Traceback \(most recent)"
)
_LIBRARY = re.compile(
    r"node_modules|node:|\binternal[/:]|(?:site|dist)-packages|/usr/(?:lib|local)"
    r"|\bat (?:app//)?(?:java|javax|sun|jdk|kotlin|scala"
    r"|org\.(?:junit|apache|spring|gradle|hibernate|testng|mockito"
    r"|assertj)|com\.sun|System|Microsoft)\b|/vendor/|/gems/|rustc/"
    r"|\b(?:core|std|alloc)::|/go/(?:src|pkg)|/go-\d|<anonymous>|lib/python"
)
_PASS = re.compile(
    r"\bPASS(?:ED)?\b|^\s*ok\b|\.\.\. ok$|\bUP-TO-DATE\b|NO-SOURCE|Download(?:ing|ed)\b|\bProgress\b"
    r"|(?:Receiving|Counting|Compressing) objects|Resolving deltas|Requirement already|^\s*Get:\d|\btook [\d.]+ sec"
    r"|Testcase:|Unpacking |Setting up |Preparing to|Selecting prev|Collecting |Fetch(?:ing|ed) "
    r"|^\s*(?:Compiling|Building|Installing|Linking|Checking|Copying|Generating|Processing|adding|copying|creating) "
)
_WELL = re.compile(r"\s*(?:[✓✔√]|ok \d|PASS\b|.*\bPASSED\b|.*\.\.\. ok$)")
_RULE = re.compile(r"(?:\S+:\d+:(?:\d+:)? )?[A-Z]{1,4}\d{3,5}(?: |: )\S")  # what a linter found
_DIGIT = re.compile(r"\d")
_LETTERED = re.compile(r"\w{3}")
_STATUS = re.compile(r'" ([45])\d\d ')
BRIEF, WORDS = 0.6, 24  # what a line of fewer characters is worth that says nothing of any class
SEEN = 400  # characters of a line that are looked at
REACH = 100_000  # characters of a long line in which its error is looked for


def gates(lines: list[str]) -> list[int]:
    """For each line the classes whose words it holds."""
    data = "\n".join([line[:SEEN] for line in lines]).encode("utf-8", "replace").translate(_LETTERS)
    return [_gate(words.split()) for words in data.split(b"\n")]


def _gate(words: list[bytes]) -> int:
    found = 0
    for word in _NAMES.intersection(words):
        found |= _GATES[word]
    return found


def level(line: str, gate: int) -> str:
    """The level that a line names for itself, in capitals, or nothing."""
    letter = _LETTER.match(line)
    if letter:
        return _LETTERED_LEVELS[letter[1] or letter[2]]
    hit = _LEVEL.search(line, 0, 160) if gate & LEVEL else None
    word = (hit[1] or hit[2] or hit[3] or hit[4] or hit[5] or "").upper() if hit else ""
    word = _SAME.get(word, word)
    return word if word in _LEVELS else ""


def _wrong(line: str) -> bool:
    """Whether a line tells of something that went wrong, and not that nothing did."""
    rest = _NONE.sub(" ", line)
    return bool(_STRONG.search(rest.lower()) or _CAMEL.search(rest))


def _fault(line: str, named: str, gate: int) -> float:
    """4.5 for an error, 2.3 for a warning, else 1."""
    if named in _SERIOUS:
        return 4.5
    camel = "Error" in line or "Exception" in line or "FAIL" in line
    if (gate & STRONG or camel or not _SIGNS.isdisjoint(line)) and _wrong(line):
        return 2.3 if named in ("DEBUG", "TRACE", "NOTICE") else 4.5
    if '" 5' in line or '" 4' in line:
        hit = _STATUS.search(line)
        return 1.0 if not hit else 2.3 if hit[1] == "4" else 4.5
    return 2.3 if named == "WARN" or (not named and gate & WEAK) else 1.0


def weight(line: str, named: str, gate: int) -> tuple[float, bool]:
    """What a line is worth for what it says, and whether it tells of an error."""
    if not gate and line[:1].isalpha() and line.isascii() and "Error" not in line and "Exception" not in line:
        said = BRIEF if len(line) < WORDS else 1.0
        return 1.3 if line.startswith("Run ") else said, False  # most lines hold no word of any class
    line = line[:SEEN]
    if (gate & PASS or line.lstrip()[:1] in "✓✔√") and _WELL.match(line):
        return 0.3, False
    if not _LETTERED.search(line):
        return 0.2, False
    if not named and (hit := _SOURCE.match(line)):
        return (1.8 if hit[1] else 0.6), False
    fault = _fault(line, named, gate)
    if _FRAME.match(line):
        return 0.7, False
    low = line.lower()
    if gate & SUMMARY and _SUMMARY.search(low):
        return fault * (2.0 if fault < 4 else 1.6), fault > 4
    return (fault, True) if fault > 4 else (fault * _kind(line, low, gate), False)


def _kind(line: str, low: str, gate: int) -> float:
    """What a line without an error is worth for its kind."""
    if gate & PASS and _PASS.search(line):
        return 0.3
    if _RULE.match(line):
        return 2.0
    if gate & ENVIRONMENT and _DIGIT.search(line) and _ENVIRONMENT.search(low):
        return 2.0
    if gate & NOTABLE and _NOTABLE.search(line):
        return 1.5
    return 1.3 if _SECTION.match(line) or _RULED.match(line) else BRIEF if len(line) < WORDS else 1.0


def is_own_frame(line: str) -> bool:
    """Whether a line is a frame of a stack trace in the program itself, not in what it is built on."""
    return _FRAME.match(line) is not None and not _LIBRARY.search(line, 0, SEEN)


def spot(line: str) -> int:
    """Where in a long line its error stands."""
    hit = _STRONG.search(line[:REACH].lower()) or _CAMEL.search(line, 0, REACH)
    return hit.start() if hit else 0
