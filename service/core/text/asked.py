"""What a question asks of a document: the section that it names, and the kind of answer that it wants."""

import re
from collections import Counter
from collections.abc import Sequence

from service.core.text.lines import Span

SHARE = 0.7  # of what a heading gains for the words of a query, for what stands beneath it
DULL = 0.15  # what is worth less than this gains less: fences, lists of links
KIND = 1.5  # times as much is worth what could be the answer
ALONE = 4.0  # the same where no word of the query stands
_DATE = re.compile(
    r"\b(?:19|20)\d\d\b|\d{4}-\d\d|\b\d{1,2}\.\d{1,2}\.\d{2,4}\b"
    r"|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.? \d"
)
_NAME = re.compile(r"[\w.+-]+@[\w-]+\.\w|\b[A-Z][a-z]+ (?:[A-Z]\. ?)?[A-Z][a-z]+\b")
_COUNT = re.compile(r"\d")
_CODE = re.compile(r"`|^\s*[$>%] |--?[a-zA-Z]|\b(?:install|run|sudo|curl|docker|git|npm|pip)\b|[=;{]")
_WANTED = (
    (re.compile(r"\bwhen\b|\bdates?\b|\bsince\b|\breleased\b|\byear\b|何時|いつ|何时", re.I), _DATE),
    (re.compile(r"\bwho(?:se|m)?\b|\bauthors?\b|\bmaintain|\bwritten by\b|誰|谁", re.I), _NAME),
    (
        re.compile(
            r"\bhow (?:many|much|long|often|big|large)\b|\bdefaults?\b|\bsize\b|\blimits?\b|\btimeouts?\b"
            r"|\bm(?:ax|in)imum\b|\bversions?\b|\bnumber\b|\blatency\b|\bports?\b|いくつ|多少",
            re.I,
        ),
        _COUNT,
    ),
    (
        re.compile(
            r"\bcommands?\b|\binstall|\bhow (?:do|to|can)\b|\boptions?\b|\bflags?\b|\bvariables?\b|\bsyntax\b", re.I
        ),
        _CODE,
    ),
)


def answers(body: str, spans: Sequence[Span], query: str, before: Sequence[float], weights: list[float]) -> None:
    """Raise, in place, what stands beneath headings that hold words of the query, and what could be the answer."""
    kinds = [kind for asked, kind in _WANTED if asked.search(query)]
    passed = [0.0] * len(spans)
    place = Counter[int]()
    for number, span in enumerate(spans):
        scale = min(1.0, before[number] / DULL)
        under, gain = span.under, (weights[number] - before[number]) * scale
        weights[number] = before[number] + gain
        if 0 <= under < number:
            place[under] += scale == 1.0
            passed[number] = passed[under] / (1 + place[under] / 4)
            weights[number] += passed[number] * min(1.5, before[number])
        if gain > 0:
            passed[number] += SHARE * gain
        if kinds and any(kind.search(body, span.start, span.end) for kind in kinds):
            weights[number] *= KIND if weights[number] > before[number] else ALONE
