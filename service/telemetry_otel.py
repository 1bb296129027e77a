"""The sink that exports over OTLP; imported only when the standard OTEL_* variables name an endpoint."""

import logging
import os
import threading
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
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
from opentelemetry.trace import Span as OtelSpan, SpanKind, Status, StatusCode, format_span_id, format_trace_id
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from service.telemetry import Labels, Sink, Span, Sums

log = logging.getLogger("decant.telemetry")
EXPORT_SECONDS = "2"  # a dead collector may not hold the shutdown up
CLOSE_SECONDS = 6.0
# The buckets that the semantic conventions advise for http.server.request.duration.
DURATIONS = (0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0)
SHARES = (0.0, 0.1, 0.25, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)
_NONE = Context()


class OtlpSpan(Span):
    """The server span of one request."""

    __slots__ = ("_method", "_span", "header", "trace_id")

    def __init__(self, span: OtelSpan, method: str) -> None:
        context = span.get_span_context()
        self._span, self._method = span, method
        self.trace_id = format_trace_id(context.trace_id)
        flags = f"{context.trace_flags:02x}"
        self.header = f"00-{self.trace_id}-{format_span_id(context.span_id)}-{flags}"

    def end(self, route: str, status: int, facts: Mapping[str, Any]) -> None:
        """Says how it went; its steps are attributes, not spans."""
        span = self._span
        if span.is_recording():
            span.set_attributes({"http.response.status_code": status, "http.route": route})
            span.set_attributes({f"decant.{name}": value for name, value in facts.items()})
            if status >= 500:
                span.set_attribute("error.type", str(status))
                span.set_status(Status(StatusCode.ERROR))
        span.end()


class Otlp(Sink):
    """Traces and metrics over OTLP; a collector that is gone costs a request nothing."""

    def __init__(self, sums: Sums, active: Callable[[], int], version: str, spans: bool, metrics: bool) -> None:
        resource = Resource.create({"service.version": version, **_name()})
        self._traces = TracerProvider(resource=resource)
        if spans:
            self._traces.add_span_processor(BatchSpanProcessor(_exporter("trace", "OTLPSpanExporter")))
        readers = [PeriodicExportingMetricReader(_exporter("metric", "OTLPMetricExporter"))] if metrics else []
        self._metrics = MeterProvider(
            readers, resource=resource, views=_views(), exemplar_filter=AlwaysOffExemplarFilter()
        )
        self._tracer = self._traces.get_tracer("decant", version)
        self._context = TraceContextTextMapPropagator()
        set_global_textmap(self._context)
        self._attributes: dict[tuple[Any, ...], dict[str, str | int]] = {}
        self._instruments(sums, active, version)

    def _instruments(self, sums: Sums, active: Callable[[], int], version: str) -> None:
        meter = self._metrics.get_meter("decant", version)
        self._duration = meter.create_histogram("http.server.request.duration", "s")
        self._reduction = meter.create_histogram("decant.reduction", "1", "Share of tokens saved, of oversized input")
        self._store = meter.create_histogram("decant.store.duration", "s")
        self._reload = meter.create_histogram("decant.config.reload", "s")
        meter.create_observable_up_down_counter(
            "http.server.active_requests", [lambda _: [Observation(active())]], "{request}"
        )
        for name, unit, counts, labels in (
            ("decant.outcome", "{answer}", sums.requests, Labels._fields),
            ("decant.tokens.original", "{token}", sums.original, Labels._fields[:2]),
            ("decant.tokens.returned", "{token}", sums.returned, Labels._fields[:2]),
            ("decant.oversized", "{answer}", sums.oversized, Labels._fields[:2]),
            ("decant.fallback", "{answer}", sums.fallback, Labels._fields[:2]),
            ("decant.cursor", "{cursor}", sums.cursor, ("event",)),
        ):
            meter.create_observable_counter(name, [_reading(counts, labels)], unit)

    def span(self, method: str, route: str, headers: Mapping[str, str]) -> Span:
        """The server span, child of the caller's when there is a traceparent."""
        parent = self._context.extract(headers, _NONE) if "traceparent" in headers else _NONE
        attributes = self._cached(("span", method, route), lambda: _span_attributes(method, route))
        name = f"{attributes['http.request.method']} {route}"
        return OtlpSpan(self._tracer.start_span(name, parent, SpanKind.SERVER, attributes), method)

    def duration(self, method: str, route: str, status: int, seconds: float) -> None:
        attributes = self._cached(
            ("duration", method, route, status),
            lambda: {**_span_attributes(method, route), "http.response.status_code": status},
        )
        self._duration.record(seconds, attributes, _NONE)

    def reduction(self, labels: Labels, share: float) -> None:
        attributes = self._cached(labels[:3], lambda: dict(zip(Labels._fields[:3], labels[:3], strict=True)))
        self._reduction.record(max(share, 0.0), attributes, _NONE)

    def store(self, operation: str, outcome: str, seconds: float) -> None:
        key = ("store", operation, outcome)
        self._store.record(seconds, self._cached(key, lambda: {"operation": operation, "outcome": outcome}), _NONE)

    def reload(self, seconds: float, outcome: str) -> None:
        self._reload.record(seconds, {"outcome": outcome})

    def _cached(self, key: tuple[Any, ...], make: Callable[[], Mapping[str, str | int]]) -> dict[str, str | int]:
        known = self._attributes.get(key)
        if known is None:
            known = self._attributes[key] = dict(make())
        return known

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
        "http.server.request.duration": DURATIONS,
        "decant.store.duration": (0.0005, 0.001, 0.0025, *DURATIONS),
        "decant.config.reload": DURATIONS,
        "decant.reduction": SHARES,
    }
    return [
        View(instrument_name=name, aggregation=ExplicitBucketHistogramAggregation(bounds))
        for name, bounds in buckets.items()
    ]


def _reading(counts: Mapping[Any, int], labels: tuple[str, ...]) -> Callable[[CallbackOptions], Iterable[Observation]]:
    def read(_: CallbackOptions) -> Iterable[Observation]:
        for key, value in list(counts.items()):
            parts = key if isinstance(key, tuple) else (key,)
            yield Observation(value, dict(zip(labels, parts, strict=True)))

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
