"""Probes, health that moves, policies."""

from tests.web.shop import Shop, opened

JSON = {"Content-Type": "application/json"}


async def answers(shop: Shop, count: int, **said: object) -> None:
    shop.deps.clear()
    shop.deps.update(said)
    for _ in range(count):
        await shop.post("/compact", json={"text": "x"})


async def test_health_counts_what_happened(shop: Shop) -> None:
    await answers(shop, 5, kind="page")
    await answers(shop, 3, kind="preview")
    await answers(shop, 2, kind="full", original_tokens=20_000)
    status, body = await shop.get("/health")
    assert (status, body["status"], body["version"], body["service"]) == (200, "healthy", "1.2.3", "decant")
    assert body["checks"] == {"redis": {"status": "off", "latencyMs": None}}
    assert body["config"] == {"version": "abc", "loadedAt": "2026-01-01T00:00:00Z", "lastError": None}
    numbers = body["contextProtection"]
    assert (numbers["totalRequests"], numbers["oversizedEvents"], numbers["oversizedRatio"]) == (10, 2, 0.2)
    assert (numbers["paginationAdoption"], numbers["summarizationAdoption"]) == (0.5, 0.3)
    assert numbers["avgResponseTokens"] == 40
    assert numbers["avgResponseSizeBytes"] > 100
    assert numbers["avgLatencyMs"] > 0
    assert numbers["scope"] == "process"


async def test_health_tells_what_is_wrong() -> None:
    async def down() -> float:
        raise ConnectionError("redis://user:secret@host")

    async with opened(ping=down) as shop:
        status, body = await shop.get("/health")
        assert (status, body["status"], body["checks"]["redis"]["status"]) == (200, "degraded", "down")
        assert "secret" not in str(body)
        assert (await shop.get("/readyz"))[0] == 200
        shop.book.valid = False
        assert (await shop.get("/readyz"))[0] == 503
        assert (await shop.get("/health"))[1]["status"] == "unhealthy"


async def test_a_refused_reload_degrades(shop: Shop) -> None:
    shop.book.last_error = "policies.yaml:3: bad"
    assert (await shop.get("/health"))[1]["status"] == "degraded"


async def test_redis_latency_is_shown() -> None:
    async def up() -> float:
        return 0.25

    async with opened(ping=up) as shop:
        assert (await shop.get("/health"))[1]["checks"]["redis"] == {"status": "up", "latencyMs": 0.25}


async def test_policies_show_their_effective_values(shop: Shop) -> None:
    body = (await shop.get("/policies"))[1]
    assert body["policies"]["default"]["output_token_threshold"] == 4000
    assert (await shop.get("/policies/default"))[1]["default_page_size"] == 50
    assert (await shop.get("/policies/nobody"))[1]["code"] == "policy_unknown"
