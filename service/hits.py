"""Walks over what a search found in a text: `123: line`, with its entry and context where they fit."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from msgspec import UNSET

from schemas.api import Answer, Details
from schemas.tape import View
from service import envelopes
from service.chunks import asked, open_text
from service.core import markers, tape, tokens
from service.core.cursor import Kind
from service.core.find import Hit, find_lines, render
from service.job import Job, view_of
from service.store import Window

_AT_ONCE = 32  # windows of hits read from the store in one round trip


@dataclass(slots=True)
class Found:
    """The hits of one answer as they are gathered."""

    budget: int
    byte_cap: int
    family: str
    lines: list[int] = field(default_factory=list)
    text: str = ""
    shown: int = 0  # the last line of the text that is in `text`

    def fits(self, text: str) -> bool:
        """Whether a text can be the answer."""
        data = text.encode()
        return len(data) <= self.byte_cap and tokens.estimate(data, self.family) <= self.budget

    def add(self, hit: Hit, window: bytes) -> bool:
        """Show one more hit; False when it does not fit."""
        known = hit.first <= self.shown and self.lines
        rendered = render(window, hit, lambda shown: not known and self.fits(self._with(shown)))
        if not self.fits(self._with(rendered)):
            if self.lines:
                return False
            rendered = self._clipped(rendered)
        self.text = self._with(rendered)
        self.lines.append(hit.line)
        self.shown = max(self.shown, hit.entry[1], hit.line + 2)
        return True

    def _with(self, shown: str) -> str:
        return f"{self.text}\n{shown}" if self.text else shown

    def _clipped(self, line: str) -> str:
        """The longest beginning of a line that fits with its marker."""
        low, high = 0, len(line)
        while low < high:
            middle = (low + high + 1) // 2
            if self.fits(line[:middle] + markers.cut_string(len(line) - middle)):
                low = middle
            else:
                high = middle - 1
        return line[:low] + markers.cut_string(len(line) - low)


async def first_hits(job: Job) -> Answer:
    """A new search over a text."""
    text = await open_text(job)
    hits = await job.deps.compute.run(len(text.data), find_lines, text.data, job.ask.find or "", text.kind)
    if within := asked(job, text.lines):
        hits = [hit for hit in hits if within[0] <= hit.line <= within[1]]
    view = job.as_view(
        "hits",
        endpoint="/chunk",
        budget=job.budget("/chunk"),
        path=job.ask.path or "",
        find=job.ask.find or "",
        count=len(hits),
        total_lines=text.lines,
        content_type=text.kind,
        tape=text.tape,
    )
    found = _empty(job, view)
    for hit in hits:
        if not found.add(hit, text.data[hit.start : hit.end]):
            break
    shared = {text.tape: text.whole} if text.whole is not None else {}
    walk = await job.save(view, shared, cuts=tape.pack_hits(hits))
    return _envelope(job, view, found, 0, walk)


async def next_hits(job: Job) -> Answer:
    """The hits that a cursor points to."""
    view, cursor = view_of(job), job.at()
    found, position, room = _empty(job, view), cursor.position, True
    while room and position < view.count:
        hits, windows = await _read(job, view, position)
        for hit, window in zip(hits, windows, strict=True):
            room = room and found.add(hit, window)
        position += len(hits)
    return _envelope(job, view, found, cursor.position, cursor.view)


def _empty(job: Job, view: View) -> Found:
    budget = job.budget_of(view)
    return Found(job.room(budget), job.byte_cap(budget), job.family)


async def _read(job: Job, view: View, position: int) -> tuple[list[Hit], Sequence[bytes]]:
    size = tape.HIT.size
    cuts = Window(f"{job.at().view.hex()}:cuts", position * size, (position + _AT_ONCE) * size)
    (records,) = await job.windows(cuts)
    hits = tape.unpack_hits(records)
    return hits, await job.windows(*(Window(view.tape, hit.start, hit.end) for hit in hits))


def _envelope(job: Job, view: View, found: Found, position: int, walk: bytes) -> Answer:
    after = position + len(found.lines)
    cursor = job.issue(walk, Kind.hits, after) if after < view.count else None
    around = job.again(walk, Kind.hits, 0)
    parameters = {"cursor": around} | ({"path": view.path} if view.path else {"path": ""})
    details = Details(endpoint="/chunk", parameters=parameters) if around else None
    spent = tokens.estimate(found.text, job.family)
    return Answer(
        text=found.text,
        next_cursor=cursor or UNSET,
        meta=envelopes.hits(job, view, spent, found.lines, details),
    )
