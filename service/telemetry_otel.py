"""The sink that exports over OTLP; imported only when the standard OTEL_* variables name an endpoint."""

import logging
import os
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from random import random
from typing import Any

from opentelemetry.context import Context
from opentelemetry.metrics import CallbackOptions, Observation
from opentelemetry.propagate import set_global_textmap
from opentelemetry.sdk.metrics import AlwaysOffExemplarFilter, MeterProvider
from opentelemetry.sdk.metrics.export import MetricExporter, PeriodicExportingMetricReader
from opentelemetry.sdk.metrics.view import ExplicitBucketHistogramAggregation, View
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter
from opentelemetry.sdk.trace.sampling import ALWAYS_ON, ParentBased
from opentelemetry.trace import Span as OtelSpan, SpanKind, Status, StatusCode, format_span_id, format_trace_id
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from service.telemetry import LINE, UNTRACED, Labels, Row, Span, Sums
from service.telemetry_durations import BOUNDS, Durations

log = logging.getLogger("decant.telemetry")
MANY = 1000  # sets of labels that are kept ready; callers can make up methods
EXPORT_SECONDS = "2"  # a dead collector may not hold the shutdown up
CLOSE_SECONDS = 6.0
SHARES = (0.0, 0.1, 0.25, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)
_NONE = Context()
_FAILED = Status(StatusCode.ERROR)
_FACTS = {name: f"decant.{name}" for name in LINE}


class OtlpSpan:
    """The server span of one request."""

    __slots__ = ("_span", "header", "trace_id")

    def __init__(self, span: OtelSpan) -> None:
        context = span.get_span_context()
        self._span = span
        self.trace_id = format_trace_id(context.trace_id)
        flags = f"{context.trace_flags:02x}"
        self.header = f"00-{self.trace_id}-{format_span_id(context.span_id)}-{flags}"

    def end(self, route: str, status: int, facts: Mapping[str, Any]) -> None:
        """Says how it went; its steps are attributes, not spans."""
        span = self._span
        if span.is_recording():
            said = {_FACTS.get(name, name): value for name, value in facts.items()}
            span.set_attributes({"http.response.status_code": status, **said})
            if status >= 500:
                span.set_attribute("error.type", str(status))
                span.set_status(_FAILED)
        span.end()


