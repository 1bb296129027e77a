"""Which kind of text this is: ONE table of name, sniff (a cheap look) and read (the proof), most certain first."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from service.core.forms.aligned import looks_aligned, read_aligned
from service.core.forms.delimited import looks_csv, looks_tsv, read_csv, read_tsv
from service.core.forms.documents import looks_diff, looks_markdown, looks_rst
from service.core.forms.exposition import looks_exposition, read_exposition
from service.core.forms.fields import looks_fields, read_fields
from service.core.forms.jsons import (
    looks_joined,
    looks_json,
    looks_jsonl,
    looks_within,
    read_joined,
    read_json,
    read_jsonl,
    read_within,
)
from service.core.forms.logs import looks_log, looks_repetitive, read_text
from service.core.forms.markup import looks_html, read_html
from service.core.forms.pairs import looks_pairs, looks_records, read_pairs
from service.core.forms.piped import looks_piped, read_piped
from service.core.forms.reading import Reading
from service.core.forms.reprs import looks_lenient, looks_repr, read_repr
from service.core.forms.sample import SMALL, Sample, sample
from service.core.forms.sections import looks_sections, read_sections
from service.core.forms.snapshots import looks_snapshot
from service.core.forms.source import looks_code
from service.core.forms.tomls import looks_toml, read_toml
from service.core.forms.trees import looks_tree, read_tree
from service.core.forms.wraps import unwrapped
from service.core.forms.xmls import looks_xml, read_xml
from service.core.forms.yamls import looks_yaml, read_yaml


class Kind(NamedTuple):
    """One rung: the contentType it stands for, whether a text looks like it, and its reader, which may decline."""

    name: str
    sniff: Callable[[Sample], bool]
    read: Callable[[str], Reading | None]


KINDS = (
    Kind("jsonl", looks_jsonl, read_jsonl),
    Kind("json", looks_json, read_json),
    Kind("jsonl", looks_joined, read_joined),
    Kind("repr", looks_repr, read_repr),
    Kind("json", looks_lenient, read_repr),
    Kind("json", looks_within, read_within),
    Kind("html", looks_xml, read_xml),
    Kind("html", looks_html, read_html),
    Kind("prose", looks_tree, read_tree),
    Kind("markdown", looks_snapshot, partial(read_text, "markdown")),
    Kind("diff", looks_diff, partial(read_text, "diff")),
    Kind("log", looks_exposition, read_exposition),
    Kind("tsv", looks_piped, read_piped),
    Kind("tsv", looks_tsv, read_tsv),
    Kind("csv", looks_csv, read_csv),
    Kind("log", looks_fields, read_fields),
    Kind("tsv", looks_sections, read_sections),
    Kind("tsv", looks_aligned, read_aligned),
    Kind("prose", looks_records, read_pairs),
    Kind("log", looks_log, partial(read_text, "log")),
    Kind("code", looks_toml, read_toml),
    Kind("code", looks_yaml, read_yaml),
    Kind("log", looks_repetitive, partial(read_text, "log")),
    Kind("prose", looks_pairs, read_pairs),
    Kind("rst", looks_rst, partial(read_text, "rst")),
    Kind("markdown", looks_markdown, partial(read_text, "markdown")),
    Kind("code", looks_code, partial(read_text, "code")),
    Kind("prose", lambda seen: True, partial(read_text, "prose")),
)


def climb(text: str) -> Reading:
    """What a text says, by the first rung that holds."""
    if (ended := _ended(text)) != text:
        reading = climb(ended)
        return reading if reading.structured else replace(reading, value=text)
    seen = sample(text)
    failed: list[str] = []
    for kind in KINDS:
        try:
            found = kind.read(text) if kind.sniff(seen) else None
        except Exception as error:  # a defect in one reader must cost quality, never the answer
            failed.append(f"reading as {kind.name} failed: {type(error).__name__}")
            continue
        if found is not None:
            return replace(found, notes=(*found.notes, *failed)) if failed else found
    return Reading("prose", text, False, notes=tuple(failed))


def recognise(text: str) -> str:
    """The contentType of a text, from a bounded look at it."""
    wrap = unwrapped(text)
    text = _ended(wrap.body if wrap else text)
    if len(text) <= SMALL:
        return climb(text).kind
    seen = sample(text)
    return next((kind.name for kind in KINDS if _looks(kind, seen)), "prose")


def _looks(kind: Kind, seen: Sample) -> bool:
    try:
        return kind.sniff(seen)
    except Exception:  # as above: the next rung holds
        return False


def _ended(text: str) -> str:
    """A text whose lines all end in a lone CR, as old spreadsheets write them, with the usual ends."""
    return text.replace("\r", "\n") if "\n" not in text and "\r" in text else text
