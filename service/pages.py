"""Walks over lists: the first page of a payload, the next page of a view, and the hits of a search."""

from array import array
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace

from msgspec import UNSET, Raw

from schemas.api import Answer, Details, Omitted
from schemas.tape import View
from service import envelopes
from service.core import markers, paths, slices, tape, tokens, values
from service.core.cursor import Kind
from service.core.lists import Listing, arranged, find_list
from service.core.page import Filling, Page
from service.core.payload import Compacted, Payload, Wish
from service.core.pipeline import compact
from service.errors import LimitExceedsMaximum, RangeInvalid
from service.job import UNLIMITED, Job, tape_name, view_of
from service.store import Window

_BATCH = 256 * 1024  # bytes of items read from the store at a time
_AROUND = 4  # the object around a list gets at most a quarter of the budget


def limit_of(job: Job) -> int:
    """How many items a page may hold."""
    policy = job.plan.policy
    if job.ask.limit is UNSET:
        return policy.default_page_size if policy.enable_pagination else UNLIMITED
    if job.ask.limit > policy.max_page_size:
        raise LimitExceedsMaximum(
            f"limit exceeds maximum of {policy.max_page_size}: {job.ask.limit} was asked "
            f"(max_page_size of policy {job.plan.name}).",
            f"Ask for a limit from 1 to {policy.max_page_size} and follow nextCursor.",
        )
    return job.ask.limit


async def first_page(job: Job, *, around: bool = True, verbatim: bool = False) -> Answer:
    """A new walk over the list of a payload."""
    limit, ask = limit_of(job), job.ask
    payload = await job.load()
    listing = find_list(payload, ask.path or "", job.plan.policy.items_path or None)
    sort = ask.sort or (job.plan.policy.sort or "")
    total = listing.count
    if ask.find or sort:
        listing = arranged(listing, ask.find or "", sort)
    offset = (ask.offset or 0) if listing.count else 0
    if offset and offset >= listing.count:
        raise RangeInvalid(
            f"offset {offset} is beyond the end: the list has {listing.count} items.",
            f"Ask for an offset from 0 to {listing.count - 1}.",
        )
    budget = job.budget("/paginate")
    wish = job.wish(job.room(budget), path="", query="")
    wish = replace(wish, verbatim=wish.verbatim or verbatim)
    job.notes.extend(listing.notes)
    beside = _around(job, listing, wish, total) if around and offset == 0 else b""
    if around and offset == 0 and listing.words:
        _unworded(job, listing.words)
    filling = Filling(job.plan, wish, limit, beside, paths.spell(listing.steps))
    for index in range(offset, listing.count):
        if not filling.add(listing.item(index)):
            break
    page = filling.close(more=offset + len(filling.parts) < listing.count)
    view = _view(job, listing, wish, limit, total, budget)
    return await _answer(job, page, view, offset, listing=listing, beside=beside)


def _view(job: Job, listing: Listing, wish: Wish, limit: int, total: int, budget: int) -> View:
    path = paths.spell(listing.steps)
    return job.as_view(
        "hits" if job.ask.find else "page",
        endpoint="/paginate",
        budget=budget,
        path=path,
        verbatim=wish.verbatim,
        find=job.ask.find or "",
        limit=limit,
        count=listing.count,
        total=total,
        content_type=listing.content_type,
        tape=_tape(job, path) if derived(job, listing) else "tape",
    )


def derived(job: Job, listing: Listing) -> bool:
    """Whether the items are not windows of the received payload."""
    return listing.derived or not job.whole


def _tape(job: Job, path: str) -> str:
    """The part that holds a list made from the payload."""
    return tape_name("list", path, job.ask.find or "", job.ask.sort or job.plan.policy.sort or "")