class Otlp:
    """Traces and metrics over OTLP; a collector that is gone costs a request nothing."""

    def __init__(self, sums: Sums, active: Callable[[], int], version: str, spans: bool, metrics: bool) -> None:
        resource = Resource.create({"service.version": version, **_name()})
        self._share = share_of(os.environ) if spans else 0.0
        # Whose parent sampled it, or who is drawn here, is sampled; the SDK is not asked for the others.
        sampler = ParentBased(ALWAYS_ON) if self._share is not None else None
        self._traces = TracerProvider(resource=resource, sampler=sampler)
        if spans:
            self._traces.add_span_processor(BatchSpanProcessor(_exporter("trace", "OTLPSpanExporter")))
        self._durations = Durations(_span_attributes, MANY)
        readers = [self._reader()] if metrics else []
        self._metrics = MeterProvider(
            readers, resource=resource, views=_views(), exemplar_filter=AlwaysOffExemplarFilter()
        )
        self._tracer = self._traces.get_tracer("decant", version)
        self._context = TraceContextTextMapPropagator()
        set_global_textmap(self._context)
        self._attributes: dict[tuple[Any, ...], dict[str, str | int]] = {}
        self._named: dict[tuple[str, str], tuple[str, dict[str, str | int]]] = {}
        self._instruments(sums, active, version)

    def _reader(self) -> PeriodicExportingMetricReader:
        exporter = _exporter("metric", "OTLPMetricExporter")
        exporter.export = self._durations.completing(exporter.export)
        return PeriodicExportingMetricReader(exporter)

    def _instruments(self, sums: Sums, active: Callable[[], int], version: str) -> None:
        meter = self._metrics.get_meter("decant", version)
        self._reduction = meter.create_histogram("decant.reduction", "1", "Share of tokens saved, of oversized input")
        self._store = meter.create_histogram("decant.store.duration", "s")
        self._reload = meter.create_histogram("decant.config.reload", "s")
        meter.create_observable_up_down_counter(
            "http.server.active_requests", [lambda _: [Observation(active())]], "{request}"
        )
        for name, unit, value in (
            ("decant.tokens.original", "{token}", lambda row: row.original),
            ("decant.tokens.returned", "{token}", lambda row: row.returned),
            ("decant.oversized", "{answer}", lambda row: row.oversized),
            ("decant.fallback", "{answer}", lambda row: row.fallback),
        ):
            meter.create_observable_counter(name, [_summing(sums, value)], unit)
        meter.create_observable_counter("decant.outcome", [_outcomes(sums)], "{answer}")
        meter.create_observable_counter("decant.cursor", [_cursors(sums)], "{cursor}")

    def span(self, method: str, route: str, headers: Mapping[str, str]) -> Span:
        """The server span, child of the caller's when there is a traceparent."""
        traced = "traceparent" in headers
        if not traced and self._share is not None and random() >= self._share:  # noqa: S311  # a sample, no secret
            return UNTRACED
        parent = self._context.extract(headers, _NONE) if traced else _NONE
        name, attributes = self._named.get((method, route)) or self._name(method, route)
        return OtlpSpan(self._tracer.start_span(name, parent, SpanKind.SERVER, attributes))

    def _name(self, method: str, route: str) -> tuple[str, dict[str, str | int]]:
        attributes = _span_attributes(method, route)
        named = f"{attributes['http.request.method']} {route}", attributes
        if len(self._named) < MANY:
            self._named[method, route] = named
        return named

    def duration(self, method: str, route: str, status: int, seconds: float) -> None:
        self._durations.record(method, route, status, seconds)

    def reduction(self, labels: Labels, share: float) -> None:
        key = labels[:3]
        attributes = self._attributes.get(key) or self._keep(key, dict(zip(Labels._fields, key, strict=False)))
        self._reduction.record(max(share, 0.0), attributes, _NONE)

    def store(self, operation: str, outcome: str, seconds: float) -> None:
        key = operation, outcome
        attributes = self._attributes.get(key) or self._keep(key, {"operation": operation, "outcome": outcome})
        self._store.record(seconds, attributes, _NONE)

    def reload(self, seconds: float, outcome: str) -> None:
        self._reload.record(seconds, {"outcome": outcome})

    def _keep(self, key: tuple[Any, ...], attributes: dict[str, str | int]) -> dict[str, str | int]:
        if len(self._attributes) < MANY:
            self._attributes[key] = attributes
        return attributes

    def close(self) -> None:
        """Flushes in threads under one hard limit; what a dead collector did not take by then is lost."""
        threads = [
            threading.Thread(target=provider.shutdown, daemon=True) for provider in (self._traces, self._metrics)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(CLOSE_SECONDS / len(threads))
            if thread.is_alive():
                log.warning("the collector does not answer; what is not exported yet is lost")


def _name() -> dict[str, str]:
    named = "OTEL_SERVICE_NAME" in os.environ or "service.name" in os.environ.get("OTEL_RESOURCE_ATTRIBUTES", "")
    return {} if named else {"service.name": "decant"}


def _span_attributes(method: str, route: str) -> dict[str, str | int]:
    known = method in {"GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH"}
    return {"http.request.method": method if known else "_OTHER", "http.route": route, "url.scheme": "http"}


def _views() -> list[View]:
    buckets = {
        "decant.store.duration": (0.0005, 0.001, 0.0025, *BOUNDS),
        "decant.config.reload": BOUNDS,
        "decant.reduction": SHARES,
    }
    return [
        View(instrument_name=name, aggregation=ExplicitBucketHistogramAggregation(bounds))
        for name, bounds in buckets.items()
    ]


Reading = Callable[[CallbackOptions], Iterable[Observation]]


def _summing(sums: Sums, value: Callable[[Row], int]) -> Reading:
    def read(_: CallbackOptions) -> Iterable[Observation]:
        found: Counter[tuple[str, str]] = Counter()
        for (endpoint, policy, _outcome), row in list(sums.answers.items()):
            found[endpoint, policy] += value(row)
        return [Observation(count, {"endpoint": one, "policy": two}) for (one, two), count in found.items()]

    return read


def _outcomes(sums: Sums) -> Reading:
    def read(_: CallbackOptions) -> Iterable[Observation]:
        for key, row in list(sums.answers.items()):
            yield Observation(row.answers, Labels(*key, 200)._asdict())
        for labels, count in list(sums.refusals.items()):
            yield Observation(count, labels._asdict())

    return read


def _cursors(sums: Sums) -> Reading:
    def read(_: CallbackOptions) -> Iterable[Observation]:
        yield Observation(int(sums.total(lambda row: row.cursors)), {"event": "issued"})
        for event, count in list(sums.cursor.items()):
            yield Observation(count, {"event": event})

    return read


def _exporter(signal: str, name: str) -> Any:
    """The exporter of the one protocol that OTEL_EXPORTER_OTLP_PROTOCOL names; the other is never imported."""
    os.environ.setdefault("OTEL_EXPORTER_OTLP_TIMEOUT", EXPORT_SECONDS)
    protocol = os.environ.get("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf")
    package = "grpc" if protocol == "grpc" else "http"
    exporter: SpanExporter | MetricExporter = getattr(
        import_module(f"opentelemetry.exporter.otlp.proto.{package}.{signal}_exporter"), name
    )()
    return exporter


def share_of(environ: Mapping[str, str]) -> float | None:
    """The share of requests without a parent that is sampled; None for samplers that only the SDK knows."""
    name = environ.get("OTEL_TRACES_SAMPLER", "parentbased_always_on")
    if name not in ("parentbased_traceidratio", "parentbased_always_on", "parentbased_always_off"):
        return None
    if name != "parentbased_traceidratio":
        return float(name == "parentbased_always_on")
    try:
        return float(environ.get("OTEL_TRACES_SAMPLER_ARG", "1"))
    except ValueError:
        return 1.0
