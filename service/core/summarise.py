"""Summarise: the most telling sentences of a long text, in order, with the gaps between them counted."""

import re

from service.core.markers import cut_string
from service.core.rank.names import speaks_of_error
from service.core.text.telling import telling
from service.core.truncate import truncate

_SENTENCE = re.compile(r".+?(?:[.!?][\"')\]]*(?=\s|\Z)|[。！？]|\n\s*\n|\Z)", re.DOTALL)
_SHORT = re.compile(r"(?:\b(?:Dr|Mr|Mrs|Ms|Prof|St|No|vs|etc|e\.g|i\.e|Fig|Inc|Ltd|Co|approx)|\b[A-Z])\.\Z")


def summarise(
    text: str, chars: int, sentences: int = 3, keywords: "re.Pattern[str] | None" = None, query: str = ""
) -> str:
    """At most `sentences` sentences and `chars` characters of a text, markers included."""
    if len(text) <= chars:
        return text
    spans = _sentences(text)
    words = [word for word in re.findall(r"\w+", query.lower()) if len(word) > 2]
    order = sorted(range(len(spans)), key=lambda i: (-_score(text, spans, i, keywords, words), i))
    picked: list[int] = []
    for i in order[: sentences * 3]:
        trial = sorted([*picked, i])
        if len(trial) <= sentences and len(_joined(text, spans, trial)) <= chars:
            picked = trial
    return _joined(text, spans, picked) if picked else truncate(text, chars)


def _sentences(text: str) -> list[tuple[int, int]]:
    """Spans of the sentences; an abbreviation ends none."""
    spans: list[tuple[int, int]] = []
    for hit in _SENTENCE.finditer(text):
        if spans and _SHORT.search(text, max(0, spans[-1][1] - 8), spans[-1][1]):
            spans[-1] = (spans[-1][0], hit.end())
        elif hit[0].strip():
            spans.append(hit.span())
    return spans


def _score(
    text: str, spans: list[tuple[int, int]], i: int, keywords: "re.Pattern[str] | None", words: list[str]
) -> float:
    """Asked for, named by the policy, about an error, first, or telling: a default, a measure, a rule."""
    sentence = text[slice(*spans[i])]
    low = sentence.lower()
    asked = 4.0 * sum(word in low for word in words)
    named = 3.0 * len(keywords.findall(sentence)) if keywords else 0.0
    place = 2.5 if i == 0 else 1 / (1 + i)
    return asked + named + (2.0 if speaks_of_error(sentence) else 0.0) + place + 0.6 * (telling(sentence) - 1)


def _joined(text: str, spans: list[tuple[int, int]], picked: list[int]) -> str:
    out: list[str] = []
    reach = 0
    for i in picked:
        start, end = spans[i]
        missing = len(text[reach:start].strip())
        if missing:
            out += [cut_string(missing), text[start:end].strip()]
        else:
            out[-1:] = ["".join([*out[-1:], text[reach:end]]).strip()]
        reach = end
    missing = len(text[reach:].strip())
    return " ".join([*out, *([cut_string(missing)] if missing else [])])