def _around(job: Job, listing: Listing, wish: Wish, total: int) -> bytes:
    """What stands around the list, cut to its share."""
    if listing.around is None:
        return b""
    share = wish.budget // _AROUND
    small = replace(wish, budget=share, byte_cap=wish.byte_cap // _AROUND, format="json", fields=None, path="")
    marker = values.encode(markers.stand_in([None] * total))  # ours, though it goes in with the payload
    made = compact(Payload(listing.around, "json"), job.plan, small)
    if made.tokens > share:
        job.notes.append("What stands around the list did not fit: open the snapshot's root to see it.")
        job.seen["around"] = True
        return b""
    body = made.body.replace(values.encode(markers.escape(values.decode(marker))), marker, 1)
    if made.cut and len(listing.steps) == 1 and marker not in body:
        body, made = _with_list(job, listing, small, marker) or (body, made)
    job.seen["around"] = not made.complete
    job.seen["around_omitted"] = made.omitted
    return body


def _unworded(job: Job, words: str) -> None:
    """Writes down the text around the list: pages have no place for it, /chunk does."""
    lost = Omitted(
        path="", unit="text", by="request", kept=0, total=len(words), tokens=tokens.estimate(words, job.family)
    )
    job.seen["worded"] = True
    job.seen["around_omitted"] = (*job.seen.get("around_omitted", ()), lost)


def _with_list(job: Job, listing: Listing, small: Wish, marker: bytes) -> tuple[bytes, Compacted] | None:
    """The same with the list's place kept free: what stands around it shares what is left."""
    name = listing.steps[0]
    rest = {key: part for key, part in slices.members(listing.around or b"{}").items() if key != name}
    place = tokens.estimate(values.encode(name) + b":," + marker, small.family) + 1
    made = compact(Payload(values.encode(rest), "json"), job.plan, replace(small, budget=max(small.budget - place, 8)))
    if not slices.is_object(made.body):
        return None
    shown = slices.members(made.body)
    gap = {markers.MARK: shown.pop(markers.MARK)} if markers.MARK in shown else {}
    body = values.encode({**shown, name: Raw(marker), **gap})
    return (body, made) if tokens.estimate(body, small.family) <= small.budget else None


async def next_page(job: Job) -> Answer:
    """The page that a cursor points to."""
    view, cursor = view_of(job), job.at()
    budget = job.budget_of(view)
    wish = job.wish(
        job.room(budget), path="", query="", fields=view.fields, verbatim=view.verbatim, byte_cap=job.byte_cap(budget)
    )
    filling = Filling(job.plan, wish, view.limit, root=view.path)
    more = True
    async for item in _items(job, view, cursor.position):
        if not filling.add(item):
            break
    more = cursor.position + len(filling.parts) < view.count
    return await _answer(job, filling.close(more), view, cursor.position, view_id=cursor.view)


async def _items(job: Job, view: View, position: int) -> AsyncIterator[bytes]:
    """Items from a position on, read from the store in batches of cut points and of bytes."""
    cuts = array("I", job.seen["cuts"]) or await _cuts(job, position)
    while position < view.count:
        for first, last in _batches(cuts):
            data = await _window(job, view, cuts[first], cuts[last])
            for index in range(first, last):
                yield slices.element(data, cuts[index] - cuts[first], cuts[index + 1] - cuts[first])
        position += len(cuts) - 1
        if position < view.count:
            cuts = await _cuts(job, position)


def _batches(cuts: "array[int]") -> Iterator[tuple[int, int]]:
    """Runs of items, by their first and the one behind their last, of about 256 KB each."""
    first = 0
    for index in range(1, len(cuts)):
        if cuts[index] - cuts[first] >= _BATCH or index == len(cuts) - 1:
            yield first, index
            first = index


async def _window(job: Job, view: View, start: int, end: int) -> bytes:
    return (await job.windows(Window(view.tape, start, end)))[0]


async def _cuts(job: Job, position: int) -> "array[int]":
    window = Window(f"{_named(job)}cuts", position * tape.ITEM.size, (position + 202) * tape.ITEM.size)
    return array("I", (await job.windows(window))[0])


def _named(job: Job) -> str:
    return f"{job.at().view.hex()}:"


async def _answer(
    job: Job,
    page: Page,
    view: View,
    offset: int,
    *,
    listing: Listing | None = None,
    beside: bytes = b"",
    view_id: bytes | None = None,
) -> Answer:
    """The envelope of a page; saves the walk when something is left for later."""
    total, after = view.count, offset + page.taken
    more = after < total
    cut = bool(page.omitted) or page.previewed or bool(job.seen.get("around"))
    lost = cut or bool(job.seen.get("worded"))
    whole = offset == 0 and not more and listing is not None and not view.find
    if listing is not None and (lost or not whole):
        view_id = await job.save(view, {view.tape: listing.tape} if derived(job, listing) else None, **_parts(listing))
    kind = Kind.hits if view.find else Kind.page
    cursor = job.issue(view_id, kind, after) if more and view_id else None
    way = job.again(view_id, kind, offset) if lost else None
    details = _details(page, view, offset, way, cut=cut) if way else None
    hits = await _hits(job, view, listing, offset, page.taken) if view.find else None
    return Answer(
        items=Raw(page.body),
        around=Raw(beside) if beside else UNSET,
        next_cursor=cursor or UNSET,
        meta=envelopes.page(job, page, view, offset, hits=hits, whole=whole, lost=lost, details=details),
    )


def _parts(listing: Listing) -> dict[str, bytes]:
    parts = {"cuts": listing.starts.tobytes()}
    if listing.order is not None:
        parts["order"] = array("I", listing.order).tobytes()
    return parts


async def _hits(job: Job, view: View, listing: Listing | None, offset: int, taken: int) -> list[int]:
    """Offsets in the list of the items shown."""
    if listing is not None and listing.order is not None:
        return list(listing.order[offset : offset + taken])
    window = Window(f"{_named(job)}order", offset * 4, (offset + taken) * 4)
    return array("I", (await job.windows(window))[0]).tolist()


def _details(page: Page, view: View, offset: int, cursor: str, *, cut: bool) -> Details:
    """The request that brings back what this page left out and no later page shows."""
    if not cut:  # the text around the list
        return Details(endpoint="/chunk", parameters={"cursor": cursor, "path": ""})
    if page.previewed and view.tape in ("tape", tape_name("list", view.path, "", "")):
        path = paths.spell((*paths.parse(view.path), str(offset)))
        return Details(endpoint="/compact", parameters={"cursor": cursor, "path": path, "fields": "all"})
    known = {"path": view.path} if view.path else {}
    return Details(endpoint="/paginate", parameters={"cursor": cursor, **known, "offset": offset, "fields": "all"})
