"""Which kind of text this is: ONE table of name, sniff (a cheap look) and read (the proof), most certain first."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from service.core.forms.documents import looks_code, looks_diff, looks_markdown, looks_rst
from service.core.forms.jsons import looks_json, looks_jsonl, read_json, read_jsonl
from service.core.forms.logs import looks_log, read_text
from service.core.forms.reading import Reading
from service.core.forms.sample import Sample, sample


class Kind(NamedTuple):
    """One rung: the contentType it stands for, whether a text looks like it, and its reader, which may decline."""

    name: str
    sniff: Callable[[Sample], bool]
    read: Callable[[str], Reading | None]


KINDS = (
    Kind("jsonl", looks_jsonl, read_jsonl),
    Kind("json", looks_json, read_json),
    Kind("diff", looks_diff, partial(read_text, "diff")),
    Kind("log", looks_log, partial(read_text, "log")),
    Kind("rst", looks_rst, partial(read_text, "rst")),
    Kind("markdown", looks_markdown, partial(read_text, "markdown")),
    Kind("code", looks_code, partial(read_text, "code")),
    Kind("prose", lambda seen: True, partial(read_text, "prose")),
)


def recognise(text: str) -> str:
    """The contentType of a text, from a bounded look at it."""
    seen = sample(text)
    return next(kind.name for kind in KINDS if kind.sniff(seen))
