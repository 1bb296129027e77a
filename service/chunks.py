"""Walks over texts: the first chunk of a payload, the next one of a view, and ranges of lines."""

from dataclasses import dataclass, replace

from msgspec import UNSET

from schemas.api import Answer, Details, Omitted
from schemas.tape import View
from service import envelopes
from service.core import kinds, lines, lists, slices, tape, tokens, values
from service.core.chunk import Cut, Limits, chunk
from service.core.cursor import Kind
from service.core.ledger import Ledger
from service.core.payload import Payload
from service.errors import RangeInvalid
from service.job import Job, fields_of, tape_name, view_of
from service.store import Window


@dataclass(frozen=True, slots=True)
class Text:
    """A stretch of a text, and where it stands in it."""

    data: bytes
    kind: str
    tape: str  # the part of the snapshot that holds the whole text
    index: bytes  # the whole text's line index
    start: int = 0
    before: int = 0  # lines before it
    whole: bytes | None = None  # the whole text, when it has to be kept beside the payload

    @property
    def lines(self) -> int:
        """Lines of the whole text."""
        return lines.total_lines(self.index)


async def open_text(job: Job) -> Text:
    """The text that is asked for: the payload, or what stands at a path of it."""
    payload, path = await job.load(), job.ask.path or ""
    if not path:
        kind = job.ask.content_type or payload.content_type or kind_of(payload)
        index = lines.line_index(payload.data)
        if job.whole:
            return Text(payload.data, kind, "tape", index)
        return Text(payload.data, kind, tape_name("root", job.rooted), index, whole=payload.data)
    part = lists.part_of(payload, path)
    kind = "json"
    if slices.first_byte(part) == b'"':
        part = values.decode(part).encode()
        kind = job.ask.content_type or kind_of(Payload(part, "text"))
    return Text(part, kind, tape_name("text", path), lines.line_index(part), whole=part)


def kind_of(payload: Payload) -> str:
    """What kind of text a payload is."""
    return "json" if payload.form == "json" else kinds.recognise(payload.data.decode())


def _cut(text: bytes, kind: str, limits: Limits) -> tuple[bytes, bytes]:
    """Chunk records and labels of a text: what the process pool sends back."""
    return tape.pack_chunks(chunk(text, kind, limits))


async def first_chunk(
    job: Job, budget: int | None = None, made: bytes | None = None, lost: tuple[Omitted, ...] = ()
) -> Answer:
    """A new walk over a text, over a range of its lines, or over a projection that was `made` of the payload."""
    if made is not None:
        job.seen["projected"] = Ledger(lost).entries()
        name = tape_name("fields", job.ask.path or "", *(fields_of(job.ask)[0] or ()))
        text = Text(made, "json", name, lines.line_index(made), whole=made)
    else:
        text = await _stored_range(job) or _range(job, await open_text(job))
    return await _walk(job, text, budget or job.budget("/chunk"))


def asked(job: Job, total: int) -> tuple[int, int] | None:
    """The first and last line asked for, checked against the text."""
    if job.ask.start_line is UNSET and job.ask.end_line is UNSET:
        return None
    first, last = job.ask.start_line or 1, job.ask.end_line or total
    if not 1 <= first <= last <= total:
        raise RangeInvalid(
            f"Lines {first} to {last} are not a range of this text: it has lines 1 to {total}.",
            f"Ask for startLine and endLine from 1 to {total}, startLine not after endLine.",
        )
    return first, last


def _range(job: Job, text: Text) -> Text:
    lines_asked = asked(job, text.lines)
    if lines_asked is None:
        return text
    near = lines.near(text.index, *lines_asked)
    start, end = lines.cut(
        text.data[near.start : near.end], lines_asked[0] - near.line, lines_asked[1] - lines_asked[0] + 1
    )
    part = text.data[near.start + start : near.start + end]
    return replace(text, data=part, start=near.start + start, before=lines_asked[0] - 1)


async def _stored_range(job: Job) -> Text | None:
    """A range of a text whose line index is stored: it costs the range, not the text."""
    view = job.view
    ranged = job.ask.start_line is not UNSET or job.ask.end_line is not UNSET
    if view is None or view.kind != "chunk" or not ranged or (job.ask.path or view.path) != view.path:
        return None
    (index,) = await job.windows(Window(f"{view.tape}:lines"))
    first, last = asked(job, lines.total_lines(index)) or (1, 1)
    near = lines.near(index, first, last)
    (part,) = await job.windows(Window(view.tape, near.start, near.end))
    start, end = lines.cut(part, first - near.line, last - first + 1)
    return Text(part[start:end], view.content_type, view.tape, index, near.start + start, first - 1)


