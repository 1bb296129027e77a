"""The engine: a payload and a wish in, the best body that fits out. The order of everything is here.

(a) steps that somebody wished for run always; (b) what then fits goes out as it is; (c) the rest is compacted: densest
lossless notation first, then ranked and cut at one price. A rung that fails falls to the next safer one.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from msgspec import UNSET

from schemas.api import Omitted, Step
from service.core import values
from service.core.compaction import HOPELESS, Body, Job, compacted, named
from service.core.fit import Limits, never
from service.core.ledger import Cause, Ledger, brief, fields_of, rooted, total_fields
from service.core.markers import MARK
from service.core.paths import parse, resolve
from service.core.payload import Compacted, Payload, Wish
from service.core.plan import Plan
from service.core.read import Reading, read
from service.core.read.ladder import read_text
from service.core.steps import Stepped, steps
from service.core.tokens import estimate
from service.core.verify import missing

_NAMED_GAP = re.compile(rf"{MARK} \d+ more fields: [^\n]*")  # names what is not there

SPACES = b" \t\r\n"
PIECE = 1 << 16  # bytes looked through at once


@dataclass(frozen=True, slots=True)
class _Seen:
    """What was read, and what the wished steps left of it."""

    payload: Payload
    plan: Plan
    wish: Wish
    reading: Reading
    stepped: Stepped
    original: int


def compact(payload: Payload, plan: Plan, wish: Wish, expired: Callable[[], bool] = never) -> Compacted:
    """The answer to one /compact, without its envelope."""
    limits = Limits(wish.budget, wish.byte_cap, wish.family)
    original = estimate(payload.data, wish.family)
    if payload.form == "json":
        whole = payload.data.strip(SPACES)  # those around a JSON text are not part of it
        if whole[:1] in (b"{", b"[") and len(whole) <= limits.size and _unwished(plan, wish):
            tokens = original if len(whole) == len(payload.data) else estimate(whole, wish.family)
            if tokens <= limits.tokens:
                return Compacted(whole, "json", "json", tokens, original, cut=False, complete=True)
        payload = Payload(whole, "json", payload.content_type)
    reading = read(payload.data, payload.form, payload.content_type)
    value = reading.value
    if wish.path:
        value = resolve(value, wish.path)
        inner = read_text(value) if isinstance(value, str) else Reading("json", value, True)
        reading = Reading(inner.kind, inner.value, inner.structured, inner.before, inner.after, inner.notes)
        value = reading.value
    stepped = steps(value, plan, wish, parse(wish.path)) if reading.structured else _text(value, wish)
    seen = _Seen(payload, plan, wish, reading, stepped, original)
    notation = _notation(plan, wish) if reading.structured else "auto"  # a notation is for values
    received = _received(seen, limits)
    if notation == "auto" and limits.hold(received.data) and len(received.data) <= len(payload.data):
        return _answer(seen, Body(received.data, received.format))
    within = replace(limits, size=min(limits.size, len(payload.data)))
    job = Job(reading if wish.fields is None else _bare(reading), stepped.value, plan, wish, within, expired)
    told = named(job, notation) if notation != "auto" else None
    body = told or compacted(job, received.small)
    if notation == "template" and told is None:
        body = replace(body, reason=body.reason or f"no template of policy {plan.name} fits this payload")
    return _answer(seen, _smaller(body, received, limits, notation))


def _text(value: Any, wish: Wish) -> Stepped:
    """A text takes no step; of one there are no fields to choose from."""
    if not wish.fields:
        return Stepped(value)
    return Stepped(value, missing=wish.fields, notes=("`fields` names parts of an object; this payload is text.",))


def _unwished(plan: Plan, wish: Wish) -> bool:
    """Whether nobody wishes for anything but what fits."""
    asked = wish.path or wish.fields is not None or wish.explain
    return not asked and not plan.has_steps and _notation(plan, wish) == "auto"


@dataclass(frozen=True, slots=True)
class _Received:
    """What would go out if nothing were compacted: as received, or without the spaces between tokens."""

    data: bytes
    format: str
    small: bytes | None  # as JSON, when it is a value


def _received(seen: _Seen, limits: Limits) -> _Received:
    whole, form = not seen.stepped.ran and not seen.wish.path, seen.payload.form
    if not seen.reading.structured:
        if whole and form == "json":
            return _Received(seen.payload.data, "json", None)
        if whole and limits.hold(seen.payload.data):  # before it was reduced
            return _Received(seen.payload.data, "text", None)
        return _Received(seen.reading.value.encode(), "text", None)
    written = whole and form == "json" and not isinstance(seen.reading.value, str) and seen.reading.kind == "json"
    small = _small(seen.payload.data, seen.wish) if written else values.encode(seen.stepped.value)
    worded = _around(seen.reading) and seen.wish.fields is None  # the JSON alone would not be all of it
    if whole:
        return _Received(seen.payload.data, "json" if form == "json" else "text", None if worded else small)
    if worded:
        parts = (seen.reading.before.strip(), small.decode(), seen.reading.after.strip())
        return _Received("\n".join(filter(None, parts)).encode(), "text", None)
    return _Received(small, "json", small)


def _around(reading: Reading) -> str:
    """The text that stands around a value."""
    return (reading.before.strip() + reading.after.strip()) if reading.structured else ""


def _bare(reading: Reading) -> Reading:
    return replace(reading, before="", after="")


def _unworded(seen: _Seen, body: Body) -> tuple[Omitted, ...]:
    """The text around a value, when it is gone: a notation of values, or a choice of fields, has no place for it."""
    text, wish, policy = _around(seen.reading), seen.wish, seen.plan.policy
    chosen = wish.fields is not None or wish.format != "auto"
    worded = body.format in ("table", "text") and body.step != "marker"
    if not text or body.data == seen.payload.data or (wish.fields is None and worded):
        return ()
    named = policy.format is not UNSET or seen.plan.templates
    by: Cause = "request" if chosen else "policy" if named else "fit"
    return (Omitted(path="", unit="text", by=by, kept=0, total=len(text), tokens=estimate(text, wish.family)),)


def _small(data: bytes, wish: Wish) -> bytes:
    """JSON without the spaces between its tokens; as it came where even so it can never be the answer."""
    enough, least = max(wish.byte_cap, 6 * HOPELESS * wish.budget), 0  # no rung looks at more than that
    for start in range(0, len(data), PIECE):
        least += len(data[start : start + PIECE].translate(None, SPACES))
        if least > enough:
            return data
    return values.minify(data)


def _notation(plan: Plan, wish: Wish) -> str:
    """The notation that somebody named, or auto."""
    if wish.verbatim:
        return wish.format
    if wish.format == "auto" and plan.policy.format is not UNSET:
        return plan.policy.format
    return "template" if wish.format == "auto" and plan.templates else wish.format


def _smaller(body: Body, received: _Received, limits: Limits, notation: str) -> Body:
    """The body, or what was received when that is not larger and fits."""
    if not limits.hold(received.data):
        return body
    wished = not body.cut or (body.format == "template" and notation == "template")
    if wished and estimate(body.data, limits.family) <= estimate(received.data, limits.family):
        return body
    plain = received.small if received.small is not None and len(received.small) <= len(received.data) else None
    form = "json" if plain is not None else received.format
    return Body(plain if plain is not None else received.data, form, reason=body.reason)


def _answer(seen: _Seen, body: Body) -> Compacted:
    ledger = Ledger((*seen.stepped.omitted, *body.omitted, *_unworded(seen, body)))
    entries = ledger.entries()
    tokens = estimate(body.data, seen.wish.family)
    trace = (*seen.stepped.explained, Step(step=body.step, tokens=tokens)) if seen.wish.explain else ()
    cut = body.cut or _reduced(seen, body)
    lost = missing(body.data.decode(), seen.stepped.value, seen.plan, body.level) if cut else ()
    reason = body.reason or (f"must_keep did not fit: {', '.join(lost)}" if lost else "")
    return Compacted(
        body=body.data,
        format=body.format,
        content_type=seen.reading.kind,
        tokens=tokens,
        original_tokens=seen.original,
        cut=cut,
        complete=not cut and not entries,
        omitted=brief([rooted(entry, parse(seen.wish.path)) for entry in entries]),
        total_fields=total_fields(seen.reading.value) if cut else 0,
        projected_fields=(seen.stepped.projected or _shown(seen, body)) if cut else (),
        missing_fields=seen.stepped.missing,
        fallback_reason=reason,
        steps=trace,
        notes=(*_read_notes(seen, body), *seen.stepped.notes, *body.notes),
    )


def _shown(seen: _Seen, body: Body) -> tuple[str, ...]:
    """The fields that a body shows: of the object, or of the rows of a list."""
    value = seen.stepped.value
    if body.format == "json":
        value = values.decode(body.data)
        return tuple(key for key in fields_of(value) if key.strip(MARK))
    if isinstance(value, list):
        told = _NAMED_GAP.sub("", body.data.decode())
        gone = {entry.path for entry in body.omitted if entry.unit == "fields" and not entry.kept}
        return tuple(key for key in fields_of(value) if key in told and f"[].{key}" not in gone)
    return body.shown


def _read_notes(seen: _Seen, body: Body) -> tuple[str, ...]:
    """What is to be said about the reading: nothing about a reduction that was not needed."""
    untouched = not seen.reading.structured and body.data == seen.payload.data
    return () if untouched and seen.reading.kind == "html" else seen.reading.notes


def _reduced(seen: _Seen, body: Body) -> bool:
    """Whether a text goes out as less than itself: cut within a line, or as what a page of HTML says."""
    if seen.reading.structured or body.format != "text" or body.data == seen.payload.data:
        return False
    return seen.reading.kind == "html" or body.data != str(seen.reading.value).encode()
