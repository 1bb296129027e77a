"""Around every request: ids, problems, tokens, hosts, drain, log lines."""

import asyncio
import hashlib
import json
from typing import Any

import pytest

from service.web.gate import Gate, is_own_name
from service.web.server import Serving
from tests.web.shop import Shop, opened
from tests.web.test_body import send

JSON = {"Content-Type": "application/json"}
TOKENS = {hashlib.sha256(b"sesame").digest(): "ali", hashlib.sha256(b"sesame2").digest(): "ali"}


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/nothing", 404, "not_found"),
        ("POST", "/", 404, "not_found"),
        ("GET", "/compact", 405, "method_not_allowed"),
        ("DELETE", "/health", 405, "method_not_allowed"),
        ("POST", "/compact", 400, "request_invalid"),
        ("GET", "/policies/nobody", 400, "policy_unknown"),
    ],
)
async def test_every_failure_is_a_problem(shop: Shop, method: str, path: str, status: int, code: str) -> None:
    async with shop.session.request(method, shop.url + path) as response:
        body = await response.json(content_type="application/problem+json")
        assert (response.status, body["status"], body["code"]) == (status, status, code)
        assert body["requestId"] == response.headers["X-Request-Id"]
        assert set(body) >= {"type", "title", "status", "detail", "code", "hint", "requestId"}
        assert response.headers["Server"] == "decant"
        assert ("Allow" in response.headers) == (status == 405)


async def test_what_is_no_http_is_a_problem_too(shop: Shop) -> None:
    for request in (b"NONSENSE\r\n\r\n", b"GET / HTTP/1.1\r\nX: " + b"y" * 20_000 + b"\r\n\r\n"):
        answer = await send(shop, request)
        assert b" 400 " in answer.split(b"\r\n")[0]
        assert b"application/problem+json" in answer


async def test_a_defect_tells_the_request_id_and_nothing_else(shop: Shop, caplog: pytest.LogCaptureFixture) -> None:
    status, body = await shop.post("/compact", data='{"text": "", "query": "defect"}', headers=JSON)
    assert (status, body["code"]) == (500, "internal")
    assert body["requestId"] in body["detail"]
    assert "quotes" not in json.dumps(body)


async def test_a_refusal_of_an_action_keeps_its_code(shop: Shop) -> None:
    status, body = await shop.post("/compact", data='{"text": "", "query": "limit"}', headers=JSON)
    assert (status, body["code"], body["limit"]) == (400, "limit_exceeds_maximum", 200)


async def test_a_sane_request_id_is_kept_and_others_are_replaced(shop: Shop) -> None:
    for given, kept in (("abc-123", True), ("x" * 200, False), ("a b", False), ('"', False)):
        async with shop.session.get(shop.url + "/livez", headers={"X-Request-Id": given}) as response:
            assert (response.headers["X-Request-Id"] == given) is kept


@pytest.mark.parametrize(
    ("headers", "admitted"),
    [
        ([], False),
        ([("Authorization", "Bearer sesame")], True),
        ([("Authorization", "bearer sesame2")], True),
        ([("Authorization", "Basic sesame")], False),
        ([("Authorization", "Bearer ")], False),
        ([("Authorization", "Bearer")], False),
        ([("Authorization", "Bearer wrong")], False),
        ([("Authorization", "Bearer " + "x" * 5000)], False),
        ([("Authorization", "Bearer !@#$ä")], False),
        ([("Authorization", "Bearer sesame"), ("Authorization", "Bearer sesame")], False),
    ],
)
async def test_only_known_tokens_come_in(headers: list[tuple[str, str]], admitted: bool) -> None:
    async with opened(gate=Gate(lambda: TOKENS)) as shop:
        async with shop.session.post(shop.url + "/compact", json={"text": "a"}, headers=headers) as response:
            body = await response.json(content_type=None)
            if admitted:
                assert body["data"]["tenant"] == "ali"
            else:
                assert (response.status, body["code"]) == (401, "unauthenticated")
                assert response.headers["WWW-Authenticate"].startswith("Bearer")
        for path, status in (("/livez", 200), ("/readyz", 200), ("/openapi.json", 200), ("/health", 401)):
            assert (await shop.get(path))[0] == status
        assert (await shop.get("/policies?token=sesame"))[0] == 401
        assert "sesame" not in str(shop.lines)


