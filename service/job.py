"""One request on its way: its plan, its budget, its payload, and the snapshot it may read from or write to."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec
from msgspec import UNSET

from schemas.api import Ask
from schemas.tape import Head, View
from service.compute import Compute
from service.core import going_on, mcp, tokens
from service.core.cursor import Cursor, Kind
from service.core.payload import Payload, Wish
from service.core.plan import Plan
from service.errors import CursorInvalid, RequestInvalid
from service.policies import Policies
from service.snapshots import Snapshots, view_id
from service.store import Window

UNLIMITED = 1 << 30  # items of a page where pagination is off: only the budget ends it
NEW_WALK = ("path", "fields", "sort", "find", "limit", "offset", "start_line", "end_line")
_ANEW = ("query", "format", "as_of", "policy")  # another answer from a preview's cursor, not its details
_encode, _head = msgspec.msgpack.Encoder().encode, msgspec.msgpack.Decoder(Head).decode
_SWITCH = {
    "/compact": "enable_summarization",
    "/paginate": "enable_pagination",
    "/chunk": "enable_chunking",
}


@dataclass(frozen=True, slots=True)
class Deps:
    """The few collaborators of every action."""

    policies: Policies
    snapshots: Snapshots
    compute: Compute
    clock: Callable[[], float]


@dataclass(slots=True)
class Job:
    """What is known of one request; `kept` and `degraded` are filled in when a snapshot is saved."""

    deps: Deps
    tenant: str
    endpoint: str
    ask: Ask
    plan: Plan
    notes: list[str]
    received: Payload | None = None  # byte for byte
    payload: Payload | None = None  # what paths count from: the same, but for a CallToolResult
    cursor: Cursor | None = None
    view: View | None = None
    snapshot: bytes | None = None
    degraded: str | None = None
    expires: int | None = None
    original: int = -1
    rooted: str = ""  # of a CallToolResult: whether paths count from all of it, not from its only text
    seen: dict[str, Any] = field(default_factory=dict)

    @property
    def shape(self) -> str:
        """How the answer is wrapped: as asked, else as the walk began."""
        if self.ask.shape is not UNSET or self.view is None:
            return self.ask.shape or "plain"
        return self.view.shape if self.endpoint == "/more" or self.goes_on else "plain"

    @property
    def goes_on(self) -> bool:
        """Whether this is the next step of the walk that the cursor belongs to."""
        view = self.view
        return view is not None and self.endpoint in (view.endpoint, view.origin) and not self.given(*NEW_WALK)

    def given(self, *names: str) -> bool:
        """Whether the request sets any of these options."""
        return any(getattr(self.ask, name) is not UNSET for name in names)

    @property
    def result(self) -> mcp.Result:
        """The received CallToolResult."""
        if "result" not in self.seen:
            self.seen["result"] = mcp.opened(self.received.data if self.received else b"{}")
        found: mcp.Result = self.seen["result"]
        return found

    def room(self, budget: int) -> int:
        """What a budget leaves for a body: all of it, less the printed cursor where there is one."""
        return going_on.room(budget, *self._printed) if self.shape == "mcp" else budget

    @property
    def _printed(self) -> tuple[str, str, bool]:
        """What decides how much a printed cursor takes; last, whether structuredContent repeats what the text says."""
        tool, begins = self.plan.policy.fetch_more, self.cursor is None and self.received is not None
        twice = begins and self.plan.policy.structured == "envelope" and self.result.enveloped
        return tool, self.family, twice

    def budget(self, endpoint: str | None = None) -> int:
        """min(asked, hard cap): asked is the request's, else the policy's; the cap itself where the endpoint is off."""
        policy, where = self.plan.policy, endpoint or self.endpoint
        if self.ask.budget is not UNSET:
            asked = self.ask.budget
        elif self.view is not None and self.view.kind == "preview" and self.goes_on and not self.given(*_ANEW):
            asked = self.view.budget
        elif not getattr(policy, _SWITCH[where]):
            asked = policy.hard_output_token_cap
        else:
            asked = policy.chunk_tokens if where == "/chunk" else policy.output_token_threshold
        return min(asked, policy.hard_output_token_cap)

    def budget_of(self, view: View) -> int:
        """The budget of a walk that goes on: as it began, unless this request names another."""
        return view.budget if self.ask.budget is UNSET else self.budget(view.endpoint)

    def at(self) -> Cursor:
        """The cursor that this request goes on from."""
        if self.cursor is None:
            raise RequestInvalid("There is nothing to go on from.", "Send a cursor.")
        return self.cursor

    def hard_bytes(self, budget: int) -> int:
        """No body has more bytes than hard_byte_cap x budget / hard cap."""
        policy = self.plan.policy
        return max(1, policy.hard_byte_cap * budget // policy.hard_output_token_cap)

    def byte_cap(self, budget: int) -> int:
        """The same, less what the printed cursor takes of it."""
        most = self.hard_bytes(budget)
        return going_on.bytes_left(most, budget, *self._printed) if self.shape == "mcp" else most

    @property
    def family(self) -> str:
        """Whose tokens are counted."""
        if self.ask.tokenizer is not UNSET:
            return self.ask.tokenizer
        return self.view.tokenizer if self.view else self.plan.policy.tokenizer

    def wish(self, budget: int, **changes: Any) -> Wish:
        """What this request asks of the engine."""
        ask = self.ask
        fields, verbatim = fields_of(ask)
        wish = Wish(
            budget=budget,
            byte_cap=self.byte_cap(budget),
            family=self.family,
            path=ask.path or "",
            fields=fields,
            verbatim=verbatim,
            query=ask.query or "",
            format=ask.format or "auto",
            as_of=ask.as_of or None,
            explain=ask.explain or False,
        )
        return replace(wish, **changes) if changes else wish

    async def load(self) -> Payload:
        """What paths count from: it came with the request, or is read back from the snapshot."""
        if self.payload is None:
            if self.snapshot is None:
                raise RequestInvalid("There is no payload.", "Send a payload, a text or a cursor.")
            head, tape = await self.windows(Window("head"), Window("tape"))
            known = _head(head)
            self.take(Payload(tape, known.form, known.content_type))
            self.original = known.original_tokens
        if self.payload is None:
            raise RequestInvalid("There is no payload.", "Send a payload, a text or a cursor.")
        return self.payload

    def take(self, received: Payload) -> None:
        """Keep the received payload, and what its paths count from."""
        self.received = self.payload = received
        if self.shape == "mcp":
            self.rooted = "all" if self._beyond_the_text() else ""
            path = self.ask.path or (self.view.asked_path if self.view and self.goes_on else "")
            self.payload = mcp.root(received.data, path, all_of_it=bool(self.rooted))

    def _beyond_the_text(self) -> bool:
        """Whether a walk without a path is one over more than the only text: structuredContent says something else."""
        view = self.view
        if view is None or self.ask.path or view.asked_path or fields_of(self.ask)[0]:
            return False
        inside = view.kind == "preview" or view.tape == tape_name("root", "all") or mcp.beyond(view.path)
        return inside and not mcp.same(self.result)

    @property
    def whole(self) -> bool:
        """Whether paths count from the received payload itself."""
        return self.payload is self.received

    async def windows(self, *wanted: Window) -> list[bytes]:
        """Stretches of the snapshot's parts, in one round trip."""
        local = self.cursor is not None and self.cursor.local
        found = self.deps.snapshots.windows(self.tenant, self.snapshot or b"", wanted, self.ttl, local=local)
        return await found

    @property
    def ttl(self) -> float:
        """Seconds a cursor lives."""
        return self.plan.policy.cursor_ttl

    def original_tokens(self) -> int:
        """Tokens of the received payload."""
        if self.original < 0:
            self.original = tokens.estimate(self.payload.data, self.family) if self.payload else 0
        return self.original

    async def save(self, view: View, shared: Mapping[str, bytes] | None = None, **parts: bytes) -> bytes:
        """Keep the payload (once), a walk over it and what walks share; the walk's id."""
        remembered = _encode(view)
        walk = view_id(remembered)
        named = {f"{walk.hex()}:{name}": part for name, part in parts.items()} | dict(shared or {})
        named[f"{walk.hex()}:view"] = remembered
        if self.snapshot is not None:
            saved = await self.deps.snapshots.add(self.tenant, self.snapshot, named, self.ttl)
        else:
            received = self.received or await self.load()
            head = Head(
                form=received.form,
                content_type=received.content_type,
                size=len(received.data),
                original_tokens=self.original_tokens(),
            )
            saved = await self.deps.snapshots.save(
                self.tenant, {"head": _encode(head), "tape": received.data, **named}, self.ttl
            )
            self.snapshot = saved.snapshot
        self.degraded = saved.degraded or self.degraded
        return walk

    @property
    def local(self) -> bool:
        """Whether only one process holds the snapshot."""
        return self.degraded == "local" or (self.degraded is None and self.cursor is not None and self.cursor.local)

    def issue(self, walk: bytes, kind: Kind, position: int) -> str | None:
        """A cursor into the saved snapshot; None when nothing could be saved."""
        if self.snapshot is None or self.degraded == "unsaved":
            return None
        token, expires = self.deps.snapshots.issue(
            self.tenant, self.snapshot, walk, kind, position, self.ttl, local=self.local
        )
        self.expires = max(expires, self.expires or 0)
        return token

    def again(self, walk: bytes | None, kind: Kind, position: int) -> str | None:
        """A cursor to come back with: the one that was sent, so that the same question has the same answer."""
        if self.cursor is not None and self.ask.cursor is not UNSET:
            self.expires = max(int(self.cursor.expiry), self.expires or 0)
            return self.ask.cursor
        return self.issue(walk, kind, position) if walk else None

    def as_view(self, kind: str, **known: Any) -> View:
        """This request as a walk will remember it."""
        endpoint = {"page": "/paginate", "chunk": "/chunk", "preview": "/compact"}.get(kind, self.endpoint)
        fields, verbatim = fields_of(self.ask)
        budget = known.pop("budget", None) or self.budget()
        values: dict[str, Any] = {
            "kind": kind,
            "endpoint": endpoint,
            "policy_name": self.plan.name,
            "policy": self.plan.policy,
            "budget": budget,
            "byte_cap": self.byte_cap(budget),
            "tokenizer": self.family,
            "shape": self.shape,
            "content_type": "json",
            "original_tokens": self.original_tokens(),
            "asked_path": self.ask.path or "",
            "fields": fields,
            "verbatim": verbatim,
        }
        values = {**values, **known}
        origin = self.endpoint if self.endpoint != values["endpoint"] else ""
        return View(**values, origin=origin)


def fields_of(ask: Ask) -> tuple[tuple[str, ...] | None, bool]:
    """The projection a request asks for, and whether it wants everything verbatim."""
    if ask.fields is UNSET:
        return None, False
    names = ask.fields.split(",") if isinstance(ask.fields, str) else ask.fields
    kept = tuple(name.strip() for name in names if name.strip())
    return (None, True) if kept == ("all",) else (kept, False)


def tape_name(*what: str) -> str:
    """The part that holds a text or list made from the payload: the same for every walk over it."""
    return "own" + hashlib.sha256("\0".join(what).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def view_of(job: Job) -> View:
    """The walk a cursor goes on with."""
    if job.view is None:
        raise CursorInvalid("This cursor names no walk.", "Call the original tool again without a cursor.")
    return job.view
