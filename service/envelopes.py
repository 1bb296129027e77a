"""What an answer says of itself: `meta` for every kind of answer, kept under 2 KB."""

from datetime import UTC, datetime
from typing import Any

import msgspec
from msgspec import UNSET, Raw, UnsetType

from schemas.api import Answer, Details, Meta, Omitted, Shadow, Step
from schemas.tape import View
from service.core import ledger, lines, paths, tokens, values
from service.core.chunk import Cut
from service.core.lists import find_list
from service.core.page import Page
from service.core.payload import Compacted, Payload
from service.job import UNLIMITED, Job

_MOST = 1900  # bytes of `meta`, its braces and the request id aside
_encode = msgspec.json.Encoder().encode
_NAMED = 20  # fields listed by name
_UNSAVED = ("The store is full: no cursor leads to the rest. Narrow the question: path, fields, query, find or limit.",)


def _common(job: Job, kind: str, budget: int, spent: int, complete: bool) -> dict[str, Any]:
    return {
        "kind": kind,
        "policy": job.plan.name,
        "complete": complete,
        "original_tokens": job.original_tokens(),
        "estimated_tokens": spent,
        "budget": budget,
        "budget_used": round(spent / budget, 2),
        "budget_remaining": max(0, budget - spent),
        "tokenizer": job.family,
        "expires_at": stamp(job.expires) if job.expires else UNSET,
        "degraded": job.degraded or UNSET,
        "notes": _notes(job) if job.notes or job.degraded else UNSET,
        "steps": _steps(job, spent) if job.ask.explain else UNSET,
    }


def _notes(job: Job) -> Any:
    unsaved = _UNSAVED if job.degraded == "unsaved" else ()
    return list(dict.fromkeys((*unsaved, *job.notes))) or UNSET


def _steps(job: Job, spent: int) -> list[Step]:
    """The way of a page or chunk, when `explain` asks for it: what came in, what goes out."""
    return [Step(step="received", tokens=job.original_tokens()), Step(step="window", tokens=spent)]


