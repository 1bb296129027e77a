"""Shape "mcp": a whole CallToolResult in, a valid one out, its cursor printed where the model reads."""

from dataclasses import dataclass, field
from typing import Any

import msgspec
from msgspec import UNSET, Raw, structs

from schemas.api import Answer, Details, Meta, Omitted, Shadow
from service import envelopes
from service.core import mcp, tokens, values
from service.core.cursor import Kind
from service.core.ledger import Ledger
from service.core.page import replace_path
from service.core.payload import Compacted, Payload
from service.core.pipeline import compact as squeeze
from service.errors import Refusal
from service.job import LEAST, Job, printed, roomy

_TRIES = 6


@dataclass(slots=True)
class Draft:
    """A result on its way: the texts that go out, and what they left behind."""

    texts: dict[int, str] = field(default_factory=dict)
    made: list[Compacted] = field(default_factory=list)
    structured: bytes | None = None
    omitted: list[Omitted] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        """Whether nothing is missing."""
        return not self.omitted and all(made.complete for made in self.made)


def tail(job: Job, cursor: str | None, budget: int) -> str:
    """The line that tells the model how to go on; none where the budget has no room for a cursor."""
    if cursor is None or budget < printed(budget) + LEAST:
        return ""
    tool, until = job.plan.policy.fetch_more, envelopes.stamp(job.expires or 0)
    if not roomy(budget):
        return f'\n… {tool}(cursor="{cursor}") until {until}'
    return (
        f'\n… There is more: call {tool} with {{"cursor":"{cursor}"}} (valid until {until}); '
        f"add find, path or startLine and endLine for a part of it."
    )


async def compacted(job: Job) -> Answer:
    """A CallToolResult within the budget."""
    await job.load()
    received = job.received or Payload(b"{}", "json")
    result, budget = mcp.opened(received.data), job.budget("/compact")
    seen = result.visible()
    job.original = tokens.estimate(seen, job.family)
    if result.uncounted:
        job.notes.append(f"{result.uncounted} bytes of images, audio, links and the like were passed on uncounted.")
    wished = job.plan.steps or job.ask.fields is not UNSET or job.ask.path
    if not wished and job.original <= budget and len(seen) <= job.byte_cap(budget):
        return Answer(result=Raw(received.data), meta=_meta(job, Draft(), budget, job.original, None))
    left = budget
    for _ in range(_TRIES):
        draft = await _drafted(job, result, left, budget)
        answer = await _finished(job, result, draft, budget)
        over = answer.meta.estimated_tokens - budget
        if over <= 0:
            return _shadowed(job, answer)
        left -= over + 8
    return await _finished(job, result, Draft(omitted=_everything(result)), budget)


def _shadowed(job: Job, answer: Answer) -> Answer:
    """In shadow mode the received result, and what would have been answered."""
    if job.plan.policy.mode != "shadow":
        return answer
    shadow = Shadow(would_be_tokens=answer.meta.estimated_tokens, outcome=answer.meta.kind)
    meta = _meta(job, Draft(), answer.meta.budget, job.original, None)
    return passed_on(job, structs.replace(meta, shadow=shadow, notes=[*job.notes, "The budget was not applied."]))


def passed_on(job: Job, meta: Meta) -> Answer:
    """The received result, whatever its size."""
    return Answer(result=Raw(job.received.data if job.received else b"{}"), meta=meta)


