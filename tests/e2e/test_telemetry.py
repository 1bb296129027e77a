"""What reaches a collector: one span a request, the instruments by name, bounded labels, nothing of a payload."""

import http.client
import re
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from tests.server import Server

PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
BODY = {"payload": [{"id": number, "note": "seekrit " * 20} for number in range(200)], "source": "made.up.source"}


class Collector(ThreadingHTTPServer):
    """An OTLP collector that keeps everything."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Intake)
        self.spans: list[Any] = []
        self.metrics: dict[str, Any] = {}
        self.raw = b""

    def take(self, path: str, body: bytes) -> None:
        self.raw += body
        if path.endswith("traces"):
            traces = ExportTraceServiceRequest.FromString(body)
            self.spans += [s for r in traces.resource_spans for scope in r.scope_spans for s in scope.spans]
        else:
            metrics = ExportMetricsServiceRequest.FromString(body)
            found = [m for r in metrics.resource_metrics for scope in r.scope_metrics for m in scope.metrics]
            self.metrics |= {metric.name: metric for metric in found}

    def labels(self, name: str) -> list[dict[str, Any]]:
        metric = self.metrics[name]
        points = metric.histogram.data_points or metric.sum.data_points
        return [attributes(point) for point in points]


def attributes(thing: Any) -> dict[str, Any]:
    return {a.key: getattr(a.value, a.value.WhichOneof("value")) for a in thing.attributes}


class Intake(BaseHTTPRequestHandler):
    server: Collector

    def do_POST(self) -> None:
        assert self.headers.get("Content-Encoding") is None
        self.server.take(self.path, self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Nothing."""


@pytest.fixture(scope="module")
def collected() -> Iterator[Collector]:
    """A collector after a service has talked to it and gone."""
    with Collector() as collector:
        threading.Thread(target=collector.serve_forever, daemon=True).start()
        environ = {
            "OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{collector.server_port}",
            "OTEL_METRIC_EXPORT_INTERVAL": "300",
        }
        with Server(environ) as server:
            assert server.ask("/compact", BODY, traceparent=PARENT)[0] == 200
            page = server.ask("/paginate", {**BODY, "limit": 3})[1]
            assert server.ask("/more", {"cursor": page["nextCursor"]})[0] == 200
            assert server.ask("/compact", {"payload": 1, "policy": "nobody-wrote-this"})[0] == 400
            assert server.ask("/more", {"cursor": "rubbish"})[0] == 400
            assert server.ask("/nothing/here")[0] == 404
            time.sleep(0.5)
            assert server.stop() == 0
        yield collector
        collector.shutdown()


def test_one_server_span_a_request(collected: Collector) -> None:
    spans = [span for span in collected.spans if attributes(span)["http.route"] not in ("/readyz", "/livez")]
    assert sorted(span.name for span in spans) == [
        *("GET _other", "POST /compact", "POST /compact", "POST /more", "POST /more", "POST /paginate")
    ]
    first = next(span for span in spans if span.trace_id.hex() == PARENT.split("-")[1])
    assert (first.parent_span_id.hex(), first.kind) == (PARENT.split("-")[2], 2)
    said = attributes(first)
    assert said["http.request.method"] == "POST"
    assert said["http.response.status_code"] == 200
    assert said["decant.policy"] == "default"
    assert said["decant.originalTokens"] > said["decant.returnedTokens"] > 0


def test_every_instrument_is_there(collected: Collector) -> None:
    assert set(collected.metrics) >= {
        "http.server.request.duration",
        "http.server.active_requests",
        "decant.tokens.original",
        "decant.tokens.returned",
        "decant.reduction",
        "decant.outcome",
        "decant.oversized",
        "decant.cursor",
        "decant.store.duration",
    }
    duration = collected.metrics["http.server.request.duration"]
    assert (duration.unit, len(duration.histogram.data_points[0].explicit_bounds)) == ("s", 14)
    point = next(p for p in duration.histogram.data_points if attributes(p)["http.route"] == "/paginate")
    assert (point.count, sum(point.bucket_counts)) == (1, 1)
    outcomes = {(one["endpoint"], one["outcome"], one["status"]) for one in collected.labels("decant.outcome")}
    assert outcomes >= {("/paginate", "page", 200), ("/more", "page", 200), ("/compact", "policy_unknown", 400)}
    assert {one["event"] for one in collected.labels("decant.cursor")} == {"issued", "malformed"}


def test_labels_are_bounded_and_nothing_of_the_caller_leaves(collected: Collector) -> None:
    for secret in (b"seekrit", b"nobody-wrote-this", b"made.up.source", b"nothing/here"):
        assert secret not in collected.raw
    assert re.search(b"_other", collected.raw)


def test_the_context_goes_out_again() -> None:
    with Server({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9"}) as server:
        line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
        line.request("GET", "/health", headers={"traceparent": PARENT})
        given = line.getresponse().headers["traceparent"]
        line.close()
    assert given.split("-")[:2] == PARENT.split("-")[:2]
    assert given != PARENT
