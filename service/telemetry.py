"""All instruments in one struct: what an answer says of itself is what is counted, in the process and over OTLP.

Counting costs a few dictionary look-ups per request: labels come from bounded sets, the exporter reads the sums when it
wants them (observable instruments), and one histogram, the duration, is recorded as it happens.
"""

import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from msgspec import UNSET

from schemas.api import Meta

OTHER = "_other"
LINE = "policy outcome format originalTokens returnedTokens budget reduction oversized fallback degraded code".split()
CONTINUED = frozenset({"page", "chunk", "hits"})


class Labels(NamedTuple):
    """What an answer is counted under; every part comes from a bounded set."""

    endpoint: str
    policy: str
    outcome: str
    status: int


@dataclass(slots=True)
class Sums:
    """What has been counted since the process began."""

    requests: Counter[Labels] = field(default_factory=Counter)
    original: Counter[tuple[str, str]] = field(default_factory=Counter)
    returned: Counter[tuple[str, str]] = field(default_factory=Counter)
    oversized: Counter[tuple[str, str]] = field(default_factory=Counter)
    fallback: Counter[tuple[str, str]] = field(default_factory=Counter)
    cursor: Counter[str] = field(default_factory=Counter)
    reload: Counter[str] = field(default_factory=Counter)
    answers: int = 0
    paginated: int = 0
    summarised: int = 0
    tokens: int = 0
    bytes: int = 0
    seconds: float = 0.0
    oversized_total: int = 0


class Span:
    """A request's span when nobody collects spans."""

    __slots__ = ()
    trace_id = ""
    header = ""

    def end(self, route: str, status: int, facts: Mapping[str, Any]) -> None:
        """Nothing to end."""


class Sink:
    """Where measurements go when nobody collects them; service.telemetry_otel has the one that exports."""

    def span(self, method: str, route: str, headers: Mapping[str, str]) -> Span:
        """A server span."""
        return NO_SPAN

    def duration(self, method: str, route: str, status: int, seconds: float) -> None:
        """http.server.request.duration."""

    def reduction(self, labels: Labels, share: float) -> None:
        """decant.reduction."""

    def store(self, operation: str, outcome: str, seconds: float) -> None:
        """decant.store.duration."""

    def reload(self, seconds: float, outcome: str) -> None:
        """decant.config.reload."""

    def close(self) -> None:
        """Flush, within a few seconds."""


NO_SPAN = Span()


class Telemetry:
    """What the service counts; `sink` is where it goes besides /health."""

    def __init__(self, known_policy: Callable[[str], bool], clock: Callable[[], float] = time.time) -> None:
        self.sums, self.sink = Sums(), Sink()
        self.active = 0
        self.started = clock()
        self._known, self._clock = known_policy, clock

    @property
    def uptime(self) -> float:
        """Seconds since the start."""
        return self._clock() - self.started

    def record(self, endpoint: str, meta: Meta, size: int, seconds: float) -> dict[str, Any]:
        """Counts an answer by what it says of itself; the numbers of its log line."""
        sums, policy = self.sums, self.bounded(meta.policy)
        labels, key = Labels(endpoint, policy, meta.kind, 200), (endpoint, policy)
        oversized = meta.original_tokens > meta.budget
        sums.requests[labels] += 1
        sums.original[key] += meta.original_tokens
        sums.returned[key] += meta.estimated_tokens
        sums.answers += 1
        sums.paginated += meta.kind in CONTINUED
        sums.summarised += meta.kind == "preview"
        sums.tokens += meta.estimated_tokens
        sums.bytes += size
        sums.seconds += seconds
        if oversized:
            sums.oversized[key] += 1
            sums.oversized_total += 1
        if meta.fallback is True:
            sums.fallback[key] += 1
        if meta.expires_at is not UNSET:
            sums.cursor["issued"] += 1
        share = 1 - meta.estimated_tokens / meta.original_tokens if meta.original_tokens else 0.0
        if oversized:
            self.sink.reduction(labels, share)
        return self._facts(meta, policy, oversized, share)

    def _facts(self, meta: Meta, policy: str, oversized: bool, share: float) -> dict[str, Any]:
        facts: dict[str, Any] = {
            "policy": policy,
            "outcome": meta.kind,
            "format": meta.format,
            "originalTokens": meta.original_tokens,
            "returnedTokens": meta.estimated_tokens,
            "budget": meta.budget,
            "reduction": round(share, 3),
        }
        if oversized:
            facts["oversized"] = True
        if meta.fallback is True:
            facts["fallback"] = True
        if meta.degraded is not UNSET:
            facts["degraded"] = meta.degraded
        return facts

    def failed(self, endpoint: str, code: str, status: int) -> None:
        """Counts a refusal."""
        self.sums.requests[Labels(endpoint, OTHER, code, status)] += 1
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

    def bounded(self, policy: str) -> str:
        """A policy's name as a label: names nobody configured are all one."""
        return policy if self._known(policy) else OTHER

    def protection(self) -> dict[str, Any]:
        """The numbers of /health, of this process."""
        sums, answers = self.sums, self.sums.answers or 1
        return {
            "scope": "process",
            "totalRequests": sums.answers,
            "paginationAdoption": round(sums.paginated / answers, 4),
            "summarizationAdoption": round(sums.summarised / answers, 4),
            "avgResponseSizeBytes": round(sums.bytes / answers),
            "avgResponseTokens": round(sums.tokens / answers),
            "avgLatencyMs": round(sums.seconds / answers * 1000, 3),
            "oversizedEvents": sums.oversized_total,
            "oversizedRatio": round(sums.oversized_total / answers, 4),
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