@pytest.mark.parametrize(
    ("host", "own"),
    [
        ("localhost", True),
        ("localhost:8080", True),
        ("LOCALHOST.", True),
        ("app.localhost", True),
        ("127.0.0.1:1", True),
        ("[::1]:80", True),
        ("10.0.0.7", True),
        ("", True),
        ("evil.com", False),
        ("localhost.evil.com", False),
        ("127.0.0.1.evil.com:80", False),
        ("[evil]", False),
    ],
)
def test_own_names(host: str, own: bool) -> None:
    assert is_own_name(host) is own


async def test_a_rebound_name_is_refused() -> None:
    async with opened(gate=Gate(None, own_names_only=True)) as shop:
        assert (await shop.get("/livez"))[0] == 200
        status, body = await shop.get("/health", headers={"Host": "evil.com"})
        assert (status, body["code"]) == (403, "host_refused")


async def test_draining_says_so_and_closes_connections(shop: Shop) -> None:
    shop.draining.begun = True
    assert (await shop.get("/readyz"))[0] == 503
    async with shop.session.post(shop.url + "/compact", json={"text": "a"}) as response:
        assert (response.status, response.headers["Connection"]) == (200, "close")
    shop.draining.closed = True
    async with shop.session.post(shop.url + "/compact", json={"text": "a"}) as response:
        assert (response.status, response.headers["Retry-After"]) == (503, "1")
        assert (await response.json(content_type=None))["code"] == "shutting_down"
    assert (await shop.get("/livez"))[0] == 200


async def test_one_line_per_answer_with_the_decision_and_nothing_of_the_caller(shop: Shop) -> None:
    shop.deps.update(kind="preview", original_tokens=20_000, estimated_tokens=4000, budget=4000)
    await shop.post("/compact", json={"text": "seekrit words", "policy": "unheard-of"})
    [(level, line)] = shop.lines
    assert level == "INFO"
    assert line["requestId"]
    assert line["ms"] >= 0
    expected: dict[str, Any] = {
        "route": "/compact",
        "status": 200,
        "policy": "default",
        "outcome": "preview",
        "originalTokens": 20_000,
        "returnedTokens": 4000,
        "reduction": 0.8,
        "oversized": True,
    }
    assert line.items() >= expected.items()
    assert "seekrit" not in str(shop.lines)
    await shop.get("/secret-path?cursor=abc")
    assert shop.lines[-1][0] == "WARNING"
    assert "secret" not in str(shop.lines[-1])


async def test_a_slow_answer_has_a_warning_of_its_own(shop: Shop) -> None:
    shop.telemetry.slow = lambda policy: 0.0
    await shop.post("/compact", json={"text": "seekrit"})
    (_, line), (level, slow) = shop.lines
    assert level == "WARNING"
    assert (
        slow.items()
        >= {"message": "slow", "requestId": line["requestId"], "ms": line["ms"], "route": "/compact"}.items()
    )
    shop.telemetry.slow = lambda policy: 1e9
    await shop.post("/compact", json={"text": "seekrit"})
    assert len(shop.lines) == 3


async def test_connections_are_capped() -> None:
    async with opened(serving=Serving(max_connections=2)) as shop:
        host, port = shop.url.removeprefix("http://").split(":")
        held = [await asyncio.open_connection(host, int(port)) for _ in range(2)]
        answer = await send(shop)
        assert b" 503 " in answer
        assert b"DECANT_MAX_CONNECTIONS" in answer
        for _, writer in held:
            writer.close()
        await asyncio.sleep(0.1)
        assert (await shop.get("/livez"))[0] == 200


async def test_an_idle_or_dripping_connection_is_closed() -> None:
    async with opened(serving=Serving(keepalive=0.3)) as shop:
        assert await asyncio.wait_for(send(shop, b"GET /livez HT"), 3) == b""
