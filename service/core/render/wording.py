"""The wording of a template, parsed once: text, {slots}, and {? parts} that vanish when a slot in them is empty.

`{field}`, `{a.b}`; `{a,b}` takes the first that is there; `{field|filter|filter:argument}`; `{n|entity|entities}` is
the word that goes with the number n; `{{` is a brace.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches

from schemas.policy import Template
from service.core.paths import parse

FILTERS = frozenset("words percent ago short upper lower first last default cut len".split())


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for a value: the paths it may come from, and what is done with it."""

    paths: tuple[tuple[str, ...], ...]
    filters: tuple[tuple[str, str], ...] = ()
    forms: tuple[str, str] | None = None  # singular, plural


@dataclass(frozen=True, slots=True)
class Maybe:
    """A part that vanishes when one of its slots is missing or empty."""

    parts: "Parts"


Parts = tuple[str | Slot | Maybe, ...]


@dataclass(frozen=True, slots=True)
class Wording:
    """A template, compiled."""

    items: tuple[str, ...] | None  # where its rows are; None when they are the payload or its only list
    listing: bool  # it words a list, else one object
    header: Parts
    rows: tuple[Parts, ...]  # the first that has all its values words a row
    empty: Parts
    more: Parts
    limit: int | None
    when: tuple["Condition", ...] = ()


@dataclass(frozen=True, slots=True)
class Condition:
    """One of these paths must be there (with this value), or none of them."""

    paths: tuple[tuple[tuple[str, ...], str | None], ...]
    there: bool


def wording(template: Template, items_path: str) -> Wording:
    """The wording of a template; ValueError says where it cannot be read."""
    items = template.items or items_path
    rows = (template.item,) if isinstance(template.item, str) else template.item
    return Wording(
        items=parse(items) if items else None,
        listing=bool(template.header or template.empty or template.more or template.items),
        header=parts(template.header),
        rows=tuple(map(parts, rows)),
        empty=parts(template.empty),
        more=parts(template.more),
        limit=template.limit if isinstance(template.limit, int) else None,
        when=tuple(map(_condition, template.when)),
    )


def _condition(text: str) -> Condition:
    paths = []
    for one in text.removeprefix("!").split(","):
        name, equals, value = one.strip().partition("=")
        paths.append((parse(name), value if equals else None))
    if not all(path for path, _ in paths):
        raise ValueError(f"`{text}` names no field")
    return Condition(tuple(paths), not text.startswith("!"))


def parts(text: str) -> Parts:
    """The parts of a template text."""
    return _parts(text, 0, inside=False)[0]


def _parts(text: str, start: int, *, inside: bool) -> tuple[Parts, int]:
    out: list[str | Slot | Maybe] = []
    at, plain = start, ""
    while at < len(text):
        if text.startswith("{{", at):
            plain, at = plain + "{", at + 2
        elif text[at] == "{":
            out, plain = [*out, *([plain] if plain else [])], ""
            part, at = _braced(text, at)
            out.append(part)
        elif text[at] == "}" and inside:
            break
        else:
            plain, at = plain + text[at], at + 1
    return (*out, *([plain] if plain else [])), at


def _braced(text: str, at: int) -> tuple[Slot | Maybe, int]:
    if text.startswith("{?", at):
        inner, end = _parts(text, at + 2, inside=True)
        if end >= len(text):
            raise ValueError(f"`{text[at : at + 20]}` is never closed with a brace")
        return Maybe(inner), end + 1
    end = text.find("}", at)
    if end < 0:
        raise ValueError(f"`{text[at : at + 20]}` is never closed with a brace")
    return _slot(text[at + 1 : end]), end + 1


def _slot(text: str) -> Slot:
    names, *filters = text.split("|")
    paths = tuple(parse(name.strip()) for name in names.split(","))
    if not all(paths):
        raise ValueError(f"`{{{text}}}` names no field")
    if len(filters) == 2 and filters[0].partition(":")[0] not in FILTERS:
        return Slot(paths, forms=(filters[0], filters[1]))
    return Slot(paths, tuple(map(_filter, filters)))


def _filter(text: str) -> tuple[str, str]:
    name, _, argument = text.strip().partition(":")
    if name not in FILTERS:
        near = get_close_matches(name, sorted(FILTERS), n=1)
        raise ValueError(f"`{name}` is not a filter" + (f"; did you mean `{near[0]}`?" if near else ""))
    if name == "cut" and not (argument.isascii() and argument.isdigit()):
        raise ValueError("`cut` needs a number of characters: {summary|cut:120}")
    return name, argument


@dataclass(frozen=True, slots=True)
class Filled:
    """What stands in a slot, the path it came from, and how much of the value that is, in characters."""

    text: str
    path: tuple[str, ...] | None = None
    shown: int = 0
    full: int = 0


def compose(wanted: Iterable[str | Slot | Maybe], fill: Callable[[Slot], Filled | None]) -> list[Filled] | None:
    """The pieces of a text; None when a value that must be there is missing."""
    pieces: list[Filled] = []
    for part in wanted:
        if isinstance(part, Maybe):
            pieces += _optional(part, fill)
            continue
        piece = Filled(part) if isinstance(part, str) else fill(part)
        if piece is None:
            return None
        pieces.append(piece)
    return pieces


def _optional(part: Maybe, fill: Callable[[Slot], Filled | None]) -> list[Filled]:
    """The pieces of an optional part, none when one of its slots is empty."""
    pieces: list[Filled] = []
    for inner in part.parts:
        if isinstance(inner, Maybe):
            pieces += _optional(inner, fill)
            continue
        piece = Filled(inner) if isinstance(inner, str) else fill(inner)
        if piece is None or not piece.text:
            return []
        pieces.append(piece)
    return pieces
