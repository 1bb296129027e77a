"""How much a sentence of a document tells: what it defines, prescribes, counts, names, and what it only repeats."""

import re

_PRESET = frozenset("default defaults defaulted défaut defecto voreinstellung standardmäßig".split())
_RULING = frozenset(
    "must shall required requires cannot never only least most maximum minimum max min limit limits limited deprecated"
    " removed obsoletes breaking warning caution important error errors fail fails failure exception raises throws"
    " thrown should recommended since supported unsupported decided approved deadline due concluded conclusion"
    " therefore result results muss darf nicht doit debe".split()
)
_DEFINING = frozenset(
    "is are means refers defines defined specifies allows provides controls enables enable disables disable sets"
    " ist sind est sont es son".split()
)
_WIDE_PRESET, _WIDE_RULING = (
    ("默认", "デフォルト", "既定", "기본"),
    ("必须", "必要", "ません", "不能", "注意", "禁止", "とは", "です", "是"),
)
_MEASURE = re.compile(
    r"[$€£¥]\s?\d|(?<![\d.,])\d[\d.,]*+\s?(?:%|[kKMG]i?B?\b|m?s\b|(?:milli|nano|micro)?seconds?|minutes?|hours?|days?|weeks?|months?"
    r"|bytes?|bits?|times|percent|characters|rounds|entries|items|files|requests)"
)
_NUMBER = re.compile(r"(?<![\w.,#/-])\d")
_FLAG = re.compile(r"(?<![\w-])--?[a-zA-Z]|[a-zA-Z0-9]_[a-zA-Z]")
_DIGITS = frozenset("0123456789")
_LEANING = re.compile(
    r"\s*(?:However|For example|For instance|Also|In addition|Note that these|This|These|It|They|That)\b"
)
FORMAL = re.compile(
    r"permission is hereby|without (?:warranty|limitation)|as is\W|licensed under|all rights reserved|copyright"
    r"|merchantability|trademark|sponsor",
    re.I,
)
_FORMAL_WORDS = frozenset(
    "permission warranty limitation as licensed reserved copyright merchantability trademark sponsor".split()
)
_PLAIN = str.maketrans({chr(code): " " for code in range(128) if not chr(code).isalpha() and chr(code) not in "'’"})
ASIDE = re.compile(
    r"change ?log|\bhistory\b|acknowledg|credits|\bauthors?\b|contribut|licen[cs]e|copyright|\breferences\b"
    r"|bibliography|see also|related|\blinks\b|further reading|contents\b|\bindex\b|status of this memo|footnotes"
    r"|what'?s ?next|sponsor|support\b|community|badges|merch|thanks|reporting bugs|citation|participat",
    re.I,
)
VERSION = re.compile(r"\W*(?:version|release|v)?[ .]?\[?v?\d+\.\d+", re.I)


def bare(text: str) -> str:
    """The words of a text alone: what says the same again is equal."""
    return " ".join(text.translate(_PLAIN).split())


def telling(text: str) -> float:
    """How many times as much as a plain sentence this one tells."""
    words = set(text.lower().translate(_PLAIN).split())
    wide = not text.isascii()
    worth = 1.0
    if not _PRESET.isdisjoint(words) or (wide and any(sign in text for sign in _WIDE_PRESET)):
        worth *= 2.2
    if not _RULING.isdisjoint(words) or (wide and any(sign in text for sign in _WIDE_RULING)):
        worth *= 1.3
    if not _DEFINING.isdisjoint(words):
        worth *= 1.15
    if not _DIGITS.isdisjoint(text) and _NUMBER.search(text):
        worth *= 1.8 if _MEASURE.search(text) else 1.5
    if "`" in text or "()" in text or "**" in text or (("_" in text or " -" in text) and _FLAG.search(text)):
        worth *= 1.3
    if _LEANING.match(text):
        worth *= 0.8
    if text.rstrip()[-1:] in ":：":
        worth *= 0.5
    return worth * (0.3 if not _FORMAL_WORDS.isdisjoint(words) and FORMAL.search(text) else 1.0)
