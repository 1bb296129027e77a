"""Phase (c): from a value that does not fit, or that somebody wants in a notation, to a body that does."""

from collections.abc import Callable
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
from service.core.unwrap import unwrapped
from service.errors import Refusal

DEEP = 120  # levels; deeper values are JSON
HOPELESS = 40  # bytes of JSON a token: no notation is so dense
CUTS = (12_000, 5000, 2000, 600, 200)  # characters that a string in JSON may be cut to, tried in turn
LONGEST = 6  # characters of a string for each token of the budget
ROOMY = 0.5  # of the room that is filled
LOOKED = 2000  # values
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
    value = unwrapped(job.value)
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


def _tree(job: Job, tables: bool, chars: int = 0) -> Node:
    value = unwrapped(job.value) if tables else job.value
    raw = values.encode(job.value).decode() if job.wish.query else ""
    look = lens(job.wish.query, job.plan, raw, value)
    builder = Builder(look, job.plan, job.wish.query, job.wish.family, tables, chars)
    return builder.around(job.reading, value) if tables else builder.build(value)


def _ranked(job: Job) -> Body | None:
    node = _tree(job, tables=True)
    form = "table" if job.reading.structured else "text"
    found = fit(lambda level, ledger: as_table.render(node, level, ledger), job.limits, job.expired, costs=guess(node))
    return _fitted(found, form, node)


def _ranked_json(job: Job) -> Body | None:
    """As JSON; where that leaves half of the room, with long strings cut that would have to be left out."""
    best: Body | None = None
    for chars in (0, *(chars for chars in CUTS if chars < LONGEST * job.limits.tokens)):
        node = _tree(job, tables=False, chars=chars)
        found = fit(partial(as_json.render, node), job.limits, job.expired, costs=guess(node))
        body = _fitted(found, "json", node)
        if body is not None and (best is None or len(body.data) > len(best.data)):
            best = body
        full = best is not None and job.limits.share(best.data) > ROOMY
        if full or not job.reading.structured or not _long_strings(job.value):
            break
    return best


def _long_strings(value: Any) -> bool:
    """Whether a string in a value is long enough to be cut; of a large value nobody asks."""
    waiting = [value]
    for one in waiting:
        if isinstance(one, str) and len(one) > CUTS[-1]:
            return True
        if isinstance(one, dict | list) and len(waiting) < LOOKED:
            waiting.extend(one.values() if isinstance(one, dict) else one)
    return False


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
