"""The actions without HTTP: real policies, snapshots and engine in this process, and walks followed to their end."""

import asyncio
import time
from typing import Any

import msgspec

from schemas.api import Answer, Ask
from schemas.policy import Policy
from service import actions
from service.compute import Compute
from service.core import tokens
from service.core.payload import Payload
from service.core.plan import Plan, compile_plan
from service.job import Deps
from service.keys import KeyRing
from service.snapshots import Snapshots
from service.store.memory import MemoryStore
from tests.made import dump


class OnePolicy:
    """Policies that know a single plan."""

    def __init__(self, policy: Policy) -> None:
        self.only = compile_plan("default", policy)

    def plan(self, name: str | None, source: str | None) -> Plan:
        """The plan, whatever is asked for."""
        return self.only


class Story:
    """Asks the actions as the web shell does and returns what goes over the wire."""

    def __init__(self, policy: Policy | None = None, tenant: str = "somebody") -> None:
        self.tenant = tenant
        self.store = MemoryStore()
        self.snapshots = Snapshots(self.store, KeyRing.from_settings())
        policies: Any = OnePolicy(policy or Policy())
        self.deps = Deps(policies, self.snapshots, Compute(0), time.time)

    def __call__(self, endpoint: str, payload: Any = None, **options: Any) -> dict[str, Any]:
        """One request: text as text, bytes as JSON bytes, anything else as its JSON."""
        return asyncio.run(self.ask(endpoint, payload, **options))

    async def ask(self, endpoint: str, payload: Any = None, **options: Any) -> dict[str, Any]:
        """The same from inside a loop."""
        return dict(msgspec.json.decode(msgspec.json.encode(await self.answer(endpoint, payload, **options))))

    def raw(self, endpoint: str, payload: Any = None, **options: Any) -> Any:
        """One request, its answer before it becomes JSON."""
        return asyncio.run(self.answer(endpoint, payload, **options))

    async def answer(self, endpoint: str, payload: Any = None, **options: Any) -> Answer:
        """One request."""
        sent = None if payload is None else as_payload(payload)
        ask = msgspec.convert(options, Ask)
        answer: Answer = await getattr(actions, endpoint)(self.deps, ask, self.tenant, sent)
        return answer

    def walk(self, answer: dict[str, Any], endpoint: str) -> list[dict[str, Any]]:
        """This answer and all that follow it."""
        found = [answer]
        while "nextCursor" in found[-1]:
            assert len(found) < 10_000
            found.append(self(endpoint, cursor=found[-1]["nextCursor"]))
        return found

    def rebuilt(self, cursor: str) -> bytes:
        """The received payload, read back chunk by chunk."""
        chunks = self.walk(self("chunk", cursor=cursor, path=""), "chunk")
        for index, chunk in enumerate(chunks):
            assert chunk["meta"]["chunkIndex"] == index
            assert chunk["meta"]["totalChunks"] == len(chunks)
            check(chunk)
        return "".join(chunk["text"] for chunk in chunks).encode()


def as_payload(payload: Any) -> Payload:
    """What the web shell makes of a request's payload."""
    if isinstance(payload, str):
        return Payload(payload.encode(), "text")
    return Payload(payload if isinstance(payload, bytes) else dump(payload), "json")


def visible(answer: dict[str, Any]) -> str:
    """The model-visible part."""
    body = next(answer[name] for name in ("items", "text", "data", "summary") if name in answer)
    form = answer["meta"]["format"]
    shown = body if isinstance(body, str) and form != "json" else dump(body).decode()
    return shown + (dump(answer["around"]).decode() if "around" in answer else "")


def cursors(answer: dict[str, Any]) -> list[str]:
    """Every cursor of an answer."""
    details = answer["meta"].get("detailsAvailable", {}).get("parameters", {})
    return [cursor for cursor in (answer.get("nextCursor"), details.get("cursor")) if cursor]


def check(answer: dict[str, Any]) -> None:
    """What every answer promises: it fits, its numbers are true, its ledger adds up."""
    meta = answer["meta"]
    assert meta["estimatedTokens"] <= meta["budget"]
    assert meta["budgetRemaining"] == meta["budget"] - meta["estimatedTokens"]
    assert meta["budgetUsed"] == round(meta["estimatedTokens"] / meta["budget"], 2)
    assert ("expiresAt" in meta) or not cursors(answer)
    for entry in meta.get("omitted", ()):
        assert entry["tokens"] >= 0
        assert entry["path"] == "*" or 0 <= entry["kept"] < entry["total"]
    assert len(dump({name: part for name, part in meta.items() if name != "steps"})) <= 2048
    assert abs(tokens.estimate(visible(answer), meta["tokenizer"]) - meta["estimatedTokens"]) <= 1
