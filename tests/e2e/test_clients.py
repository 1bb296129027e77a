"""The clients in every language: what they hand on with the service, and when it is gone, silent or broken."""

import json
import os
import re
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
from mcp_types import CallToolResult

from service.core import mcp, tokens
from tests.e2e.programs import CLIENTS, program
from tests.redis_server import free_port
from tests.server import Server

NAMES = ["curl", "python", "httpx", "typescript", "go", "java"]
ROWS = [{"id": number, "city": "Zürich", "note": f'«{number}» \\ "quoted"\t…'} for number in range(4000)]
BIG = {"content": [{"type": "text", "text": json.dumps(ROWS, ensure_ascii=False)}], "structuredContent": {"rows": ROWS}}
SMALL = {"content": [{"type": "text", "text": "3 > 2 … ü 😀"}], "isError": False}
IMAGE = {"type": "image", "data": "aGVsbG8=", "mimeType": "image/png"}


def run(client: str, url: str, verb: str, what: str, result: Any = None, *, seconds: float = 10) -> dict[str, Any]:
    """What a client answers; that it answers in time is part of every test."""
    known = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    option = {"fit": f"source={what}", "more": f"cursor={what}"}[verb] if client == "curl" else what
    verb = {"fit": "compact"}.get(verb, verb) if client == "curl" else verb
    began = time.monotonic()
    done = subprocess.run(
        [*program(client), verb, option],
        input=json.dumps(result, ensure_ascii=False).encode(),
        env={**known, "DECANT_URL": url, "DECANT_TIMEOUT": str(seconds), "LC_ALL": "C.UTF-8"},
        cwd=CLIENTS / "python",
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    assert not done.stderr
    assert time.monotonic() - began < 15
    answer: dict[str, Any] = json.loads(done.stdout)
    CallToolResult.model_validate(answer)
    return answer


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server() as one:
        yield one


class Broken(BaseHTTPRequestHandler):
    """Answers with an error that looks like a result, or drips an answer that never ends."""

    def do_POST(self) -> None:
        """Reads the body, so that the client gets to read the answer."""
        self.rfile.read(int(self.headers["Content-Length"]))
        status = int(self.headers.get("X-Status", "503"))
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(b'{"result":{"content":[]},"meta":{"kind":"full"}}')

    def log_message(self, *arguments: Any) -> None:
        """Silence."""


class Dripping(Broken):
    """A byte now and then: no single read times out."""

    def do_POST(self) -> None:
        """Spaces, for longer than anybody should wait."""
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.end_headers()
        try:
            for _ in range(100):
                self.wfile.write(b" ")
                time.sleep(0.2)
        except OSError:
            return  # the client has had enough


class Odd(Broken):
    """No JSON at all, with a status that says all is well."""

    def do_POST(self) -> None:
        """A page of some proxy."""
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"<html>hello</html>")


@pytest.fixture(scope="module", params=["gone", "silent", "broken", "dripping", "odd"])
def trouble(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a service that is of no use."""
    if request.param == "gone":
        yield f"http://127.0.0.1:{free_port()}"
    elif request.param == "silent":
        with socket.socket() as listening:  # the kernel accepts, nobody answers
            listening.bind(("127.0.0.1", 0))
            listening.listen(16)
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    else:
        handler = {"broken": Broken, "dripping": Dripping, "odd": Odd}[request.param]
        with HTTPServer(("127.0.0.1", 0), handler) as standing:
            threading.Thread(target=standing.serve_forever, daemon=True).start()
            yield f"http://127.0.0.1:{standing.server_port}"
            standing.shutdown()


@pytest.mark.parametrize("client", NAMES)
def test_a_result_is_cut_to_its_budget_and_can_be_read_on(client: str, server: Server) -> None:
    fitted = run(client, server.url, "fit", "sqlite.read_query", BIG)
    seen = mcp.opened(json.dumps(fitted, ensure_ascii=False, separators=(",", ":")).encode()).visible()
    assert 1000 < tokens.estimate(seen) <= 4000
    cursor = re.findall(r'"cursor":"([\w-]{63})"', fitted["content"][-1]["text"])[-1]
    page = run(client, server.url, "more", cursor)
    assert "Zürich" in page["content"][0]["text"]
    assert run(client, server.url, "fit", "x", SMALL) == SMALL
    forged = run(client, server.url, "more", "A" * 63)
    assert forged["isError"] is True
    assert "original tool" in forged["content"][0]["text"]


@pytest.mark.parametrize("client", NAMES)
def test_without_the_service_there_is_a_beginning_and_a_notice(client: str, trouble: str) -> None:
    answer = run(client, trouble, "fit", "sqlite.read_query", BIG, seconds=0.8)
    assert len(json.dumps(answer, ensure_ascii=False)) < 40_000
    assert "structuredContent" not in answer
    assert "cut here" in answer["content"][-1]["text"]
    assert "Zürich" in answer["content"][0]["text"]


@pytest.mark.parametrize("client", NAMES)
def test_without_the_service_a_small_result_stays_as_it_is(client: str) -> None:
    gone = f"http://127.0.0.1:{free_port()}"
    assert run(client, gone, "fit", "x", SMALL) == SMALL
    read = run(client, gone, "more", "A" * 63)
    assert read["isError"] is True
    assert "again" in read["content"][0]["text"]


@pytest.mark.parametrize("client", ["python", "httpx", "typescript"])
def test_without_the_service_pictures_stay(client: str) -> None:
    sent = {"content": [*BIG["content"], IMAGE], "isError": True}
    answer = run(client, f"http://127.0.0.1:{free_port()}", "fit", "x", sent)
    assert IMAGE in answer["content"]
    assert answer["isError"] is True
