"""Pages, chunks, hits, parts and refusals as CallToolResults."""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import UNSET, Raw, structs

from schemas.api import Answer, Meta
from service import mcp_lines
from service.core import mcp, tokens, values
from service.errors import Refusal
from service.job import Job
from service.mcp import compacted

_BODY = ("items", "around", "text", "data", "summary")
_LONG_PATH = 60


async def dressed(job: Job, answer: Answer) -> Answer:
    """A page, chunk or part as a CallToolResult."""
    begins = job.cursor is None and job.received is not None
    if begins and answer.meta.kind == "full" and not job.given("path", "find", "start_line", "end_line"):
        return await compacted(job)  # nothing to walk over: the result whole, when its other channels fit too
    budget, cursor = answer.meta.budget, _cursor(answer)
    body = b""
    for text, structured, line in _ways(job, answer, cursor, begins):
        body = _body(job, text, structured, line, begins)
        if mcp_lines.fits(job, body, cursor, budget, job.hard_bytes(budget)):
            break
    spent = tokens.estimate(mcp.opened(body).visible(), job.family)
    measured = {"estimated_tokens": spent, "budget_used": round(spent / budget, 2)}
    details = mcp_lines.shaped(answer.meta.details_available)
    meta = structs.replace(answer.meta, **measured, budget_remaining=max(0, budget - spent), details_available=details)
    return Answer(result=Raw(body), next_cursor=answer.next_cursor, meta=meta)


def _cursor(answer: Answer) -> str | None:
    """The cursor to print: what continues the walk, else what opens what it left out."""
    if answer.next_cursor is not UNSET:
        return answer.next_cursor
    details = answer.meta.details_available
    return None if details is UNSET else str(details.parameters["cursor"])


def _ways(job: Job, answer: Answer, cursor: str | None, begins: bool) -> Iterator[tuple[str, bytes | None, str]]:
    """Text, structuredContent and line, the best first: for want of room one of them gets shorter."""
    text, budget = _shown(answer), answer.meta.budget
    full, bare = _beside(job, answer, cursor, begins)
    if cursor is not None:
        opens = _opens(answer)
        for path in (opens, "") if opens else ("",):
            line = _line(job, answer, cursor, budget, path)
            yield text, full, line
            yield text, bare, line
            yield text, None, line
        yield text, None, mcp_lines.line(job, cursor, 0)
    yield text, full, ""
    yield text, None, ""
    yield _shown(answer, around=False), None, ""


def _line(job: Job, answer: Answer, cursor: str, budget: int, path: str) -> str:
    """The line that says where this was and what goes on; at the end of a walk only what opens what it left out."""
    if answer.next_cursor is UNSET and path == "" and answer.meta.kind in ("page", "chunk", "hits"):
        return ""
    return mcp_lines.line(job, cursor, budget, _where(answer.meta), path)


def _where(meta: Meta) -> str:
    """Which part of the whole this is."""
    if meta.kind == "page" and meta.offset is not UNSET and meta.page_size:
        last = meta.offset + meta.page_size - 1
        return (
            f"items {meta.offset}-{last} of {meta.total_count}"
            if meta.page_size > 1
            else f"item {last} of {meta.total_count}"
        )
    if meta.kind == "chunk" and meta.chunk_index is not UNSET:
        part = f"part {meta.chunk_index + 1} of {meta.total_chunks}"
        within = meta.start_line == meta.end_line
        return part if within else f"lines {meta.start_line}-{meta.end_line} of {meta.total_lines}, {part}"
    if meta.kind == "hits" and meta.hits is not UNSET:
        return f"{len(meta.hits)} of {meta.total_hits} hits{_inside(meta)}"
    return mcp_lines.preview(meta.original_tokens) if meta.kind == "preview" else ""


def _inside(meta: Meta) -> str:
    """Where a search was made, when not everywhere."""
    return f" in {meta.path}" if meta.path is not UNSET and len(meta.path) <= _LONG_PATH else ""


def _opens(answer: Answer) -> str:
    """The path of what this answer shows cut and no later one brings back."""
    details = answer.meta.details_available if answer.meta.kind == "page" else UNSET
    path = "" if details is UNSET or details.endpoint != "/compact" else str(details.parameters.get("path", ""))
    return path if len(path) <= _LONG_PATH and '"' not in path and "\\" not in path else ""


def _body(job: Job, text: str, structured: bytes | None, line: str, begins: bool) -> bytes:
    """A result of one text; around the first one of a walk everything else of the received one."""
    if not begins:
        return mcp.message(text + line)
    texts = {job.result.texts[0].block: text} if job.result.texts else {}
    return mcp.dressed(job.result, texts, structured, line if texts else f"{text}{line}")


def _shown(answer: Answer, *, around: bool = True) -> str:
    """The body of an answer as text."""
    if answer.meta.kind == "hits" and answer.meta.total_hits == 0:
        return f"… 0 hits{_inside(answer.meta)}: nothing there holds all of these words."
    if answer.text is not UNSET:
        return answer.text
    beside = answer.around if around else UNSET
    head = f"around the list: {bytes(beside).decode()}\n" if beside is not UNSET else ""
    raw = next((part for part in (answer.items, answer.data, answer.summary) if part is not UNSET), Raw(b""))
    body = bytes(raw)
    return head + (str(values.decode(body)) if body[:1] == b'"' and answer.meta.format != "json" else body.decode())


def _beside(job: Job, answer: Answer, cursor: str | None, begins: bool) -> tuple[bytes | None, bytes | None]:
    """structuredContent beside a page or chunk, by policy: with its body, and with the cursor alone."""
    wanted = begins and job.plan.policy.structured == "envelope"
    if not wanted or not job.result.enveloped:
        return None, None
    known: dict[str, Any] = {name: part for name in _BODY if (part := getattr(answer, name)) is not UNSET}
    named = mcp_lines.named(job, cursor)
    return msgspec.json.encode({**known, **named}), msgspec.json.encode(named)


def refused(refusal: Refusal, family: str, budget: int = 0) -> Answer:
    """A refusal as the model reads it: what happened and what to do, in a result that is an error."""
    hint = refusal.hint or _HINTS.get(refusal.code, "Call the original tool again without a cursor.")
    text = f"{refusal.title}: {refusal.detail} {hint}"
    if budget and tokens.estimate(text, family) > budget:
        text = hint if tokens.estimate(hint, family) <= budget else refusal.title
    spent = tokens.estimate(text, family)
    budget = max(budget or spent, 64)
    meta = Meta(
        kind="full",
        policy="default",
        format="text",
        content_type="prose",
        complete=True,
        original_tokens=spent,
        estimated_tokens=spent,
        budget=budget,
        budget_used=round(spent / budget, 2),
        budget_remaining=budget - spent,
        tokenizer=family,
        notes=[f"error: {refusal.code}"],
    )
    return Answer(result=Raw(mcp.message(text, error=True)), meta=meta)


_AGAIN = "Copy the cursor exactly as it was printed, or call the original tool again without one."
_HINTS = {
    "cursor_malformed": _AGAIN,
    "cursor_invalid": _AGAIN,
    "cursor_expired": "Call the original tool again without a cursor. Do not retry this one.",
    "request_invalid": "Correct the arguments and call this tool again.",
    "busy": "Wait a few seconds, then call this tool again.",
    "store_unavailable": "Wait a few seconds and call this tool again; if that fails too, call the original tool.",
}
