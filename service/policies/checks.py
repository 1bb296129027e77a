"""One policy as written, checked key by key: unknown names, types, ranges, paths and templates, everything at once."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any, get_type_hints

import msgspec

from schemas.policy import Policy, Shorten, Strip, Summarise, Template, Truncate
from service.core.globs import pattern
from service.core.paths import parse
from service.core.render.wording import wording
from service.policies.strict import Document, Place, PolicyProblem

NESTED: dict[str, type[msgspec.Struct]] = {
    "strip": Strip,
    "shorten": Shorten,
    "truncate": Truncate,
    "summarise": Summarise,
    "template": Template,
}
HINTS = {struct: get_type_hints(struct, include_extras=True) for struct in (Policy, *NESTED.values())}
# The names of requirement FR-027 and of the documents around it, and what they are called here. Beside these, every key
# may be written in camelCase.
ALIASES = {
    "tokenBudgetThreshold": "output_token_threshold",
    "chunkSize": "chunk_tokens",
    "paginationEnabled": "enable_pagination",
    "summarizationEnabled": "enable_summarization",
    "chunkingEnabled": "enable_chunking",
    "pagination_enabled": "enable_pagination",
    "summarization_enabled": "enable_summarization",
    "chunking_enabled": "enable_chunking",
}
ALIASES |= {re.sub(r"_(\w)", lambda letter: letter[1].upper(), key): key for key in HINTS[Policy] if "_" in key}
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_UNKNOWN = re.compile(r" - at `[^`]*`$")


@dataclass(frozen=True, slots=True)
class Written:
    """A policy as its file has it: the keys that stand in it, by their own names, and where."""

    name: str
    file: str
    values: dict[str, Any]
    extends: str | None
    lines: dict[str, int]
    line: int

    def problem(self, field: str, message: str, expected: str = "", nearest: str = "") -> PolicyProblem:
        """A problem of one of its fields."""
        return PolicyProblem(self.file, self.lines.get(field, self.line), self.name, field, message, expected, nearest)


def written(document: Document) -> tuple[list[Written], list[PolicyProblem]]:
    """The policies of a file, without what is wrong in them, and what is wrong."""
    if document.value is None and document.problems:
        return [], document.problems
    if not isinstance(document.value, dict):
        kind = "a list" if isinstance(document.value, list) else "text"
        return [], [PolicyProblem(document.file, 1, message=f"{kind} is not policies", expected="`name:` and its keys")]
    found, problems = [], list(document.problems)
    for name, raw in document.value.items():
        one, wrong = _one(document, name, raw)
        found.append(one)
        problems += wrong
    return found, problems


def _one(document: Document, name: str, raw: Any) -> tuple[Written, list[PolicyProblem]]:
    line = document.lines.get((name,), 1)
    one = Written(name, document.file, {}, None, {}, line)
    if not NAME.fullmatch(name):
        return one, [one.problem("", "this is no name for a policy", "letters, digits, `_`, `.`, `-`, at most 64")]
    if raw is None:
        return one, []
    if not isinstance(raw, dict):
        near = _nearest(name, _known())
        return one, [one.problem("", "a policy is a mapping", "keys and values below its name", near)]
    problems: list[PolicyProblem] = []
    values = dict[str, Any]()
    lines: dict[str, int] = {str(ALIASES.get(key, key)): document.lines.get((name, key), line) for key in raw}
    one = replace(one, values=values, lines=lines)
    extends = raw.get("extends")
    if extends is not None and not isinstance(extends, str):
        problems.append(one.problem("extends", f"`{extends}` is not the name of a policy", "a string"))
        extends = None
    for key, value in raw.items():
        if key != "extends":
            problems += _key(one, document, key, value)
    return replace(one, extends=extends), problems


def _known() -> list[str]:
    return [*HINTS[Policy], "extends", *ALIASES]


def _nearest(name: str, known: Iterable[str]) -> str:
    return next(iter(get_close_matches(name, list(known), n=1, cutoff=0.6)), "")


def _key(one: Written, document: Document, key: str, value: Any) -> list[PolicyProblem]:
    """What is wrong with one key; a sound value is added to the policy."""
    field = ALIASES.get(key, key)
    if field not in HINTS[Policy]:
        return [one.problem(key, f"`{key}` is not a key of a policy", nearest=_nearest(key, _known()))]
    if field in one.values:
        return [one.problem(field, f"`{key}` says again what `{field}` says")]
    problems = list(_nested(one, document, (one.name, key), field, value)) if field in NESTED else []
    problems = problems or list(_typed(one, field, HINTS[Policy][field], value))
    problems = problems or list(_meaning(one, field, value))
    if not problems:
        one.values[field] = value
    return problems


def _nested(one: Written, document: Document, place: Place, field: str, value: Any) -> Iterator[PolicyProblem]:
    """Every problem inside a nested struct, each with its own line."""
    if isinstance(value, list):
        for number, element in enumerate(value):
            yield from _nested(one, document, (*place, str(number)), field, element)
        return
    if not isinstance(value, dict):
        return
    struct = NESTED[field.partition(".")[0]]
    for key, child in value.items():
        where = Written(one.name, one.file, {}, None, {}, document.lines.get((*place, key), one.line))
        name = f"{field}.{key}"
        if key in HINTS[struct]:
            yield from _typed(where, name, HINTS[struct][key], child)
        else:
            yield where.problem(name, f"`{key}` is not a key of `{field}`", nearest=_nearest(key, HINTS[struct]))
    for info in msgspec.structs.fields(struct):
        if info.required and info.name not in value:
            yield one.problem(field, f"`{info.name}` is missing")


def _typed(one: Written, field: str, hint: Any, value: Any) -> Iterator[PolicyProblem]:
    try:
        msgspec.convert(value, hint, strict=True)
    except msgspec.ValidationError as error:
        said = _UNKNOWN.sub("", str(error))
        expected = said.removeprefix("Expected ").partition(", got")[0]
        yield one.problem(field, f"`{_shown(value)}` does not do", expected)


def _shown(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 60 else text[:57] + "..."


def _meaning(one: Written, field: str, value: Any) -> Iterator[PolicyProblem]:
    """What only this key's reader can tell: paths, globs and templates that cannot be understood."""
    reader = _READERS.get(field)
    texts = value if isinstance(value, list | dict) and field != "template" else [value]
    for text in texts if reader else ():
        try:
            if reader:
                reader(text)
        except ValueError as error:
            yield one.problem(field, str(error))


def _path(text: str) -> None:
    if not text.strip() or not any(parse(text)):
        raise ValueError("an empty path names everything; name a field")
    pattern(text)


def _glob(text: str) -> None:
    if not text.strip():
        raise ValueError("an empty glob fits nothing")


def _templates(value: Any) -> None:
    for one in value if isinstance(value, list) else [value]:
        wording(msgspec.convert(one, Template), "")


_READERS: dict[str, Callable[[Any], None]] = {
    **dict.fromkeys(("keep", "drop", "condense", "identity", "must_keep"), _path),
    "items_path": parse,  # type: ignore[dict-item]  # only whether it raises counts
    "match": _glob,
    "template": _templates,
}