async def next_chunk(job: Job) -> Answer:
    """The chunk that a cursor points to."""
    view, cursor = view_of(job), job.at()
    cut, begin, stop = tape.unpack_chunk(job.seen["cuts"][: tape.CHUNK.size])
    if job.budget_of(view) != view.budget or job.family != view.tokenizer:
        return await _rest(job, view, cut)
    labels = Window(f"{cursor.view.hex()}:labels", begin, stop)
    body, label = await job.windows(Window(view.tape, cut.start, cut.end), labels)
    return _envelope(job, view, body, tape.labelled(cut, label), cursor.position, cursor.view)


async def _rest(job: Job, view: View, cut: Cut) -> Answer:
    """The same walk from here to its end, cut anew for another budget or tokenizer."""
    last = Window(f"{job.at().view.hex()}:cuts", (view.count - 1) * tape.CHUNK.size, None)
    record, index = await job.windows(last, Window(f"{view.tape}:lines"))
    end = tape.unpack_chunk(record)[0].end
    (data,) = await job.windows(Window(view.tape, cut.start, end))
    text = Text(data, view.content_type, view.tape, index, cut.start, cut.start_line - 1)
    return await _walk(job, text, job.budget_of(view))


async def _walk(job: Job, text: Text, budget: int) -> Answer:
    """Cut a text, keep the walk unless it is over at once, and answer its first chunk."""
    policy = job.plan.policy
    limits = Limits(tokens=job.room(budget), lines=policy.chunk_lines, bytes=job.byte_cap(budget), family=job.family)
    records, labels = await job.deps.compute.run(len(text.data), _cut, text.data, text.kind, limits)
    records = tape.moved(records, text.start, text.before)
    path = job.view.path if job.view and job.ask.path is UNSET and job.view.kind == "chunk" else job.ask.path or ""
    view = job.as_view(
        "chunk",
        budget=budget,
        path=path,
        count=len(records) // tape.CHUNK.size,
        total_lines=text.lines,
        content_type=text.kind,
        tape=text.tape,
    )
    cut, begin, stop = tape.unpack_chunk(records[: tape.CHUNK.size])
    cut = tape.labelled(cut, labels[begin:stop])
    body = text.data[cut.start - text.start : cut.end - text.start]
    ranged = job.ask.start_line is not UNSET or job.ask.end_line is not UNSET
    if view.count == 1 and not ranged:
        return _envelope(job, view, body, cut, 0, None)
    shared = {f"{text.tape}:lines": text.index} | ({text.tape: text.whole} if text.whole is not None else {})
    walk = await job.save(view, shared, cuts=records, labels=labels)
    return _envelope(job, view, body, cut, 0, walk)


def _envelope(job: Job, view: View, body: bytes, cut: Cut, index: int, walk: bytes | None) -> Answer:
    cursor = job.issue(walk, Kind.chunk, index + 1) if walk and index + 1 < view.count else None
    omitted, details = _beyond(job, view, walk)
    return Answer(
        text=body.decode(),
        next_cursor=cursor or UNSET,
        meta=envelopes.chunk(
            job, cut, view, index, tokens.estimate(body, job.family), omitted=omitted, details=details
        ),
    )


def _beyond(job: Job, view: View, walk: bytes | None) -> tuple[tuple[Omitted, ...], Details | None]:
    """What a range leaves out, and the request that brings it back."""
    if job.ask.start_line is UNSET and job.ask.end_line is UNSET:
        lost = job.seen.get("projected", ())
        return lost, unprojected(job, lost)
    kept = (job.ask.end_line or view.total_lines) - (job.ask.start_line or 1) + 1
    if kept >= view.total_lines:
        return (), None
    lost = max(1, job.original_tokens() * (view.total_lines - kept) // view.total_lines)
    entry = Omitted(path=view.path, unit="text", by="request", kept=kept, total=view.total_lines, tokens=lost)
    cursor = job.again(walk, Kind.chunk, 0)
    parameters = {"cursor": cursor, "path": view.path}
    return (entry,), Details(endpoint="/chunk", parameters=parameters) if cursor else None


def unprojected(job: Job, lost: tuple[Omitted, ...]) -> Details | None:
    """The request that brings back what a projection of a snapshot left out: its cursor opens everything."""
    cursor = job.again(None, Kind.preview, 0) if lost else None
    path = {"path": job.ask.path} if job.ask.path else {}
    return Details(endpoint="/compact", parameters={"cursor": cursor, **path, "fields": "all"}) if cursor else None
