"""The real process: ready soon, small, drained without a lost request, several workers, refusals at the start."""

import asyncio
import gzip
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession

from tests.redis_server import RedisServer
from tests.server import Server

ROOT = Path(__file__).parent.parent.parent
BODY = {"payload": [{"id": number, "name": f"item {number}"} for number in range(20)]}


def decant(*arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """A verb, run to its end."""
    known = {"PATH": os.environ["PATH"], **environ}
    program = [sys.executable, "-m", "service", *arguments]
    return subprocess.run(program, cwd=ROOT, env=known, capture_output=True, text=True, timeout=60, check=False)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server() as one:
        yield one


def test_it_is_ready_soon_and_small(server: Server) -> None:
    assert server.ready_after < 3  # the benchmark holds it to one second; here other tests may be running
    assert server.memory() < 80 << 20


def test_a_walk_leads_to_every_item_through_the_front_door(server: Server) -> None:
    status, page = server.ask("/paginate", {**BODY, "limit": 7})
    seen = page["items"]
    while "nextCursor" in page:
        status, page = server.ask("/more", {"cursor": page["nextCursor"]})
        assert status == 200
        seen += page["items"]
    assert seen == BODY["payload"]
    assert server.ask("/health")[1]["contextProtection"]["totalRequests"] >= 3


def test_the_contract_is_served(server: Server) -> None:
    status, document = server.ask("/openapi.json")
    assert (status, document) == (200, json.loads((ROOT / "schemas/openapi.json").read_text()))


def test_a_rebound_name_is_refused(server: Server) -> None:
    status, problem = server.ask("/compact", BODY, Host="evil.example")
    assert (status, problem["code"]) == (403, "host_refused")


def test_a_bomb_costs_little() -> None:
    bomb = gzip.compress(bytes(1 << 30), 9)
    assert len(bomb) < 1100 * 1024
    with Server() as server:
        idle = server.memory("VmHWM")
        status, problem = server.ask("/compact?policy=default", bomb, Content_Encoding="gzip")
        assert (status, problem["code"]) == (413, "payload_too_large_decompressed")
        assert server.memory("VmHWM") - idle < 100 << 20


@pytest.mark.parametrize("workers", [1, 2])
async def test_a_restart_loses_no_request(workers: int, redis_server: RedisServer) -> None:
    """One goes while another is there: clients that look at /readyz never see a failure."""
    shared = {"DECANT_SECRETS": "k" * 32, "DECANT_REDIS_URL": redis_server.url}
    with Server({**shared, "DECANT_DRAIN": "1", "DECANT_WORKERS": str(workers)}) as old, Server(shared) as new:
        ready, failures, answered = [old, new], list[str](), 0
        ends = time.monotonic() + 3

        async def call(session: ClientSession) -> None:
            nonlocal answered
            while time.monotonic() < ends:
                answered += 1
                try:
                    async with session.post(ready[answered % len(ready)].url + "/compact", json=BODY) as response:
                        if response.status != 200 or not await response.read():
                            failures.append(str(response.status))
                except OSError as error:
                    failures.append(repr(error))

        async def watch(session: ClientSession) -> None:
            while old in ready:
                async with session.get(old.url + "/readyz") as response:
                    if response.status == 503:
                        ready.remove(old)
                await asyncio.sleep(0.02)

        async with ClientSession() as session:
            asyncio.get_running_loop().call_later(1, old.process.send_signal, signal.SIGTERM)
            await asyncio.gather(*(call(session) for _ in range(4)), watch(session))
        assert await asyncio.to_thread(old.process.wait, 10) == 0
    assert (failures, ready) == ([], [new])
    assert answered > 100


def test_a_request_in_flight_at_sigterm_is_finished() -> None:
    with Server({"DECANT_DRAIN": "0.2"}) as server:
        line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
        body = json.dumps(BODY).encode()
        line.putrequest("POST", "/compact")
        line.putheader("Content-Type", "application/json")
        line.putheader("Content-Length", str(len(body)))
        line.endheaders(body[:10])
        time.sleep(0.2)
        server.process.terminate()
        time.sleep(0.5)
        line.send(body[10:])
        response = line.getresponse()
        assert (response.status, response.headers["Connection"]) == (200, "close")
        assert json.loads(response.read())["data"] == BODY["payload"]
        assert server.process.wait(10) == 0


def test_a_dead_worker_is_replaced(redis_server: RedisServer) -> None:
    environ = {"DECANT_SECRETS": "k" * 32, "DECANT_REDIS_URL": redis_server.url, "DECANT_WORKERS": "2"}
    with Server(environ) as server:
        before = children(server.process.pid)
        os.kill(before[0], signal.SIGKILL)
        ends = time.monotonic() + 10
        while len(set(children(server.process.pid)) - {before[0]}) < 2 and time.monotonic() < ends:
            time.sleep(0.05)
        assert len(children(server.process.pid)) == 2
        _, page = server.ask("/paginate", {**BODY, "limit": 7})
        for _ in range(8):  # whichever worker it is, it knows the cursor
            assert server.ask("/more", {"cursor": page["nextCursor"]})[0] == 200
        assert server.stop() == 0


def children(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.mark.parametrize("protocol", ["http/protobuf", "grpc"])
@pytest.mark.parametrize("dead", ["refuses", "hangs"])
def test_a_dead_collector_changes_nothing(dead: str, protocol: str) -> None:
    with socket.socket() as collector:
        collector.bind(("127.0.0.1", 0))
        if dead == "hangs":
            collector.listen()  # and never answer
        endpoint = f"http://127.0.0.1:{collector.getsockname()[1]}"
        environ = {"OTEL_EXPORTER_OTLP_ENDPOINT": endpoint, "OTEL_EXPORTER_OTLP_PROTOCOL": protocol}
        with Server({**environ, "OTEL_METRIC_EXPORT_INTERVAL": "200"}) as server:
            for _ in range(20):
                assert server.ask("/compact", BODY)[0] == 200
            time.sleep(0.5)  # an export is under way
            began = time.monotonic()
            assert server.stop() == 0
            assert time.monotonic() - began < 10


@pytest.mark.parametrize("protocol", ["http/protobuf", "grpc"])
def test_only_the_named_exporter_is_imported(protocol: str) -> None:
    code = (
        "import sys; from service.telemetry import Sums; from service.telemetry_otel import Otlp;"
        "one = Otlp(Sums(), lambda: 0, '1', spans=True, metrics=True);"
        "print('grpc' in sys.modules, 'requests' in sys.modules)"
    )
    environ = {
        "PATH": os.environ["PATH"],
        "OTEL_EXPORTER_OTLP_PROTOCOL": protocol,
        "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9",
    }
    program = [sys.executable, "-c", code + "; import os; sys.stdout.flush(); os._exit(0)"]
    done = subprocess.run(program, cwd=ROOT, env=environ, capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.split() == (["True", "False"] if protocol == "grpc" else ["False", "True"]), done.stderr


def test_nothing_heavy_is_imported_when_nothing_asks_for_it() -> None:
    code = "import sys, service.app; print([m for m in ('opentelemetry', 'redis', 'uvloop') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "[]", done.stderr


@pytest.mark.parametrize(
    ("environ", "names"),
    [
        ({"DECANT_PORT": "x", "DECANT_POOL": "y"}, ["DECANT_PORT", "DECANT_POOL"]),
        ({"DECANT_HOST": "0.0.0.0"}, ["DECANT_TOKENS=", "DECANT_AUTH=off"]),
        ({"DECANT_WORKERS": "2"}, ["DECANT_WORKERS"]),
        ({"DECANT_SECRETS": "short"}, ["DECANT_SECRETS"]),
        ({"DECANT_REDIS_URL": "http://x", "DECANT_SECRETS": "k" * 32}, ["DECANT_REDIS_URL"]),
    ],
)
def test_a_wrong_environment_does_not_start(environ: dict[str, str], names: list[str]) -> None:
    done = decant("serve", **environ)
    assert done.returncode != 0
    assert all(name in done.stderr for name in names)
    assert "Traceback" not in done.stderr


def test_a_port_that_is_taken_is_named(server: Server) -> None:
    done = decant("serve", "--port", str(server.port))
    assert (done.returncode, "Traceback" in done.stderr) == (1, False)
    assert f"DECANT_PORT={server.port}: Address already in use" in done.stdout


def test_check_tells_every_error(tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text("a:\n  outputt_token_threshold: 5\nb:\n  default_page_size: many\n")
    done = decant("check", str(tmp_path))
    assert (done.returncode, done.stdout.count("bad.yaml")) == (1, 2)
    assert decant("check").returncode == 0


def test_compact_offline_explains(tmp_path: Path) -> None:
    file = tmp_path / "items.json"
    file.write_text(json.dumps([{"id": n, "state": "open", "body": f"{n * 7919} words " * 50} for n in range(100)]))
    done = decant("compact", str(file), "--policy", "default", "--budget", "500", "--explain")
    assert (done.returncode, bool(done.stdout)) == (0, True)
    assert "received" in done.stderr
    assert "left out" in done.stderr


def test_cursor_explains_to_who_holds_the_key() -> None:
    with Server({"DECANT_SECRETS": "k" * 32}) as server:
        token = server.ask("/paginate", {**BODY, "limit": 7})[1]["nextCursor"]
    told: dict[str, Any] = json.loads(decant("cursor", token, DECANT_SECRETS="k" * 32).stdout)
    assert (told["verdict"], told["kind"].lower()) == ("valid", "page")
    assert decant("cursor", token, DECANT_SECRETS="x" * 32).returncode == 1
    assert decant("cursor", "rubbish", DECANT_SECRETS="x" * 32).returncode == 1


def test_redis_gone_is_degraded_and_everything_goes_on(own_redis: RedisServer) -> None:
    with Server({"DECANT_SECRETS": "k" * 32, "DECANT_REDIS_URL": own_redis.url}) as server:
        health = server.ask("/health")[1]
        assert (health["status"], health["checks"]["redis"]["status"]) == ("healthy", "up")
        assert health["checks"]["redis"]["latencyMs"] > 0
        kept = server.ask("/paginate", {**BODY, "limit": 7})[1]["nextCursor"]
        own_redis.kill()
        status, health = server.ask("/health")
        assert (status, health["status"], health["checks"]["redis"]["status"]) == (200, "degraded", "down")
        assert server.ask("/readyz")[0] == 200
        status, page = server.ask("/paginate", {**BODY, "limit": 7})
        assert (status, page["meta"]["degraded"]) == (200, "local")
        assert server.ask("/more", {"cursor": page["nextCursor"]})[0] == 200
        status, problem = server.ask("/more", {"cursor": kept})
        assert (status, problem["code"], problem["retryAfter"] > 0) == (503, "store_unavailable", True)


def test_broken_policies_at_the_start_are_live_and_not_ready(tmp_path: Path) -> None:
    file = tmp_path / "policies.yaml"
    file.write_text("default:\n  default_page_size: many\n")
    program = Server({"DECANT_POLICIES": str(tmp_path)})
    command = [sys.executable, "-m", "service", "serve", "--port", str(program.port)]
    environ = {"PATH": os.environ["PATH"], "DECANT_POLICIES": str(tmp_path), "DECANT_DRAIN": "0"}
    process = subprocess.Popen(command, cwd=ROOT, env=environ, stdout=subprocess.DEVNULL)
    try:
        until(lambda: status_of(program, "/livez") == 200)
        assert status_of(program, "/readyz") == 503
        status, health = program.ask("/health")
        assert (status, health["status"]) == (503, "unhealthy")
        assert "policies.yaml" in health["config"]["lastError"]
        file.write_text("default:\n  default_page_size: 20\n")
        until(lambda: status_of(program, "/readyz") == 200)
    finally:
        process.terminate()
        assert process.wait(10) == 0


def status_of(server: Server, path: str) -> int:
    """The status of a GET; 0 when nobody listens."""
    try:
        return server.ask(path)[0]
    except (OSError, http.client.HTTPException):
        return 0


def until(happened: Callable[[], bool]) -> None:
    """Waits for something, for ten seconds at most."""
    ends = time.monotonic() + 10
    while not happened():
        assert time.monotonic() < ends
        time.sleep(0.02)
