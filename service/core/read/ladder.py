"""The reading ladder: every rung of `kinds.KINDS` in order, first on the whole text, then on what its wrapping holds."""

from typing import Literal

from service.core.forms.depth import deeper
from service.core.forms.jsons import read_joined, read_within
from service.core.forms.reading import Reading
from service.core.forms.sample import sample
from service.core.kinds import KINDS
from service.core.values import decode

_UNDECODED = "this JSON cannot be decoded without changing it, so it is treated as text"


def read(data: bytes, form: Literal["json", "text"], content_type: str | None) -> Reading:
    """What a payload says. Never raises for UTF-8: what cannot be read as values stays a text."""
    if form == "text":
        return read_text(data.decode(errors="replace"), content_type)
    try:
        value = None if deeper(data) else decode(data)
    except ValueError:
        return Reading("json", data.decode(errors="replace"), False, notes=(_UNDECODED,))
    return read_text(value, content_type) if isinstance(value, str) else Reading("json", value, True)


def read_text(text: str, content_type: str | None = None) -> Reading:
    """What a text says, by its named type or by the first rung that holds."""
    seen = sample(text)
    for kind in KINDS:
        if (kind.name == content_type) if content_type else kind.sniff(seen):
            found = kind.read(text)
            if found is not None:
                return found
    return read_joined(text) or read_within(text) or Reading(content_type or "prose", text, False)
