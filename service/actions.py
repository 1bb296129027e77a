"""The whole story of every endpoint: a payload or a cursor comes in, an answer within its budget goes out.

A request with a payload begins a walk. A request with a cursor goes on with one, or, when it says what else it wants
(a path, fields, a range, a search), begins another over the same snapshot. Whatever an answer leaves out is kept in a
snapshot first, so that its cursor leads to every byte.
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from msgspec import UNSET, Raw, structs

from schemas.api import OPTIONS, Answer, Ask, Details, Shadow
from service import chunks, envelopes, hits, mcp, mcp_walks, pages
from service.compute_engine import squeeze
from service.core import lists, slices, tokens, values
from service.core.cursor import Kind
from service.core.ledger import Ledger, rooted
from service.core.paths import parse
from service.core.payload import Compacted, Payload
from service.core.steps import Stepped, steps
from service.errors import Refusal, RequestInvalid
from service.job import Deps, Job, fields_of
from service.mcp_walks import refused
from service.opening import begin, sided

__all__ = ["Answer", "Ask", "Deps", "Payload", "chunk", "compact", "more", "paginate", "refused"]

_AGAIN = ("path", "query", "format", "as_of")
_CHOOSING = ("fields", "query", "format", "as_of", "limit", "offset", "sort", "find", "start_line", "end_line")
_LIFTED = "Policy {} says {}: the payload is whole and the budget was not applied."
Notes = tuple[str, ...]


async def compact(deps: Deps, ask: Ask, tenant: str, payload: Payload | None, notes: Notes = ()) -> Answer:
    """The best answer within the budget."""
    job = await begin(deps, "/compact", ask, tenant, payload, notes)
    return await _shaped(job, _compact)


async def paginate(deps: Deps, ask: Ask, tenant: str, payload: Payload | None, notes: Notes = ()) -> Answer:
    """A page of a list."""
    job = await begin(deps, "/paginate", ask, tenant, payload, notes)
    return await _shaped(job, _paginate)


async def chunk(deps: Deps, ask: Ask, tenant: str, payload: Payload | None, notes: Notes = ()) -> Answer:
    """A chunk of a text."""
    job = await begin(deps, "/chunk", ask, tenant, payload, notes)
    return await _shaped(job, _chunk)


async def more(deps: Deps, ask: Ask, tenant: str, payload: Payload | None = None, notes: Notes = ()) -> Answer:
    """Go on with any cursor: on its own endpoint, or on the one that its options belong to."""
    if ask.cursor is UNSET:
        raise RequestInvalid("/more needs a cursor.", "Send the cursor of an earlier answer.")
    try:
        job = await begin(deps, "/more", ask, tenant, payload, notes)
        job.ask = structs.replace(ask, shape=job.shape)
        job.endpoint = await _belongs(job)
        _useful(job)
        return await _shaped(job, _STORIES[job.endpoint])
    except Refusal as refusal:
        if ask.shape != "mcp":
            raise
        return refused(refusal, ask.tokenizer or "claude", ask.budget or 0)


def _useful(job: Job) -> None:
    """Refuses options that do not go together: each is for another endpoint."""
    known = OPTIONS[job.endpoint]
    odd = [name for name in _CHOOSING if name not in known and job.given(name)]
    if odd:
        wire = ", ".join(dict(zip(Ask.__struct_fields__, Ask.__struct_encode_fields__, strict=True))[n] for n in odd)
        raise RequestInvalid(
            f"These options do not go together: this request is for {job.endpoint}, which has no use for {wire}.",
            f"Leave {wire} out, or send it in a request of its own.",
        )


async def _listed(job: Job) -> bool:
    """Whether a search from a preview is one among items: the payload is JSON, or a repr, that holds a list."""
    if job.view is None or job.view.endpoint != "/compact":
        return False
    payload = await job.load()
    written = lists.is_json(payload) or chunks.kind_of(payload) == "repr"
    return written and lists.holds_list(payload, job.ask.path or "")


async def _shaped(job: Job, story: Callable[[Job], Awaitable[Answer]]) -> Answer:
    """The answer, as a CallToolResult when that is the shape."""
    if job.shape != "mcp":
        return await story(job)
    if job.cursor is None:
        if await _untouched(job, job.endpoint):
            return mcp.whole(job)
        if job.endpoint == "/compact" and not job.ask.path:
            return await mcp.compacted(job)
    return await mcp_walks.dressed(job, await story(job))


async def _belongs(job: Job) -> str:
    """The endpoint that a request to /more is for."""
    ask, own = job.ask, job.view.endpoint if job.view else "/compact"
    if ask.start_line is not UNSET or ask.end_line is not UNSET:
        return "/chunk"
    if ask.limit is not UNSET or ask.offset is not UNSET or ask.sort is not UNSET:
        return "/paginate"
    if ask.find is not UNSET:
        return "/paginate" if own == "/paginate" or await _listed(job) else "/chunk"
    if any(job.given(name) for name in ("query", "format", "as_of")):
        return "/compact"
    if job.given("path") or (job.given("fields") and own == "/chunk"):
        return "/compact"
    return own


async def _paginate(job: Job) -> Answer:
    if job.goes_on:
        return await pages.next_page(job)
    if job.payload is not None and (whole := await _untouched(job, "/paginate")) is not None:
        return whole
    fresh = job.cursor is None or not job.given("path", "find")
    return await pages.first_page(job, around=fresh)


async def _chunk(job: Job) -> Answer:
    if job.goes_on and job.view is not None:
        return await (hits.next_hits(job) if job.view.kind == "hits" else chunks.next_chunk(job))
    if job.payload is not None and (whole := await _untouched(job, "/chunk")) is not None:
        return whole
    return await (hits.first_hits(job) if job.ask.find else chunks.first_chunk(job))


async def _compact(job: Job) -> Answer:
    fields, verbatim = fields_of(job.ask)
    if job.goes_on and job.view is not None and job.view.endpoint != "/compact" and not job.given(*_AGAIN):
        return await _STORIES[job.view.endpoint](job)  # the walk over a part that did not fit
    if job.cursor is not None and (verbatim or fields or (job.goes_on and not job.given(*_AGAIN))):
        return await _details(job)
    if job.payload is not None and (whole := await _untouched(job, "/compact")) is not None:
        return whole
    payload = await job.load()
    made = await _squeezed(job, payload)
    if job.plan.policy.mode == "shadow" and job.cursor is None:
        job.notes.append(_LIFTED.format(job.plan.name, "mode shadow"))
        shadow = Shadow(would_be_tokens=made.tokens, outcome="preview" if made.cut else "full")
        return envelopes.untouched(job, "/compact", payload, shadow)
    details = None if made.complete else await _kept(job, made)
    meta = envelopes.compacted(job, made, job.budget("/compact"), details)
    return Answer(summary=_raw(made), meta=meta) if made.cut else Answer(data=_raw(made), meta=meta)


async def _squeezed(job: Job, payload: Payload) -> Compacted:
    """The engine's answer."""
    budget = job.budget("/compact")
    made = await job.deps.compute.run(len(payload.data), squeeze, payload, job.plan, job.wish(job.room(budget)))
    job.original = made.original_tokens if job.original < 0 else job.original
    return made


