"""The lens: what this request and this policy look for, made once per payload and used on every leaf and row."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from service.core.plan import Plan
from service.core.rank.claims import Claims, claims
from service.core.rank.names import parts

_WORD = re.compile(r"[^\W_]+(?:[-.:/@_][^\W_]+)*")
_STOP = frozenset(
    "a an and any are as at be been by did do does for from had has have how i in is it its me of on or that the "
    "their there they this to was were what when where which who whom why will with you your not than then these "
    "those can could each all about into many much most more number list show give find tell".split()
)
_SUPERLATIVES = {
    word: kind
    for kind, words in {
        "most": "most highest largest biggest greatest maximum max longest slowest worst best top peak busiest",
        "least": "least lowest smallest minimum min shortest fastest fewest",
        "first": "first oldest earliest",
        "last": "last latest newest recent",
    }.items()
    for word in words.split()
}


@dataclass(frozen=True, slots=True)
class Lens:
    """Query words with how rare they are, words for names, claims and keywords of the policy."""

    words: tuple[tuple[str, float], ...] = ()
    names: frozenset[str] = frozenset()
    claims: Claims | None = None
    keywords: "re.Pattern[str] | None" = None
    superlatives: frozenset[str] = frozenset()  # most, least, first, last
    named_elsewhere: frozenset[str] = frozenset()  # short texts that stand outside of lists, like dist-tags.latest

    def hit(self, text: str) -> float:
        """How much of what is looked for stands in this text."""
        if not self.words and self.keywords is None:
            return 0.0
        low = text.lower()
        found = sum(rarity for word, rarity in self.words if word in low)
        return found + (1.0 if self.keywords is not None and self.keywords.search(text) else 0.0)

    def named(self, name: str) -> bool:
        """Whether the query names this field."""
        return bool(self.names) and not self.names.isdisjoint(_stems(name))

    def share(self, name: str) -> float:
        """How much of a field's name the query names."""
        stems = _stems(name) if self.names else []
        return sum(stem in self.names for stem in stems) / len(stems) if stems else 0.0

    def claimed(self, path: tuple[str, ...], weight: float, cost: float) -> float | None:
        """The price of a field that the policy claims."""
        return None if self.claims is None else self.claims.price(path, weight, cost)


def _stem(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _stems(name: str) -> list[str]:
    return [_stem(word) for word in parts(name)]


def lens(query: str, plan: Plan, raw: str, value: Any = None) -> Lens:
    """The lens for one request over one payload; rare words count more."""
    tokens = dict.fromkeys(word.lower() for word in _WORD.findall(query))
    pieces = dict.fromkeys(piece for word in tokens for piece in (word, *parts(word)) if len(piece) > 1)
    words = [word for word in pieces if word not in _STOP]
    low = raw.lower() if words else ""
    counted = [(word, low.count(word)) for word in words if word not in _SUPERLATIVES]
    rare = tuple((word, math.log(1 + 400 / count) / 2) for word, count in counted if count)
    keywords = [re.escape(word) for word in plan.policy.keywords if word]
    return Lens(
        rare,
        frozenset(_stem(word) for word in words),
        claims(plan),
        re.compile("|".join(keywords), re.IGNORECASE) if keywords else None,
        frozenset(_SUPERLATIVES[word] for word in pieces if word in _SUPERLATIVES),
        frozenset(_short_texts(value)),
    )


def _short_texts(value: Any) -> Iterator[str]:
    """Short strings of the outer objects: they may name a key or a row of the rest."""
    waiting, looked = [value], 0
    while waiting and looked < 300:
        one = waiting.pop()
        for child in one.values() if isinstance(one, dict) and len(one) <= 40 else ():
            looked += 1
            if isinstance(child, str) and 1 < len(child) <= 40:
                yield child
            elif isinstance(child, dict):
                waiting.append(child)
