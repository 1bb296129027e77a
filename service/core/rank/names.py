"""What a field is worth by its name and the type of its value: identity, status, errors before the rest."""

import re
from functools import lru_cache
from itertools import chain
from typing import Any

# class -> weight, and the name parts that put a field into it; the first class that fits wins
NAMES: dict[str, tuple[float, str]] = {
    "noise": (
        0.0,
        "url urls uri href hrefs link links etag avatar uid gravatar icon favicon thumbnail sprite managed generation "
        "hour minute second microsecond nanos cursor token signature checksum digest sha1 sha256 md5 hash self schema "
        "xmlns css class color colour str annotations",
    ),
    "error": (
        11.0,
        "error errors err exception failure failures failed fail reason fault cause traceback stderr warning warnings "
        "crash panic exit terminated rejected violation stacktrace",
    ),
    "name": (
        10.0,
        "name title login username subject headline displayname fullname summary realname nickname slug filename",
    ),
    "status": (
        9.0,
        "status state phase severity level conclusion health priority outcome result resolution verdict ready "
        "decision stage condition",
    ),
    "id": (
        8.0,
        "id ids number key uuid sku code ref arn sha ip email mail phone address host hostname image version serial "
        "no num nr isbn barcode account identifier iata zip postcode",
    ),
    "time": (
        6.5,
        "at date time timestamp created updated modified start started end ended finished closed merged opened "
        "published day month year when since until expires due duration deadline ts",
    ),
    "message": (10.0, "message messages msg detail details"),
    "text": (
        6.5,
        "description body text comment comments note notes content question answer log abstract label labels overview",
    ),
    "metric": (
        6.0,
        "count total amount price size score rate usage cpu memory quantity balance cost percent ratio value avg mean "
        "median max min sum length width height weight votes stars views rating stock bytes limit requests replicas "
        "capacity allocatable income revenue tax fee discount latency attempts retries restarts points magnitude mag "
        "depth population budget profit qty weeks rank tokens",
    ),
    "category": (
        6.0,
        "type kind category role region zone env environment country city tag tags channel method language namespace "
        "group team owner author user assignee service engine platform os currency unit format mode event action "
        "department topic brand license",
    ),
}
_CLASS = {part: kind for kind, (_, parts) in reversed(NAMES.items()) for part in parts.split()}
_EMPTY = (str, list, dict)
_NUMERIC = frozenset(("id", "time", "metric", "status", "error", "category", "name"))
GENERIC = frozenset(("name", "value", "label", "title", "text", "displayname", "datetime", "date"))  # of what it is in
OPAQUE = 60  # characters without a space: nobody reads it
_NOISE = frozenset(
    "resourceversion apiversion fieldsv1 managedfields terminationmessagepath terminationmessagepolicy dnspolicy "
    "schedulername preemptionpolicy enableservicelinks imagepullpolicy responsemetadata httpheaders node_id nodeId "
    "gravatarid observedgeneration".split()
)
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")
_URL = re.compile(r"[a-z][a-z0-9+.-]{1,12}://\S+\Z|/[\w.{}-]+(?:/[\w.{}-]+){2,}\Z|www\.\S+\Z", re.IGNORECASE)
_HASH = re.compile(r"(?:[0-9a-f]{16,}|[0-9a-f-]{32,}|[\w+/=-]{40,})\Z", re.IGNORECASE)
_TIME = re.compile(
    r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d\S*(?: ?[+-]\d{4}| UTC| GMT)?)?\Z|\d\d?[/.]\d\d?[/.]\d{2,4}\b.{0,12}\Z"
)
_ERROR_WORDS = re.compile(
    r"\b(?:err(?:or\w*|image\w*|s)?|fail(?:s|ed\w*|ure|ures|ing)?|exception|fatal|panic|denied|refused|"
    r"timed? ?out|timeout|unauthorized|forbidden|crash\w*|oomkilled|killed|evicted|back-?off|unhealthy|unavailable|"
    r"unschedulable|degraded|not ?ready|critical|rejected|invalid|missing|not found|unable to|cannot|"
    r"could not|deadlock|corrupt\w*|aborted|unreachable|insufficient|exceeded|violation|warn(?:ing)?)\b"
    r"|[a-z](?:error|exception|failed|failure|backoff|denied|timeout)\b"
)


_HINTS = (  # one of these stands in whatever the pattern finds: a longer text is looked through for them much sooner
    "err|fail|excep|fatal|panic|denied|refused|timed|time out|timeout|unauth|forbidden|crash|kill|evicted|backoff|"
    "back-off|unhealthy|unavail|critical|rejected|invalid|missing|not found|unable to|cannot|could not|deadlock|"
    "corrupt|aborted|unreach|unschedul|degraded|ready|insufficient|exceeded|violation|warn"
).split("|")
PEEK = 2000  # characters of a text that are looked at
FEW = 3  # texts that are sooner looked through one by one
SHORT = 32  # characters in which the pattern itself is as fast


