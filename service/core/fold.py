"""Lines that say the same thing share a template.

Two passes, because regular expressions are slow and most lines are alike: without their digits (bytes.translate, at the
speed of memory) lines fall into few groups, and only one line of each group is masked: quoted text, paths, and words
with digits become `#`, the class of an HTTP status stays. Then templates that differ in one word are united.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

DIGITS = b"0123456789"
UNITED = 3_000  # so many templates are compared word by word
VARIANTS = 4  # templates that differ in one word are one when so many differ there
MANY = 8  # and one of fewer words than SHORT when that many do: each of its words tells more
SHORT, WORDS = 5, 24  # a template of more words is long enough to differ
LISTS, HEAD = 36, 16  # a template of so many words lists something: it is told by its first ones
_SAID = re.compile(r"[^\W\d_]{3}")
SLOT = "*"
_LETTERS = re.compile(r"[a-z]+")
LEVELS = frozenset(
    "info warn warning debug trace fatal critical alert notice severe crit err error verbose panic normal".split()
)
_STATUS = {"1": "informed", "2": "fine", "3": "redirected", "4": "refused", "5": "broken"}
PLAIN = (b"400", b"401", b"403", b"404", b"409", b"429", b"500", b"502", b"503", b"504")  # errors between spaces
_HTTP = re.compile(r'" ([1-5])\d\d(?=[ \n]|$)')
_NAMED = re.compile(r'status("?[=:] ?"?)([1-5])\d\d\b')
_PLAIN = re.compile(r"((?:GET|POST|PUT|DELETE|PATCH|HEAD) [^\n]{0,400}? )([45])(?:0[0-4]|09|29)(?= )")
_ZEROS = (b"failed=0", b"ailures: 0", b"rrors: 0", b"ailures=0", b"rrors=0", b" 0 fail", b" 0 error")
_QUOTED = (
    re.compile(  # keys stay, and so does, after `=` or `:`, what is short and without digits and slashes: a message
        r'"(?:([^"\n]{1,60}":|(?:(?<=[=:]")|(?<=: "))[^"\n\d/\\]{0,60}")|((?:[A-Z]{3,7} )?)[^"\n]*("))'
        r"|'(?:(?<!\w')|(?<=[=(\[{, ][ubr]'))[^'\n]{0,200}'(?!\w)"
    )
)
_WORD = re.compile(r"""(?<![^\s=,;()\[\]{}<>"'|:])(?=[^\s=,;()\[\]{}<>"'|:]*[\d/\\])[^\s=,;()\[\]{}<>"'|:]+""")
_SHAPE = re.compile(r"[^\s=:\[\](){}<>,;|\"'#*>-]+")
_PADDED = re.compile(r" {2,}#")
_RUN = re.compile(r"#(?:[ ,:;|]{1,2}#)+")


@dataclass(frozen=True, slots=True)
class Folded:
    """Templates in the order of their first lines: the template of every line, and the lines of every template."""

    of: list[int]
    lines: list[list[int]]
    groups: list[int]  # of every line: lines of a group differ in digits only


def fold(body: str, lines: Sequence[str]) -> Folded:
    """Group the lines of `body` by template."""
    groups, firsts = _grouped(body, lines)
    names = _names([lines[i] for i in firsts])
    ids: dict[str, int] = {}
    united = [ids.setdefault(name, len(ids)) for name in names]
    of = [united[group] for group in groups]
    members: list[list[int]] = [[] for _ in ids]
    for i, template in enumerate(of):
        members[template].append(i)
    return Folded(of, members, groups)


def _grouped(body: str, lines: Sequence[str]) -> tuple[list[int], list[int]]:
    """The group of every line, equal without digits, and the first line of every group."""
    data = _statuses(body.encode("utf-8", "replace"))
    keys = data.translate(None, DIGITS).split(b"\n")[: len(lines)]
    ids: dict[bytes, int] = {}
    groups = [ids.setdefault(key, len(ids)) for key in keys]
    first = dict(zip(reversed(groups), range(len(groups) - 1, -1, -1), strict=True))
    return groups, [first[group] for group in range(len(ids))]


def _statuses(data: bytes) -> bytes:
    """Mark the class of HTTP statuses, and that nothing failed, with something that is no digit."""
    for before in (b'" ', b"status=", b'status":', b"status: "):
        if before in data:
            for status in b"12345":
                data = data.replace(b"%b%c" % (before, status), b"%b%c" % (before, status - 48))
    for zero in _ZEROS:
        data = data.replace(zero, zero.replace(b"0", b"\x06"))
    if b"GET " in data or b"POST " in data:
        for code in PLAIN:
            data = data.replace(b" %b " % code, b" \x04 " if code < b"5" else b" \x05 ")
    return data


def shapes(lines: Sequence[str]) -> list[str]:
    """What remains of each line when its words are taken out: lists and settings are of one shape."""
    return _SHAPE.sub("", "\n".join([line[:200] for line in lines])).split("\n")


def mask(text: str) -> str:
    """The text without what varies."""
    text = _HTTP.sub(lambda hit: '" ' + _STATUS[hit[1]], text)
    text = _NAMED.sub(lambda hit: "status" + hit[1] + _STATUS[hit[2]], text)
    if "GET " in text or "POST " in text:
        text = _PLAIN.sub(lambda hit: hit[1] + _STATUS[hit[2]], text)
    text = _QUOTED.sub(r'"\1\2\3', text)
    for zero in _ZEROS:
        text = text.replace(zero.decode(), zero.decode().replace("0", "none"))
    text = _RUN.sub("#", _WORD.sub("#", text))
    return _PADDED.sub(" #", text).replace("[ #", "[#").replace("( #", "(#")


def _names(lines: Sequence[str]) -> list[str]:
    masked = mask("\n".join(lines)).split("\n") if lines else []
    masked = [_headed(name) for name in masked]
    unique = list(dict.fromkeys(masked))
    if len(unique) < VARIANTS or len(unique) > UNITED:
        return masked
    names = _united(unique)
    return [names.get(name, name) for name in masked]


def _headed(name: str) -> str:
    """A template without the list that it ends with."""
    words = name.split(None, LISTS) if len(name) > LISTS else []
    return " ".join(words[:HEAD]) if len(words) > LISTS else name


def _united(names: Sequence[str]) -> dict[str, str]:
    """Templates that differ in one word only, where many do: the name without that word."""
    rows = [name.split() for name in names]
    united: dict[str, str] = {}
    for slot, numbers in sorted(_slots(rows).items(), key=lambda item: -len(item[1])):
        if len(numbers) < VARIANTS:
            break
        if len(numbers) < MANY and len(slot) < SHORT:
            continue
        place = slot.index(SLOT)
        same = [n for n in numbers if LEVELS.isdisjoint(_LETTERS.findall(rows[n][place].lower()))]
        if len(same) >= VARIANTS:
            for number in same:
                united.setdefault(names[number], " ".join(slot))
    return united


def _slots(rows: Sequence[Sequence[str]]) -> dict[tuple[str, ...], list[int]]:
    """The rows that are equal but for one word, by what they are without it."""
    heads = Counter((len(words), words[0]) for words in rows if words)
    tails = Counter((len(words), words[-1]) for words in rows if words)
    slots: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for number, words in enumerate(rows):
        if not 1 < len(words) <= WORDS:
            continue
        first = 0 if tails[len(words), words[-1]] >= VARIANTS and not _named(words) else 1
        last = len(words) if heads[len(words), words[0]] >= VARIANTS else 1
        for place in range(first, last):
            slot = (*words[:place], SLOT, *words[place + 1 :])
            if len(words) >= SHORT or any(map(_SAID.search, slot)):
                slots[slot].append(number)
    return slots


def _named(words: Sequence[str]) -> bool:
    """Whether the first word names what follows: settings are told by their names."""
    return words[0][-1] in ":=" or words[1][0] in ":="