async def _drafted(job: Job, result: mcp.Result, left: int, budget: int) -> Draft:
    """Every channel cut to its share."""
    draft, policy = Draft(), job.plan.policy
    reserved = printed(budget)
    left = max(left - reserved if left > reserved + LEAST else left, 8)
    structured = result.structured if policy.structured != "drop" and not result.is_error else None
    costs = [tokens.estimate(text.text, job.family) for text in result.texts]
    fixed = 0
    if structured is not None and policy.structured == "keep":
        fixed = tokens.estimate(structured, job.family)
        if fixed + min(LEAST, sum(costs)) > left:
            job.notes.append(f"structuredContent has {fixed} tokens and was dropped: it does not fit the budget.")
            structured, fixed = None, 0
        draft.structured = structured
    elif structured is not None and left < 2 * reserved:
        structured = None
    enveloped = structured is not None and policy.structured == "envelope"
    if enveloped:
        costs.append(tokens.estimate(structured or b"", job.family))
        left -= reserved
    dealt = _dealt(costs, left - fixed)
    for text, share in zip(result.texts, dealt, strict=False):
        await _cut(job, draft, result, text, share)
    if enveloped and structured is not None:
        wish = job.wish(max(dealt[-1], 8), byte_cap=job.byte_cap(budget), path="")
        made = await job.deps.compute.run(len(structured), squeeze, Payload(structured, "json"), job.plan, wish)
        draft.structured = b"\0"  # its place is kept: the cursor that goes in is not known yet
        draft.made.append(made)
    elif result.structured is not None and draft.structured is None and not _same(result):
        whole = tokens.estimate(result.structured, job.family)
        draft.omitted.append(_gone("structuredContent", whole))
    return draft


