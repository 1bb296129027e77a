"""`key: value` blocks as tools print them: one record or many, nested by indentation, in sections; INI and .env."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from service.core.forms.logs import is_entry
from service.core.forms.pair_tree import SECTION, Line, PairTree
from service.core.forms.reading import Reading
from service.core.forms.sample import Sample

_KEY = r"[\"'*]{0,2}[A-Za-z0-9_$@./][^:=\n]{0,60}?[\"'*]{0,2}"
_ITEM = r"(?P<item>(?:[-*•]|\d{1,4}[.)])[ \t]+)?"  # of a list: what follows is set in as far as this is long
_COLON = re.compile(rf"{_ITEM}(?P<key>{_KEY})(?:[ \t]*:\*{{0,2}}(?:[ \t]+|$)|(?<=\w):: )(?P<value>.*)")
_EQUALS = re.compile(
    r"(?P<item>(?!))?(?:export |declare -x )?(?P<key>[A-Za-z0-9_.][\w.\[\]/ -]{0,80}?)[ \t]*=[ \t]*(?P<value>.*)"
)
_TIGHT = re.compile(r"(?P<item>(?!))?(?P<key>[A-Za-z][\w.;=-]{0,60}):(?P<value>(?!//|:).*)")
_BRACKETS = re.compile(r"^\W*[\]})]\W*$|[\[{(]$")  # of a value or a block that takes several lines
_BARRED = re.compile(r"^([^|\n]{1,60}?) *\|(?: |$)", re.M)
_ARMOUR = re.compile(
    r"^-----BEGIN ([A-Z ]{1,40})-----\n((?:[A-Za-z0-9+/=]{1,100}\n)*+)-----END [A-Z ]{1,40}-----$", re.M
)
_RULE = re.compile(r"[-=*_#]{3,}\s*$|-\[ RECORD \d+ \][-+]*\s*$|\*+ *\d+\. row *\*+$")
BLOCK = re.compile(
    r"\s*except [\w., ()]+:\s*$|\s*(?:(?:async )?def \w|class \w|(?:if|for|while|elif|function) [^:]*[\w)\]])[^:]*:\s*$"
)
_LOOKED, _WIDTH = 150, 100  # lines, and characters of each
_MANY = 2000  # lines that tell how a text is written
_LOST = 6  # one line in so many may stand alone
_BELOW = 0.75  # so much less do lines count that are set in below a pair
_COMMENT = re.compile(r"[#;]")
_WORDY = re.compile(r"\s{2}|(?:\S+\s){6}")  # no key: a sentence, or the cells of a table


def looks_pairs(seen: Sample) -> bool:
    """Whether nearly all lines are pairs, belong to one, or head a section."""
    lines = [line[:_WIDTH] for line in _telling(_evened("\n".join(seen.lines[:_LOOKED])).expandtabs(4).split("\n"))]
    bracketed = sum(_BRACKETS.search(line) is not None for line in lines)
    if len(lines) < 3 or _recipes(seen.lines[:_LOOKED]) or bracketed * 8 > len(lines):
        return False
    first = lines[:20]
    if _share(first, _COLON):
        return _share(lines, _COLON) >= 0.6
    if _share(first, _EQUALS):
        return _share(lines, _EQUALS) >= 0.8 and not _statements(lines)
    return len(lines) > 3 and _share(lines, _TIGHT) >= 0.9


def looks_records(seen: Sample) -> bool:
    """Whether all lines but rules are pairs, none an entry of a log: surer than anything a log is known by."""
    lines = _telling(seen.lines[:_LOOKED])
    if len(lines) < 6 or any(is_entry(line) for line in lines[:_LOOKED:3]):
        return False
    return all(line[:1] not in (" ", "\t") and _COLON.match(line) for line in lines) and looks_pairs(seen)


def _evened(text: str) -> str:
    """The text with the bars of psql's records as colons, and armoured keys and certificates as one pair."""
    if "-----BEGIN" in text:
        text = _ARMOUR.sub(lambda found: f"{found[1].capitalize()} (PEM): {found[2].replace(chr(10), '')}", text)
    return _BARRED.sub(r"\1: ", text) if text.startswith("-[ RECORD") else text


def _recipes(lines: Iterable[str]) -> bool:
    """Whether the lines are blocks of code: headed by statements, or the recipes of a makefile."""
    bare = list(lines)
    tabbed = sum(line[:1] == "\t" and not _COLON.match(line.strip()) for line in bare)
    headed = sum(line[:1] not in (" ", "\t") and not _COLON.match(line) for line in bare)
    return (tabbed * 5 > len(bare) and headed * 5 < len(bare)) or any(BLOCK.match(line) for line in bare)


def _telling(lines: Iterable[str]) -> list[str]:
    """The lines that are neither blank nor a rule, a comment or the head of a section."""
    bare = (line for line in lines if line and not line.isspace())
    return [line for line in bare if not (_RULE.match(line) or _COMMENT.match(line) or SECTION.match(line))]