def speaks_of_error(text: str) -> bool:
    """Whether a text says that something went wrong."""
    low = text.lower()
    if len(low) > SHORT and not any(map(low.__contains__, _HINTS)):
        return False
    return _ERROR_WORDS.search(low) is not None


def erring(texts: list[str]) -> set[str]:
    """Those of many texts that speak of an error: one look at all of them tells what to look for in each."""
    low = "\n".join(texts).lower()
    hints = [hint for hint in _HINTS if hint in low]
    if not hints:
        return set()
    return {text for text in texts if any(map(text.lower().__contains__, hints)) and speaks_of_error(text)}


@lru_cache(maxsize=16384)
def parts(name: str) -> tuple[str, ...]:
    """The words of a field's name, lower case: createdAt and created_at are both created, at."""
    return tuple(word.lower() for word in _PARTS.findall(name))


def _one(word: str) -> str:
    """The singular of a plural, roughly; many tokens are a count, one token is a key."""
    one = word[:-3] + "y" if word.endswith("ies") else word[:-1] if word.endswith("s") and len(word) > 4 else word
    return "" if _CLASS.get(one) == "noise" else one


def said(over: str, name: str) -> str:
    """The name that tells what a field is: the name of a state is the state."""
    return over if name.lower() in GENERIC and kind_of(over) in ("status", "error", "time") else name


@lru_cache(maxsize=16384)
def kind_of(name: str) -> str:
    """The class of a field by its name: the last word that has one decides, noise anywhere wins."""
    if name.startswith("__") or name in _NOISE or name.lower() in _NOISE:
        return "noise"
    kinds = [kind for word in parts(name) if (kind := _CLASS.get(word) or _CLASS.get(_one(word)))]
    if not kinds:
        return ""
    return "noise" if "noise" in kinds else "error" if "error" in kinds else kinds[-1]


def weigh(name: str, value: Any) -> float:
    """What one value under this name is worth."""
    return worth(kind_of(name), value)


def worth(kind: str, value: Any, bad: set[str] | None = None) -> float:
    """What one value under a name of this class is worth; `bad` are the texts that speak of an error, if known."""
    noise = 0.35 if kind == "noise" else 1.0
    if type(value) is str and value:
        return (_looks(kind, value) or _says(kind, value, bad)) * noise
    if value is None or (not value and type(value) in _EMPTY):
        return 0.35 * noise
    if type(value) is bool:
        return (3.0 if kind in ("status", "error") else 2.2) * noise
    if isinstance(value, list):
        return max([worth(kind, child, None if type(child) is list else bad) for child in value])
    if isinstance(value, int | float):
        base = NAMES[kind][0] if kind in _NUMERIC else 3.5
        return base * noise * (0.5 if value == 0 and kind != "id" else 1.0)
    return 4.0 * noise


def worths(kind: str, values: list[Any]) -> list[float]:
    """What each of many values under a name of this class is worth."""
    if len(values) < FEW:
        return [worth(kind, value) for value in values]
    if set(map(type, values)) != {str}:
        inside = chain.from_iterable(value if type(value) is list else (value,) for value in values)
        bad = erring([text[:PEEK] for text in inside if type(text) is str])
        return [worth(kind, value, bad) for value in values]
    found = [_looks(kind, text) if text else 0.35 for text in values]
    told = [text[:PEEK] for text, weight in zip(values, found, strict=True) if not weight]
    if told:
        bad = erring(told)
        found = [weight or _says(kind, text, bad) for text, weight in zip(values, found, strict=True)]
    return [weight * 0.35 for weight in found] if kind == "noise" else found


def _looks(kind: str, value: str) -> float:
    """What a string is worth by its looks; 0 when that depends on what it says."""
    size = len(value)
    if size <= 80 and value[0].isdecimal() and _TIME.match(value):
        return 6.5
    if ("://" in value or value[0] in "/wW") and _URL.match(value):
        return 1.0
    if size < 16:
        return 0.0
    if " " not in value[:64] and _HASH.match(value):
        return 5.0 if kind in ("id", "name") else 1.6
    return 3.0 if size > OPAQUE and " " not in value else 0.0


def _says(kind: str, value: str, bad: set[str] | None) -> float:
    """What a string is worth that is read as words."""
    if speaks_of_error(value[:PEEK]) if bad is None else value[:PEEK] in bad:
        return 11.0
    named = NAMES[kind][0] if kind else 4.5
    if value == "0" and kind != "id":
        return named * 0.5
    return max(named, 9.0) if len(value) > 80 and " " in value[:80] else named or 4.5