def _dealt(costs: list[int], left: int) -> list[int]:
    """Shares of the channels; where all would get next to nothing, the first ones get something."""
    dealt = mcp.shares(costs, left)
    if all(share >= min(cost, LEAST) for share, cost in zip(dealt, costs, strict=True)):
        return dealt
    served = max(1, left // LEAST)
    return [*mcp.shares(costs[:served], left), *([0] * (len(costs) - served))]


async def _cut(job: Job, draft: Draft, result: mcp.Result, text: mcp.Text, share: int) -> None:
    """One text within its share."""
    root = "" if len(result.texts) == 1 else f"content.{text.block}"
    cost = tokens.estimate(text.text, job.family)
    if share < min(cost, 8):
        draft.omitted.append(_gone(root or "content", cost))
        return
    wish = job.wish(max(share, 8), path="" if root else job.ask.path or "")
    made = await job.deps.compute.run(len(text.text), squeeze, Payload(text.text.encode(), "text"), job.plan, wish)
    draft.texts[text.block] = made.body.decode()
    draft.made.append(made)
    draft.omitted.extend(replace_path(entry, root) for entry in made.omitted)


def _gone(path: str, cost: int) -> Omitted:
    return Omitted(path=path, unit="items", by="fit", kept=0, total=1, tokens=cost)


def _everything(result: mcp.Result) -> list[Omitted]:
    return [_gone(f"content.{text.block}", tokens.estimate(text.text)) for text in result.texts]


def _same(result: mcp.Result) -> bool:
    """Whether structuredContent says what the only text says."""
    if len(result.texts) != 1 or result.structured is None:
        return False
    try:
        said = values.decode(result.texts[0].text)
        known = values.decode(result.structured)
    except ValueError:
        return False
    return bool(said == known or known == {"result": said} or known == {"result": result.texts[0].text})


async def _finished(job: Job, result: mcp.Result, draft: Draft, budget: int) -> Answer:
    """The result with its cursor in every channel, measured."""
    cursor = None
    if not draft.complete:
        view = job.as_view("preview", endpoint="/compact", budget=budget)
        cursor = job.issue(await job.save(view), Kind.preview, 0)
    structured = draft.structured
    if structured == b"\0":
        structured = _enveloped(job, draft.made[-1], cursor)
    body = mcp.dressed(result, draft.texts, structured, tail(job, cursor, budget))
    spent = tokens.estimate(mcp.opened(body).visible(), job.family)
    parameters = {"cursor": cursor, "fields": "all"}
    details = Details(endpoint="/compact", parameters=parameters) if cursor else None
    return Answer(result=Raw(body), meta=_meta(job, draft, budget, spent, details))


def _enveloped(job: Job, made: Compacted, cursor: str | None) -> bytes:
    """structuredContent as an envelope of what fits."""
    name = "summary" if made.cut else "data"
    body: Any = Raw(made.body) if made.format == "json" else made.body.decode()
    known: dict[str, Any] = {name: body, "complete": made.complete}
    if cursor:
        until, tool = envelopes.stamp(job.expires or 0), job.plan.policy.fetch_more
        known |= {"cursor": cursor, "expiresAt": until, "more": f"call {tool} with this cursor"}
    return msgspec.json.encode(known)


def _meta(job: Job, draft: Draft, budget: int, spent: int, details: Details | None) -> Meta:
    """`meta` of a whole result."""
    cut = any(made.cut for made in draft.made) or bool(draft.omitted)
    made = Compacted(
        body=b"",
        format=draft.made[0].format if draft.made else "text",
        content_type=draft.made[0].content_type if draft.made else "json",
        tokens=spent,
        original_tokens=job.original,
        cut=cut,
        complete=draft.complete,
        omitted=Ledger(draft.omitted).listed(),
        total_fields=sum(part.total_fields for part in draft.made[:1]),
        projected_fields=draft.made[0].projected_fields if draft.made else (),
        missing_fields=draft.made[0].missing_fields if draft.made else (),
        fallback_reason=next((part.fallback_reason for part in draft.made if part.fallback_reason), ""),
        steps=draft.made[0].steps if draft.made else (),
        notes=tuple(note for part in draft.made for note in part.notes),
    )
    return envelopes.compacted(job, made, budget, details)


def dressed(job: Job, answer: Answer) -> Answer:
    """A page, chunk or part as a CallToolResult."""
    budget, text = answer.meta.budget, _shown(answer)
    details = answer.meta.details_available
    cursor = answer.next_cursor or (details.parameters.get("cursor") if details is not UNSET else None)
    line = tail(job, cursor, budget)
    if job.cursor is not None or job.received is None:
        body = mcp.message(text + line, error=False)
    else:
        result = mcp.opened(job.received.data)
        texts = {result.texts[0].block: text} if result.texts else {}
        structured = _beside(job, answer, cursor) if result.structured is not None and not result.is_error else None
        body = mcp.dressed(result, texts, structured, line if texts else f"{text}{line}")
    spent = tokens.estimate(mcp.opened(body).visible(), job.family)
    meta = structs.replace(
        answer.meta,
        estimated_tokens=spent,
        budget_used=round(spent / budget, 2),
        budget_remaining=max(0, budget - spent),
    )
    return Answer(result=Raw(body), next_cursor=answer.next_cursor, meta=meta)


def _shown(answer: Answer) -> str:
    """The body of an answer as text."""
    if answer.text is not UNSET:
        return answer.text
    around = f"around the list: {bytes(answer.around).decode()}\n" if answer.around is not UNSET else ""
    raw = answer.items if answer.items is not UNSET else answer.data if answer.data is not UNSET else answer.summary
    body = bytes(raw or b"")
    return around + (str(msgspec.json.decode(body)) if body[:1] == b'"' else body.decode())


def _beside(job: Job, answer: Answer, cursor: str | None) -> bytes | None:
    """structuredContent beside a page or chunk, by policy."""
    if job.plan.policy.structured != "envelope":
        return None
    known: dict[str, Any] = {}
    for name in ("items", "around", "text", "data", "summary"):
        if (part := getattr(answer, name)) is not UNSET:
            known[name] = part
    if cursor:
        known |= {"cursor": cursor, "expiresAt": envelopes.stamp(job.expires or 0)}
    return msgspec.json.encode(known)


def refused(refusal: Refusal, family: str) -> Answer:
    """A refusal as the model reads it: what happened and what to do, in a result that is an error."""
    text = f"{refusal.title}: {refusal.detail} {refusal.hint}".strip()
    spent = tokens.estimate(text, family)
    meta = Meta(
        kind="full",
        policy="default",
        format="text",
        content_type="prose",
        complete=True,
        original_tokens=spent,
        estimated_tokens=spent,
        budget=max(spent, 64),
        budget_used=round(spent / max(spent, 64), 2),
        budget_remaining=max(0, 64 - spent),
        tokenizer=family,
        notes=[f"error: {refusal.code}"],
    )
    return Answer(result=Raw(mcp.message(text, error=True)), meta=meta)