def _share(lines: list[str], pattern: re.Pattern[str]) -> float:
    """How many of the lines are pairs; what is set in below one counts little, lines that stand alone forbid it."""
    found = [pattern.match(line.strip()) for line in lines]
    pairs = [match is not None and not _WORDY.search(match["key"]) for match in found]
    inner = [line[:1] in (" ", "\t") for line in lines]
    alone = sum(
        not inside and match is None and not (at + 1 < len(lines) and inner[at + 1])
        for at, (inside, match) in enumerate(zip(inner, found, strict=True))
    )
    good = sum(pairs)
    if alone * _LOST > len(lines) or good < 0.3 * len(lines):
        return 0.0
    below = sum(inside and not pair for inside, pair in zip(inner, pairs, strict=True)) if pattern is not _EQUALS else 0
    return good / (len(lines) - _BELOW * below)


def _statements(lines: list[str]) -> bool:
    """Whether assignments call something: then they are code."""
    return sum(re.search(r"[({;]\s*$|\w\(|[)}];?$|==|=>", line) is not None for line in lines) * 4 > len(lines)


def read_pairs(text: str) -> Reading | None:
    """The pairs as one object, or as a list when records follow one another."""
    lines = _evened(text.replace("\r", "")).expandtabs(4).split("\n")
    filled = _telling(lines)
    few = filled[:_MANY]
    shares = [(_share(few, _COLON), _COLON), (_share(few, _EQUALS), _EQUALS)]
    most, pattern = max(shares, key=lambda share: share[0])
    pattern = pattern if most else _TIGHT
    blocks = _blocks(lines, pattern, _sentences(few, pattern))
    if blocks is None:
        return None
    records = [_flat(block) for block in blocks if block]
    kind = "code" if pattern is _EQUALS else "prose"
    if not records or len(filled) < 3:
        return None
    if len(records) == 1:
        return Reading(kind, records[0], True)
    before = ""
    if len(records) > 2 and len(records[0]) == 1 and records[1].keys().isdisjoint(records[0]):
        title, empty = next(iter(records[0].items()))
        before = f"{title}:" if empty == "" else ""
    records = records[1:] if before else records
    keys = set(records[0])
    alike = sum(len(keys & set(record)) * 2 >= min(len(keys), len(record)) for record in records)
    found = Reading(kind, records, True) if alike >= 0.7 * len(records) else _joined(records, kind)
    return replace(found, before=before)


def _sentences(lines: list[str], pattern: re.Pattern[str]) -> set[str]:
    """Keys of three words or more that are rare beside the others: the beginnings of sentences within a value."""
    keys = Counter(found["key"] for line in lines if (found := pattern.match(line)))
    most = max(keys.values(), default=0)
    return {key for key, count in keys.items() if count * 5 < most and len(key.split()) > 2}


def _flat(record: dict[str, Any]) -> dict[str, Any]:
    """An item of a list whose first pair holds the others, as one object."""
    key, inner = next(iter(record.items()))
    return inner if len(record) == 1 and isinstance(inner, dict) and key in inner else record


def _joined(records: list[dict[str, Any]], kind: str) -> Reading:
    """Blocks that are no records of one kind are parts of one object, unless their keys collide."""
    whole: dict[str, Any] = {}
    for record in records:
        if whole.keys() & record.keys():
            return Reading(kind, records, True)
        whole.update(record)
    return Reading(kind, whole, True)


def _blocks(lines: list[str], pattern: re.Pattern[str], refused: set[str]) -> list[dict[str, Any]] | None:
    """One object per block of lines; None when too many lines belong to no pair."""
    trees, lost, total, gap = [PairTree()], 0, 0, False
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        bare = line.strip()
        if not bare or _RULE.match(bare):
            gap = True
            if bare or trees[-1].flat:
                trees.append(PairTree())
            continue
        total += 1
        if pattern is _EQUALS and _COMMENT.match(bare):
            continue
        if pattern is _TIGHT and bare[0] == "#":
            line = bare = f"[{bare.strip('# ')}]"
        parsed = _parse(line, bare, pattern, refused)
        if not parsed.key and bare[-1] not in "([{" and _indent(below) > parsed.indent and pattern.match(below.strip()):
            parsed = Line(parsed.indent, bare, "")  # the head of the pairs below it
        if trees[-1].again(parsed) or (gap and trees[-1].apart(parsed, bare)):
            trees.append(PairTree())
        lost += not trees[-1].add(parsed, bare)
        gap = False
    return None if lost * _LOST > total else [tree.value for tree in trees]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _parse(line: str, bare: str, pattern: re.Pattern[str], refused: set[str]) -> Line:
    indent = _indent(line)
    if bare[0] == "#" and pattern is _COLON:
        return Line(indent, "#", bare.strip("# "))
    found = pattern.match(bare)
    if found is None or _WORDY.search(found["key"]) or found["key"] in refused:
        return Line(indent, "", bare)
    item = found["item"] or ""
    return Line(indent + len(item), found["key"].strip("\"'* "), found["value"].strip(), bool(item))
