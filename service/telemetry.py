"""All instruments in one struct: what an answer says of itself is what is counted, in the process and over OTLP.

Counting costs a few dictionary look-ups per request: labels come from bounded sets, the exporter reads the sums when it
wants them (observable instruments). An answer's policy is one that an operator wrote, so its name is a bounded label; a
refused request has named anything, and counts under `_other`.
"""

import math
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from msgspec import UNSET

from schemas.api import Meta

OTHER = "_other"
LINE = "policy outcome format originalTokens returnedTokens budget reduction oversized fallback degraded code".split()
CONTINUED = ("page", "chunk", "hits")


class Labels(NamedTuple):
    """What an answer is counted under; every part comes from a bounded set."""

    endpoint: str
    policy: str
    outcome: str
    status: int


@dataclass(slots=True)
class Row:
    """What is added up under one endpoint, policy and outcome."""

    answers: int = 0
    original: int = 0
    returned: int = 0
    bytes: int = 0
    seconds: float = 0.0
    oversized: int = 0
    fallback: int = 0
    cursors: int = 0


@dataclass(slots=True)
class Sums:
    """What has been counted since the process began."""

    answers: dict[tuple[str, str, str], Row] = field(default_factory=dict)
    refusals: Counter[Labels] = field(default_factory=Counter)
    cursor: Counter[str] = field(default_factory=Counter)
    reload: Counter[str] = field(default_factory=Counter)

    def row(self, endpoint: str, policy: str, outcome: str) -> Row:
        """The row of these labels."""
        key = endpoint, policy, outcome
        row = self.answers.get(key)
        if row is None:
            row = self.answers[key] = Row()
        return row

    def total(self, value: Callable[[Row], float], *outcomes: str) -> float:
        """A value, added up over all answers or those with one of these outcomes."""
        rows = list(self.answers.items())
        return sum(value(row) for (_, _, outcome), row in rows if not outcomes or outcome in outcomes)


class Span(Protocol):
    """A request's server span: the ids a log line and the response carry, and how it ended."""

    @property
    def trace_id(self) -> str:
        """Empty when nobody traces this request."""
        ...

    @property
    def header(self) -> str:
        """The traceparent to hand on; empty as above."""
        ...

    def end(self, route: str, status: int, facts: Mapping[str, Any]) -> None:
        """Says how it went."""
        ...


class Sink(Protocol):
    """Where measurements go besides /health."""

    def span(self, method: str, route: str, headers: Mapping[str, str]) -> Span:
        """A server span, begun."""
        ...

    def duration(self, method: str, route: str, status: int, seconds: float) -> None:
        """http.server.request.duration."""
        ...

    def reduction(self, labels: Labels, share: float) -> None:
        """decant.reduction."""
        ...

    def store(self, operation: str, outcome: str, seconds: float) -> None:
        """decant.store.duration."""
        ...

    def reload(self, seconds: float, outcome: str) -> None:
        """decant.config.reload."""
        ...

    def close(self) -> None:
        """Flushes, within a few seconds."""
        ...


class Untraced:
    """The span of a request that nobody traces."""

    __slots__ = ()
    trace_id = header = ""

    def end(self, route: str, status: int, facts: Mapping[str, Any]) -> None:
        """Nothing to end."""


class Nowhere:
    """The sink when nobody collects; service.telemetry_otel has the one that exports."""

    def span(self, method: str, route: str, headers: Mapping[str, str]) -> Span:
        return UNTRACED

    def duration(self, method: str, route: str, status: int, seconds: float) -> None:
        return

    def reduction(self, labels: Labels, share: float) -> None:
        return

    def store(self, operation: str, outcome: str, seconds: float) -> None:
        return

    def reload(self, seconds: float, outcome: str) -> None:
        return

    def close(self) -> None:
        return


UNTRACED = Untraced()


class Telemetry:
    """What the service counts; `sink` is where it goes besides /health."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self.sums = Sums()
        self.sink: Sink = Nowhere()
        self.active = 0
        self.slow: Callable[[str], float] = lambda policy: math.inf  # milliseconds from which an answer is slow
        self.started = clock()
        self._clock = clock

    @property
    def uptime(self) -> float:
        """Seconds since the start."""
        return self._clock() - self.started

    def record(self, endpoint: str, meta: Meta, size: int, seconds: float) -> dict[str, Any]:
        """Counts an answer by what it says of itself; the numbers of its log line."""
        original, returned = meta.original_tokens, meta.estimated_tokens
        row = self.sums.row(endpoint, meta.policy, meta.kind)
        row.answers += 1
        row.original += original
        row.returned += returned
        row.bytes += size
        row.seconds += seconds
        row.cursors += meta.expires_at is not UNSET
        facts: dict[str, Any] = {
            "policy": meta.policy,
            "outcome": meta.kind,
            "format": meta.format,
            "originalTokens": original,
            "returnedTokens": returned,
            "budget": meta.budget,
        }
        if original > meta.budget:
            row.oversized += 1
            share = 1 - returned / original
            facts |= {"oversized": True, "reduction": round(share, 4)}
            self.sink.reduction(Labels(endpoint, meta.policy, meta.kind, 200), share)
        if meta.fallback is True:
            row.fallback += 1
            facts["fallback"] = True
        if meta.degraded is not UNSET:
            facts["degraded"] = meta.degraded
        if seconds * 1000 > self.slow(meta.policy):
            facts["slow"] = True
        return facts

    def failed(self, endpoint: str, code: str, status: int) -> None:
        """Counts a refusal."""
        self.sums.refusals[Labels(endpoint, OTHER, code, status)] += 1
        if code.startswith("cursor_"):
            self.sums.cursor[code.removeprefix("cursor_")] += 1

    def store(self, operation: str, outcome: str, seconds: float) -> None:
        """Counts one operation of the store."""
        self.sink.store(operation, outcome, seconds)

    def reloaded(self, ok: bool, seconds: float) -> None:
        """Counts one reload of the policies."""
        outcome = "ok" if ok else "refused"
        self.sums.reload[outcome] += 1
        self.sink.reload(seconds, outcome)

    def protection(self) -> dict[str, Any]:
        """The numbers of /health, of this process."""
        total = self.sums.total
        count = int(total(lambda row: row.answers))
        answers, oversized = count or 1, int(total(lambda row: row.oversized))
        return {
            "scope": "process",
            "totalRequests": count,
            "paginationAdoption": round(total(lambda row: row.answers, *CONTINUED) / answers, 4),
            "summarizationAdoption": round(total(lambda row: row.answers, "preview") / answers, 4),
            "avgResponseSizeBytes": round(total(lambda row: row.bytes) / answers),
            "avgResponseTokens": round(total(lambda row: row.returned) / answers),
            "avgLatencyMs": round(total(lambda row: row.seconds) / answers * 1000, 3),
            "oversizedEvents": oversized,
            "oversizedRatio": round(oversized / answers, 4),
        }


def wanted(environ: Mapping[str, str]) -> tuple[bool, bool]:
    """Whether traces and metrics have somewhere to go."""
    if environ.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return False, False
    everything = bool(environ.get("OTEL_EXPORTER_OTLP_ENDPOINT"))
    return (
        environ.get("OTEL_TRACES_EXPORTER") != "none"
        and (everything or bool(environ.get("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"))),
        environ.get("OTEL_METRICS_EXPORTER") != "none"
        and (everything or bool(environ.get("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT"))),
    )
