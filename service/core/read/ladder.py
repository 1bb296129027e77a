"""The reading ladder: every rung of `kinds.KINDS` in order, on what stands inside the wrapping."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Literal

from service.core.forms.delimited import read_named
from service.core.forms.depth import deeper
from service.core.forms.jsons import read_joined, read_json, read_jsonl, read_within
from service.core.forms.markup import read_html
from service.core.forms.reading import Reading
from service.core.forms.reprs import read_repr
from service.core.forms.wraps import unwrapped
from service.core.forms.xmls import read_xml
from service.core.kinds import climb
from service.core.values import decode

_UNDECODED = "this JSON cannot be decoded without changing it (lone surrogates or numbers too long): read as text"
LINES = ("log", "jsonl", "diff")  # what announces them is no line of theirs
_TOO_DEEP = "this JSON is nested too deep to be decoded: read as text"
_NAMED: dict[str, tuple[Callable[[str], Reading | None], ...]] = {
    "json": (read_json, read_joined, read_within, read_repr),
    "jsonl": (read_jsonl, read_joined, read_json),
    "repr": (read_repr,),
    "csv": (partial(read_named, kind="csv"),),
    "html": (read_xml, read_html),
    "tsv": (partial(read_named, kind="tsv"),),
}


def read(data: bytes, form: Literal["json", "text"], content_type: str | None) -> Reading:
    """What a payload says. Never raises: what cannot be read as values stays a text."""
    if form == "text":
        return read_text(data.decode(errors="replace"), content_type)
    try:
        value = decode(data)
    except ValueError:
        return Reading("json", data.decode(errors="replace"), False, notes=(_UNDECODED,))
    if deeper(data):
        return Reading("json", data.decode(errors="replace"), False, notes=(_TOO_DEEP,))
    return read_text(value, content_type) if isinstance(value, str) else Reading("json", value, True)


def read_text(text: str, content_type: str | None = None) -> Reading:
    """What a text says, by its named type or by the first rung that holds."""
    if content_type is not None:
        return _as_named(text, content_type)
    wrap = unwrapped(text)
    if wrap is None:
        return climb(text)
    inner = climb(wrap.body)
    if inner.structured or wrap.fenced or inner.kind in LINES:
        before = "\n".join(part for part in (wrap.before, inner.before) if part)
        after = "\n".join(part for part in (inner.after, wrap.after) if part)
        return replace(inner, before=before, after=after)
    return replace(inner, value=text)


def _as_named(text: str, content_type: str) -> Reading:
    for reader in _NAMED.get(content_type, ()):
        found = reader(text)
        if found is not None:
            return replace(found, kind=content_type)
    notes = (f"not readable as {content_type}: read as text",) if content_type in _NAMED else ()
    return Reading(content_type, text, False, notes=notes)
