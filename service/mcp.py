"""Shape "mcp": a whole CallToolResult in, a valid one out, within one budget, its cursor printed where the model reads.

A result that fits goes out as it came. Else every text, and `structuredContent` by policy, gets its share of the
budget; then the line that tells how to go on is added, as long as there is room for it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec
from msgspec import UNSET, Raw, structs

from schemas.api import Answer, Details, Meta, Omitted, Shadow
from service import envelopes, mcp_lines
from service.compute_engine import squeeze
from service.core import going_on, markers, mcp, tokens
from service.core.cursor import Kind
from service.core.going_on import LEAST
from service.core.ledger import Ledger, rooted
from service.core.paths import parse
from service.core.payload import Compacted, Payload
from service.job import Job

_TRIES = 3
_DENSER = 4  # so many times its budget a result may have and still fit in a denser notation
_TINY = 8  # tokens below which the engine has nothing to say


@dataclass(slots=True)
class Draft:
    """A result on its way: the texts that go out by block, what became of structuredContent, what was left out."""

    texts: dict[int, str] = field(default_factory=dict)
    made: list[Compacted] = field(default_factory=list)
    structured: Compacted | bytes | None = None
    omitted: list[Omitted] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        """Whether nothing is missing."""
        return not self.omitted and all(made.complete for made in self.made)


async def compacted(job: Job) -> Answer:
    """A CallToolResult within the budget."""
    result, budget = job.result, job.budget("/compact")
    job.original = tokens.estimate(result.visible(), job.family)
    wished = job.plan.has_steps or job.ask.fields is not UNSET
    if not wished and _holds(job, result.visible(), budget):
        return whole(job)
    lefts = _lefts(job, budget) if job.original > budget else [budget]
    answer = None
    for left in lefts:
        draft = await _drafted(job, result, left)
        if left == budget and not draft.complete and len(lefts) > 1:
            continue  # it needs a cursor, and that its room
        answer = await _fitting(job, draft, budget, last=left == lefts[-1])
        if answer:
            break
    return _shadowed(job, answer or await _nothing(job, budget))


def _lefts(job: Job, budget: int) -> list[int]:
    """What the channels may share, in the order it is tried."""
    tool, family = job.plan.policy.fetch_more, job.family
    first, least = [budget] if job.original <= _DENSER * budget else [], going_on.room(budget, tool, family, False)
    return [*first, *(least * (8 - share) // 8 for share in range(_TRIES))]


async def _nothing(job: Job, budget: int) -> Answer:
    """Where not even little fits: what came, when that fits, else what says that something was there."""
    if _holds(job, job.result.visible(), budget):
        return whole(job)
    draft = Draft(omitted=_gone(job, [*mcp.parts(job.result)], kept=0))
    if not mcp.same(job.result):
        draft.omitted.append(_lost_structure(job))
    answer = await _fitting(job, draft, budget, last=True)
    return answer or _answer(job, draft, mcp.dressed(job.result, {}, None, ""), budget, None)


def whole(job: Job) -> Answer:
    """The received result, whatever its size."""
    data = job.received.data if job.received else b"{}"
    spent = tokens.estimate(job.result.visible(), job.family)
    job.original = spent
    meta = _meta(job, Draft(), job.budget(), spent, None)
    return Answer(result=Raw(data), meta=meta)


def _shadowed(job: Job, answer: Answer) -> Answer:
    """In shadow mode the received result, and what would have been answered."""
    if job.plan.policy.mode != "shadow":
        return answer
    job.notes.append(f"Policy {job.plan.name} says mode shadow: the payload is whole and the budget was not applied.")
    job.expires = None
    shadow = Shadow(would_be_tokens=answer.meta.estimated_tokens, outcome=answer.meta.kind)
    untouched = whole(job)
    return structs.replace(untouched, meta=structs.replace(untouched.meta, shadow=shadow))


def _holds(job: Job, seen: bytes, budget: int) -> bool:
    return len(seen) <= job.hard_bytes(budget) and tokens.estimate(seen, job.family) <= budget


async def _drafted(job: Job, result: mcp.Result, left: int) -> Draft:
    """Every channel cut to its share."""
    draft, texts = Draft(), [*mcp.parts(result)]
    structured = _kept_structure(job, result, draft, left)
    costs = [tokens.estimate(part.data, job.family) for part in texts]
    if isinstance(draft.structured, bytes):
        left -= tokens.estimate(draft.structured, job.family)
    if structured is not None:
        beside = going_on.beside(job.plan.policy.fetch_more, job.family)
        costs, left = [*costs, tokens.estimate(structured, job.family)], max(left - beside, _TINY)
    dealt = mcp.shares(costs, left, LEAST)
    for number, (part, share) in enumerate(zip(texts, dealt, strict=False)):
        if share < min(costs[number], _TINY):
            _leave_out(job, draft, texts[number:], number)
            break
        await _cut(job, draft, part, share)
    if structured is not None:
        draft.structured = await _squeezed(job, Payload(structured, "json"), max(dealt[-1], _TINY))
        draft.made.append(draft.structured)
        draft.omitted.extend(rooted(entry, ("structuredContent",)) for entry in draft.structured.omitted)
    elif draft.structured is None and not mcp.same(result):
        draft.omitted.append(_lost_structure(job))
    return draft


def _kept_structure(job: Job, result: mcp.Result, draft: Draft, left: int) -> bytes | None:
    """structuredContent when a part of it is to go out; kept whole, it is in the draft."""
    policy, structured = job.plan.policy.structured, result.structured
    if structured is None or policy == "drop":
        return None
    if policy == "envelope":
        roomy = left >= going_on.beside(job.plan.policy.fetch_more, job.family) + 2 * LEAST
        return structured if roomy and result.enveloped else None
    cost = tokens.estimate(structured, job.family)
    if cost + LEAST <= left:
        draft.structured = structured
    else:
        job.notes.append(f"structuredContent has {cost} tokens and was dropped: it does not fit the budget.")
    return None


async def _cut(job: Job, draft: Draft, part: mcp.Part, share: int) -> None:
    """One text, or the items of one list, within its share."""
    made = await _squeezed(job, Payload(part.data, part.form), max(share, _TINY))
    draft.texts[part.blocks[0]] = made.body.decode()
    draft.made.append(made)
    draft.omitted.extend(rooted(entry, parse(part.path)) for entry in made.omitted)


async def _squeezed(job: Job, payload: Payload, share: int) -> Compacted:
    budget = job.budget("/compact")
    wish = job.wish(share, byte_cap=max(1, job.byte_cap(budget) * share // budget), path="")
    return await job.deps.compute.run(len(payload.data), squeeze, payload, job.plan, wish)


def _leave_out(job: Job, draft: Draft, rest: list[mcp.Part], kept: int) -> None:
    """Texts that get no share: one marker in the place of the first."""
    gone = [block for part in rest for block in part.blocks]
    draft.texts[gone[0]] = markers.array_gap(len(gone), gone[0], gone[-1])
    draft.omitted.extend(_gone(job, rest, kept))


def _gone(job: Job, rest: list[mcp.Part], kept: int) -> list[Omitted]:
    cost = sum(tokens.estimate(part.data, job.family) for part in rest)
    total = kept + sum(len(part.blocks) for part in rest)
    return [Omitted(path="content", unit="items", by="fit", kept=kept, total=total, tokens=cost)] if rest else []


def _lost_structure(job: Job) -> Omitted:
    cost = tokens.estimate(job.result.structured or b"", job.family)
    return Omitted(path="structuredContent", unit="items", by="fit", kept=0, total=1, tokens=cost)


async def _fitting(job: Job, draft: Draft, budget: int, *, last: bool) -> Answer | None:
    """The draft with its cursor in every channel; for want of room with less of a line, at last without."""
    cursor = None if draft.complete else await _cursor(job, budget)
    most = min(budget, job.original)
    for structured, line in _ways(job, draft, cursor, budget, last):
        body = mcp.dressed(job.result, draft.texts, structured, line)
        if mcp_lines.fits(job, body, cursor, most, job.hard_bytes(budget)):
            lost = structured is None and draft.structured is not None
            known = replace(draft, omitted=[*_without_structure(draft), _lost_structure(job)]) if lost else draft
            return _answer(job, known, body, budget, cursor)
    return None


def _without_structure(draft: Draft) -> list[Omitted]:
    return [entry for entry in draft.omitted if not entry.path.startswith("structuredContent")]


def _ways(job: Job, draft: Draft, cursor: str | None, budget: int, last: bool) -> Iterator[tuple[bytes | None, str]]:
    """structuredContent and line, the best first; only the last attempt gives up one for the other."""
    structured = _structure(job, draft, cursor)
    line = mcp_lines.line(job, cursor, budget, mcp_lines.preview(job.original)) if cursor else ""
    yield structured, line
    if not last:
        return
    brief = mcp_lines.line(job, cursor, 0) if cursor else ""
    yield structured, brief
    if structured is not None:
        yield None, line
        yield None, brief
    yield structured, ""
    yield None, ""


def _structure(job: Job, draft: Draft, cursor: str | None) -> bytes | None:
    """structuredContent as it came, when nothing at all is missing; else as an envelope of what fits."""
    made = draft.structured
    if not isinstance(made, Compacted):
        return made
    if draft.complete and made.format == "json":
        return made.body
    name = "summary" if made.cut else "data"
    body: Any = Raw(made.body) if made.format == "json" else made.body.decode()
    return msgspec.json.encode({name: body, "complete": made.complete, **mcp_lines.named(job, cursor)})


async def _cursor(job: Job, budget: int) -> str | None:
    """The cursor of a result that was cut; one, however often it is tried."""
    if "printed" not in job.seen:
        view = job.as_view("preview", endpoint="/compact", budget=budget)
        job.seen["printed"] = job.issue(await job.save(view), Kind.preview, 0)
    known: str | None = job.seen["printed"]
    return known


def _answer(job: Job, draft: Draft, body: bytes, budget: int, cursor: str | None) -> Answer:
    spent = tokens.estimate(mcp.opened(body).visible(), job.family)
    parameters = {"cursor": cursor, "fields": "all", "shape": "mcp"}
    details = Details(endpoint="/compact", parameters=parameters) if cursor else None
    return Answer(result=Raw(body), meta=_meta(job, draft, budget, spent, details))


def _added_up(entries: list[Omitted]) -> tuple[Omitted, ...]:
    """One entry per path, unit and cause; what a part has summed up already stays a sum."""
    return (*Ledger(row for row in entries if row.path != "*").entries(), *(row for row in entries if row.path == "*"))


def _meta(job: Job, draft: Draft, budget: int, spent: int, details: Details | None) -> Meta:
    """`meta` of a whole result."""
    if job.result.uncounted:
        job.notes.append(f"{job.result.uncounted} bytes of images, audio, links and the like were not counted.")
    first = draft.made[0] if draft.made else Compacted(b"", "text", "prose", 0, 0, cut=False, complete=True)
    made = replace(
        first,
        tokens=spent,
        original_tokens=job.original,
        cut=any(made.cut for made in draft.made) or any(entry.by == "fit" for entry in draft.omitted),
        complete=draft.complete,
        omitted=_added_up(draft.omitted),
        fallback_reason=next((part.fallback_reason for part in draft.made if part.fallback_reason), ""),
        notes=tuple(note for part in draft.made for note in part.notes),
    )
    return envelopes.compacted(job, made, budget, details)