async def _kept(job: Job, made: Compacted) -> Details | None:
    """Save what was received and say how to open it."""
    view = job.as_view("preview", budget=job.budget("/compact"), content_type=made.content_type)
    cursor = job.issue(await job.save(view), Kind.preview, 0)
    if cursor is None:
        return None
    path = {"path": job.ask.path} if job.ask.path else {}
    return Details(endpoint="/compact", parameters={"cursor": cursor, **path, "fields": "all"})


async def _details(job: Job) -> Answer:
    """A part of the original, verbatim: whole when it fits, else its first page or the first chunk of its text."""
    payload, (fields, _) = await job.load(), fields_of(job.ask)
    path = job.ask.path or (job.view.asked_path if job.view and job.goes_on else "")
    job.ask = structs.replace(job.ask, path=path or UNSET)
    part = lists.part_of(payload, path) if path or fields or lists.is_json(payload) else None
    body, done = (payload.data, None) if part is None else _projected(job, part, fields)
    budget, form = job.budget("/compact"), "text" if part is None else "json"
    spent = tokens.estimate(body, job.family)
    if spent <= job.room(budget) and len(body) <= job.byte_cap(budget):
        kind = (payload.content_type or chunks.kind_of(payload)) if part is None else "json"
        made = _told(Compacted(body, form, kind, spent, job.original_tokens(), cut=False, complete=True), done)
        details = chunks.unprojected(job, made.omitted)
        return Answer(data=_raw(made), meta=envelopes.compacted(job, made, budget, details))
    if part is not None and slices.is_list(part):
        return await pages.first_page(job, around=False, verbatim=True)
    return await chunks.first_chunk(job, budget, body if fields else None, done.omitted if done else ())


def _told(made: Compacted, done: Stepped | None) -> Compacted:
    """The same with what a projection left out, and what it did not find."""
    if done is None:
        return made
    lost = Ledger(done.omitted).entries()
    return replace(made, complete=not lost, omitted=lost, missing_fields=done.missing, notes=done.notes)


def _raw(made: Compacted) -> Raw:
    return Raw(made.body if made.format == "json" else values.encode(made.body.decode()))


def _projected(job: Job, part: bytes, fields: tuple[str, ...] | None) -> tuple[bytes, Stepped | None]:
    """The JSON of a part of the original, or of a projection of it and what that left out."""
    if fields is None:
        return values.minify(part), None
    wish = job.wish(job.budget("/compact"), path="", verbatim=True, fields=fields)
    done = steps(values.decode(part), job.plan, wish)
    lost = tuple(rooted(entry, parse(job.ask.path or "")) for entry in done.omitted)
    return values.encode(done.value), replace(done, omitted=lost)


async def _untouched(job: Job, endpoint: str) -> Answer | None:
    """The payload as it came, when an operator has switched the treatment off for it."""
    policy, payload = job.plan.policy, await job.load()
    if policy.mode == "ab" and sided(job.plan.name, payload, policy.percent):
        return None
    if policy.mode == "on" and not policy.unbounded:
        return None
    if policy.mode == "shadow" and endpoint == "/compact":
        return None  # what it would have been is measured first
    lifted = "unbounded" if policy.mode == "on" else f"mode {policy.mode}"
    job.notes.append(_LIFTED.format(job.plan.name, lifted))
    shadow = await _shadow(job, endpoint) if policy.mode == "shadow" else UNSET
    return envelopes.untouched(job, endpoint, payload, shadow)


async def _shadow(job: Job, endpoint: str) -> Shadow:
    """What a page or chunk would have been, were the policy on."""
    apart = replace(job, notes=[], seen={})
    made = await (pages.first_page(apart) if endpoint == "/paginate" else chunks.first_chunk(apart))
    return Shadow(would_be_tokens=made.meta.estimated_tokens, outcome=made.meta.kind)


_STORIES = {"/compact": _compact, "/paginate": _paginate, "/chunk": _chunk}
