"""Phase (c): from a value that does not fit, or that somebody wants in a notation, to a body that does."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from typing import Any
from zlib import compressobj

from msgspec import UNSET, structs

from schemas.api import Omitted
from service.core import markers, values
from service.core.exact import exact
from service.core.fit import Fitted, Limits, fit, guess
from service.core.forms.depth import deeper
from service.core.ledger import Ledger, unit_of
from service.core.outline import outline
from service.core.payload import Wish
from service.core.plan import Plan
from service.core.rank import Builder, Node, Obj, lens
from service.core.read import Reading
from service.core.render import json as as_json, table as as_table
from service.core.render.lines import render_kv, render_lines
from service.core.render.template import Rows, template_rows
from service.core.summarise import summarise
from service.core.truncate import each_text, truncate
from service.core.unwrap import unwrap
from service.errors import Refusal

DEEP = 120  # levels; deeper values are JSON
HOPELESS = 40  # bytes of JSON a token: no notation is so dense
_OPENS = re.compile(rb'"(?: |\\[ntr])*+[{\[]')  # the start of a string that may hold JSON, in JSON
_CLOSES = re.compile(rb'(?:[^"\\]++|\\.)*+(?:(?<=[}\] ])|(?<=\\[ntr]))"')  # and its end
ROWS = 1000  # of a list that are looked through at once
PART = 16_384  # bytes that are compressed at once
DENSEST = 0.6  # tokens that are left of a byte that zlib cannot save


@dataclass(frozen=True, slots=True)
class Job:
    """One value to compact."""

    reading: Reading
    value: Any
    plan: Plan
    wish: Wish
    limits: Limits
    expired: Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Body:
    """A body and what is to be said about it."""

    data: bytes
    format: str
    cut: bool = False
    omitted: tuple[Omitted, ...] = ()
    shown: tuple[str, ...] = ()
    reason: str = ""
    notes: tuple[str, ...] = ()
    step: str = "as it is"
    level: float = 0.0  # the price it was cut at


PLAIN: dict[str, Callable[[Node, float, Ledger], bytes]] = {"lines": render_lines, "kv": render_kv}
Rungs = tuple[tuple[str, Callable[[Job], Body | None]], ...]


def compacted(job: Job, small: bytes | None) -> Body:
    """The fullest body within the limits, on the first rung that holds."""
    shorter = _shortened(job)
    if shorter is not None:
        job, lost = shorter
        body = compacted(job, values.encode(job.value))
        return replace(body, cut=True, omitted=(*body.omitted, *lost))
    rungs: Rungs = (
        ("minify", lambda job: _minified(job, small)),
        ("table", lambda job: _lossless(job, len(small or b""))),
        ("fit", _ranked),
        ("fit json", _ranked_json),
        ("marker", _marker),
    )
    return _last(job, *_first(job, rungs))


def _shortened(job: Job) -> tuple[Job, tuple[Omitted, ...]] | None:
    """The job with long texts as short as the policy wants them, when it wants that and there are any."""
    policy, lost = job.plan.policy, Ledger()
    if job.wish.verbatim or (policy.truncate is UNSET and policy.summarise is UNSET) or not job.reading.structured:
        return None

    def change(text: str) -> str:
        if policy.summarise is not UNSET:
            told = policy.summarise
            text = summarise(text, told.chars, told.sentences, job.plan.keywords, job.wish.query)
        return text if policy.truncate is UNSET else truncate(text, policy.truncate.chars)

    value = each_text(job.value, change, job.plan.guard.hits, lost)
    if not len(lost):
        return None
    calm = replace(job.plan, policy=structs.replace(policy, truncate=UNSET, summarise=UNSET))
    return replace(job, value=value, plan=calm), lost.entries()


def named(job: Job, notation: str) -> Body | None:
    """The value in the notation that somebody asked for, cut to fit; None when it cannot be told in it."""
    if notation == "template":
        return _first(job, (("template", _template),))[0]
    if notation == "json":
        small = values.encode(job.value) if job.reading.structured else None
        last = partial(_marker, form="json")
        rungs: Rungs = (("minify", lambda job: _minified(job, small)), ("fit json", _ranked_json), ("marker", last))
        return _last(job, *_first(job, rungs))
    if notation == "table":
        return _last(job, *_first(job, (("table", _lossless), ("fit", _ranked), ("marker", _marker))))
    if notation in PLAIN and job.reading.structured:
        rungs = ((f"fit {notation}", partial(_plain, notation=notation)), ("marker", _marker))
        return _last(job, *_first(job, rungs))
    return None


def _plain(job: Job, notation: str) -> Body | None:
    """Lines or kv: whole when that fits, else cut."""
    node, render = _tree(job, tables=False), PLAIN[notation]
    whole = render(node, 0.0, Ledger())
    if job.limits.hold(whole):
        return Body(whole, notation)
    found = fit(partial(render, node), job.limits, job.expired, costs=guess(node))
    return _fitted(found, notation, node)


def _first(job: Job, rungs: Rungs) -> tuple[Body | None, str]:
    """The body of the first rung that has one, and the first rung that failed."""
    reason = ""
    for name, rung in rungs:
        try:
            body = rung(job)
        except Refusal:
            raise
        except Exception as error:  # a defect in one rung must cost quality, never the answer
            reason = reason or f"{name} failed: {type(error).__name__}"
            continue
        if body is not None and job.limits.hold(body.data):
            return replace(body, reason=reason, step=name), reason
    return None, reason


def _last(job: Job, body: Body | None, reason: str) -> Body:
    """The body, or, when the byte cap is below one marker, as much of that as goes."""
    if body is not None:
        return body
    text = markers.stand_in(job.value).encode()[: max(0, job.limits.size)].decode(errors="ignore")
    lost = Omitted(path="", unit="text", by="fit", kept=0, total=1, tokens=1)
    return Body(text.encode(), "text", True, (lost,), reason=reason, step="marker", level=inf)


def _minified(job: Job, small: bytes | None) -> Body | None:
    return Body(small, "json") if small is not None else None


def _lossless(job: Job, size: int = 0) -> Body | None:
    """The whole value as text, when it can fit at all; `size` is that of its JSON, escapes make it up to six times."""
    if not job.reading.structured or size > 6 * HOPELESS * job.limits.tokens:
        return None
    raw = values.encode(job.value)
    if len(raw) > HOPELESS * job.limits.tokens or _dense(raw, job.limits.tokens) or deeper(raw, DEEP):
        return None
    value = _open(job.value)
    around = [part.strip() for part in (job.reading.before, job.reading.after)]
    for shelved in (True, False):
        text = "\n".join(part for part in (around[0], exact(value, shelved), around[1]) if part)
        if job.limits.hold(text.encode()):
            return Body(text.encode(), "table")
        if "\n&" not in text:
            break  # nothing was told once: the second form is the same
    return None


def _dense(raw: bytes, tokens: int) -> bool:
    """Whether a text says too much for any notation: what zlib makes of it is over so many tokens."""
    packer, size = compressobj(1), 0
    for start in range(0, len(raw), PART):
        size += len(packer.compress(raw[start : start + PART]))
        if size * DENSEST > tokens:
            return True
    return (size + len(packer.flush())) * DENSEST > tokens


def _open(value: Any) -> Any:
    """The value with the JSON in its strings opened, when there can be any."""
    quotes = holds = False
    for raw in _pieces(value):
        quotes, holds = quotes or b'\\"' in raw, holds or _holds_json(raw)
        if quotes and holds:
            return unwrap(value)
    return value


def _pieces(value: Any) -> Iterator[bytes]:
    """A value as JSON, piece by piece: of a large one there need not be another copy."""
    if isinstance(value, dict):
        yield values.encode(list(value))
        for child in value.values():
            yield from _pieces(child) if type(child) is list else (values.encode(child),)
    elif isinstance(value, list):
        for start in range(0, len(value), ROWS):
            yield values.encode(value[start : start + ROWS])
    else:
        yield values.encode(value)


def _holds_json(raw: bytes) -> bool:
    """Whether a string in this JSON begins and ends like JSON; an escaped quote begins none."""
    return any(
        raw[hit.start() - 1 : hit.start()] != b"\\" and _CLOSES.match(raw, hit.end() - 1)
        for hit in _OPENS.finditer(raw)
    )


def _tree(job: Job, tables: bool) -> Node:
    value = _open(job.value) if tables else job.value
    raw = values.encode(job.value).decode() if job.wish.query else ""
    builder = Builder(lens(job.wish.query, job.plan, raw, value), job.plan, job.wish.query, job.wish.family, tables)
    return builder.around(job.reading, value) if tables else builder.build(value)


def _ranked(job: Job) -> Body | None:
    node = _tree(job, tables=True)
    form = "table" if job.reading.structured else "text"
    found = fit(lambda level, ledger: as_table.render(node, level, ledger), job.limits, job.expired, costs=guess(node))
    return _fitted(found, form, node)


def _ranked_json(job: Job) -> Body | None:
    node = _tree(job, tables=False)
    found = fit(lambda level, ledger: as_json.render(node, level, ledger), job.limits, job.expired, costs=guess(node))
    return _fitted(found, "json", node)


def _fitted(found: Fitted | None, form: str, node: Node) -> Body | None:
    if found is None or found.level > node.price:  # the one marker is another rung
        return None
    entries = found.ledger.entries()
    shown = tuple(key for key, kid in node.kids.items() if kid.price >= found.level) if isinstance(node, Obj) else ()
    cut = len(found.ledger) > 0  # a text that is told by its templates has lost no line, but is not whole
    return Body(found.body, form, cut, entries, shown, level=found.level)


def _marker(job: Job, form: str = "text") -> Body:
    """The outermost names, or, where there is no room for them, the one marker."""
    told = outline(job.value, job.limits)
    if told is not None and isinstance(told.value, str):
        return Body(told.value.encode(), "text", True, told.ledger.entries(), level=inf)
    if told is not None:
        return Body(values.encode(told.value), "json", True, told.ledger.entries(), level=inf)
    lost = Ledger()
    total = len(job.value) if isinstance(job.value, dict | list) else 1
    lost.add("", unit_of(job.value), "fit", 0, max(1, total), 1)
    text = markers.stand_in(job.value)
    if form == "json":
        return Body(values.encode(text), form, True, lost.entries(), level=inf)
    return Body(text.encode(), "text", True, lost.entries(), level=inf)


def _template(job: Job) -> Body | None:
    rows = template_rows(job.value, job.plan, job.wish)
    if rows is None:
        return None
    shown = _most(rows, job.limits)
    lost = Ledger(rows.omitted)
    if shown < rows.total:
        lost.add(rows.path, "items", "fit", shown, rows.total, sum(len(row) for row in rows.rows[shown:]) / 3.4)
    level = inf if shown < rows.total else 0.0
    return Body(_worded(rows, shown), "template", shown < rows.total, lost.entries(), level=level)


def _worded(rows: Rows, shown: int) -> bytes:
    """Header, rows, and a marker where rows are missing that the policy has no words for."""
    text = rows.text(shown)
    if shown < rows.total and not rows.more(rows.total - shown):
        text += "\n" + markers.line_gap(rows.total - shown, shown + 1, rows.total)
    return text.encode()


def _most(rows: Rows, limits: Limits) -> int:
    """How many rows fit."""
    low, high = 0, len(rows.rows)
    if limits.hold(_worded(rows, high)):
        return high
    while low < high:
        middle = (low + high + 1) // 2
        if limits.hold(_worded(rows, middle)):
            low = middle
        else:
            high = middle - 1
    return low