def stamp(seconds: float) -> str:
    """Epoch seconds as ISO 8601 in UTC."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def page(
    job: Job,
    made: Page,
    view: View,
    offset: int,
    *,
    hits: list[int] | None,
    whole: bool,
    lost: bool,
    details: Details | None,
) -> Meta:
    """`meta` of a page, of a list that fits whole, or of the hits of a search."""
    job.notes.extend(made.notes)
    known: dict[str, Any] = {"total_count": view.total, "page_size": made.taken}
    if not whole:
        known |= _place(made, view, offset)
    if hits is not None:
        known |= {"total_hits": view.count, "hits": hits}
    entries = (*made.omitted, *job.seen.get("around_omitted", ()))
    kind = "hits" if view.find else "full" if whole else "page"
    return fitted(
        Meta(
            **_common(job, kind, job.budget_of(view), made.tokens, whole and not lost),
            format="json",
            content_type=view.content_type,
            path=view.path or UNSET,
            **known,
            omitted=_listed(entries),
            missing_fields=list(made.missing[:_NAMED]) or UNSET,
            details_available=details or UNSET,
        )
    )


def _place(made: Page, view: View, offset: int) -> dict[str, Any]:
    """Where a page stands in its list."""
    return {
        "limit": view.limit if view.limit < UNLIMITED else view.count,
        "offset": offset,
        "has_more": offset + made.taken < view.count,
        "limited_by": made.limited_by,
    }


def chunk(
    job: Job,
    cut: Cut,
    view: View,
    index: int,
    spent: int,
    *,
    omitted: tuple[Omitted, ...],
    details: Details | None,
) -> Meta:
    """`meta` of a chunk, or of a text that fits whole."""
    whole = view.count == 1 and not omitted
    return fitted(
        Meta(
            **_common(job, "full" if whole else "chunk", view.budget, spent, whole),
            format="text",
            content_type=view.content_type,
            path=view.path or UNSET,
            chunk_index=index,
            total_chunks=view.count,
            start_line=cut.start_line,
            end_line=cut.end_line,
            total_lines=view.total_lines,
            boundary=cut.boundary,
            heading=cut.heading or UNSET,
            omitted=_listed(omitted),
            details_available=details or UNSET,
        )
    )


def hits(job: Job, view: View, spent: int, lines: list[int], details: Details | None) -> Meta:
    """`meta` of the lines that a search found."""
    return fitted(
        Meta(
            **_common(job, "hits", view.budget, spent, False),
            format="text",
            content_type=view.content_type,
            path=view.path or UNSET,
            total_lines=view.total_lines,
            total_hits=view.count,
            hits=lines,
            details_available=details or UNSET,
        )
    )


def compacted(job: Job, made: Compacted, budget: int, details: Details | None) -> Meta:
    """`meta` of a compacted payload."""
    job.notes.extend(made.notes)
    preview: dict[str, Any] = {}
    if made.cut:
        preview = {"total_fields": made.total_fields, "projected_fields": list(made.projected_fields[:_NAMED])}
    if made.missing_fields:
        preview["missing_fields"] = list(made.missing_fields[:_NAMED])
    common = _common(job, "preview" if made.cut else "full", budget, made.tokens, made.complete)
    if made.steps:
        common["steps"] = [Step(step=step.step, tokens=step.tokens) for step in made.steps]
    return fitted(
        Meta(
            **common,
            format=made.format,
            content_type=made.content_type,
            **preview,
            omitted=_listed(made.omitted),
            details_available=details or UNSET,
            fallback=True if made.fallback_reason else UNSET,
            fallback_reason=made.fallback_reason or UNSET,
        )
    )


def untouched(job: Job, endpoint: str, payload: Payload, shadow: Shadow | UnsetType = UNSET) -> Answer:
    """Everything as it came, whatever the budget; `shadow` is what a policy in that mode would have answered."""
    kind = payload.content_type or ("json" if payload.form == "json" else "prose")
    if endpoint == "/paginate":
        listing = find_list(payload, job.ask.path or "", job.plan.policy.items_path or None)
        body = b"[" + listing.tape[listing.starts[0] : listing.starts[-1]] + b"]"
        known = {"path": paths.spell(listing.steps) or UNSET, "total_count": listing.count, "page_size": listing.count}
        around = listing.around or b""
        meta = _unbound(job, endpoint, body + around, "json", listing.content_type, shadow=shadow, **known)
        return Answer(items=Raw(body), around=Raw(listing.around) if listing.around else UNSET, meta=meta)
    if endpoint == "/chunk":
        total = lines.total_lines(lines.line_index(payload.data))
        known = {"chunk_index": 0, "total_chunks": 1, "start_line": 1, "end_line": total, "total_lines": total}
        meta = _unbound(job, endpoint, payload.data, "text", kind, boundary="end", shadow=shadow, **known)
        return Answer(text=payload.data.decode(), meta=meta)
    if payload.form == "json":
        return Answer(data=Raw(payload.data), meta=_unbound(job, endpoint, payload.data, "json", kind, shadow=shadow))
    meta = _unbound(job, endpoint, payload.data, "text", kind, shadow=shadow)
    return Answer(data=Raw(values.encode(payload.data.decode())), meta=meta)


def _unbound(job: Job, endpoint: str, body: bytes, form: str, kind: str, **known: Any) -> Meta:
    spent = tokens.estimate(body, job.family)
    common = _common(job, "full", job.budget(endpoint), spent, True)
    return Meta(**common, format=form, content_type=kind, **known)


def _listed(entries: tuple[Omitted, ...]) -> Any:
    """The ledger of an answer: its largest entries and the sum of the others."""
    named = sorted((row for row in entries if row.path != "*"), key=lambda row: (-row.tokens, row.path))
    rest = [row for row in entries if row.path == "*"] + named[ledger.LISTED :]
    listed = named[: ledger.LISTED]
    if rest:
        paths = sum(row.paths or 1 for row in rest)
        listed.append(Omitted(path="*", paths=paths, tokens=sum(row.tokens for row in rest)))
    return listed or UNSET


def fitted(meta: Meta) -> Meta:
    """The same `meta` in at most 2 KB: long names and lists give way first, numbers never."""
    for trim in (_shorter_names, _shorter_notes, _fewer_entries, _no_names, _no_path):
        said = meta if meta.steps is UNSET else msgspec.structs.replace(meta, steps=UNSET)
        if len(_encode(said)) <= _MOST:
            return meta
        meta = trim(meta)
    return meta


def _clipped(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _shorter_names(meta: Meta) -> Meta:
    names = {
        name: [_clipped(word, 40) for word in listed[:8]]
        for name in ("projected_fields", "missing_fields")
        if (listed := getattr(meta, name)) is not UNSET
    }
    hits = {"hits": meta.hits[:60]} if meta.hits is not UNSET else {}
    heading = {"heading": _clipped(meta.heading, 120)} if meta.heading is not UNSET else {}
    return msgspec.structs.replace(meta, **names, **hits, **heading)


def _shorter_notes(meta: Meta) -> Meta:
    notes = [_clipped(note, 120) for note in meta.notes[:4]] if meta.notes is not UNSET else UNSET
    reason = _clipped(meta.fallback_reason, 120) if meta.fallback_reason is not UNSET else UNSET
    return msgspec.structs.replace(meta, notes=notes, fallback_reason=reason)


def _fewer_entries(meta: Meta) -> Meta:
    """Entries whose paths are long go into the sum."""
    if meta.omitted is UNSET:
        return meta
    listed, rest = [row for row in meta.omitted if row.path != "*"], [row for row in meta.omitted if row.path == "*"]
    short = [row for row in listed if len(row.path) <= 80][:4]
    gone = [row for row in listed if row not in short]
    paths = len(gone) + sum(row.paths or 0 for row in rest)
    total = Omitted(path="*", paths=paths, tokens=sum(row.tokens for row in (*gone, *rest)))
    return msgspec.structs.replace(meta, omitted=[*short, total] if paths else short)


def _no_names(meta: Meta) -> Meta:
    return msgspec.structs.replace(meta, projected_fields=UNSET, missing_fields=UNSET, hits=UNSET, notes=UNSET)


def _no_path(meta: Meta) -> Meta:
    """A path of more than a kilobyte: the details are then the whole snapshot's, which every cursor opens."""
    details = meta.details_available
    if details is not UNSET and len(details.parameters.get("path", "")) > 120:
        known = {"cursor": details.parameters["cursor"], "fields": "all"}
        details = Details(endpoint="/compact", parameters={**known, "path": ""})
    path = _clipped(meta.path, 120) if meta.path is not UNSET else UNSET
    return msgspec.structs.replace(meta, path=path, details_available=details)
