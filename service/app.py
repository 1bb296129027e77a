"""The composition root: settings become collaborators, collaborators an application. The only module that knows all."""

import asyncio
import logging
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import PackageNotFoundError, version

from aiohttp import web

from service import actions, settings_tokens
from service.compute import Compute
from service.job import Deps
from service.keys import KeyRing
from service.policies import Policies, folder
from service.settings import Settings, load
from service.snapshots import Snapshots
from service.store import Store
from service.store.choose import choose
from service.telemetry import Telemetry, wanted
from service.telemetry_logs import Emit, line_per_answer, set_up
from service.web import routes
from service.web.body import Limits
from service.web.gate import Gate
from service.web.middleware import Draining, Ids, Shell
from service.web.ops import Ops
from service.web.requests import Reader
from service.web.server import Serving, bound, run

log = logging.getLogger("decant.app")
ACTIONS = {
    "/compact": actions.compact,
    "/paginate": actions.paginate,
    "/chunk": actions.chunk,
    "/more": actions.more,
}


def own_version() -> str:
    """The version of the installed package."""
    try:
        return version("decant")
    except PackageNotFoundError:
        return "0.0.0"


def settings_of(environ: Mapping[str, str]) -> Settings:
    """Settings, with what only the key ring and the store know about theirs."""
    return load(environ, _bad_secrets, _bad_redis)


def _bad_secrets(settings: Settings) -> str:
    try:
        KeyRing.from_settings(settings.secrets, settings.secrets_file)
    except ValueError as error:
        return str(error)
    return ""


def _bad_redis(settings: Settings) -> str:
    try:
        choose(settings.redis_url, settings.memory_limit)
    except ValueError as error:
        return str(error)
    return ""


@dataclass(frozen=True, slots=True)
class Parts:
    """One running service: what requests need, and what must be let go at the end."""

    settings: Settings
    policies: Policies
    telemetry: Telemetry
    snapshots: Snapshots
    compute: Compute
    draining: Draining


def parts_of(settings: Settings) -> Parts:
    """The collaborators, made once per process."""
    telemetry = Telemetry()
    policies = Policies(folder(settings.policies), settings.overrides, reloaded=telemetry.reloaded)
    keys = KeyRing.from_settings(settings.secrets, settings.secrets_file)
    store = choose(settings.redis_url, settings.memory_limit)
    snapshots = Snapshots(
        store, keys, max_age=settings.snapshot_max_age, observe=telemetry.store, quota=settings.snapshot_quota
    )
    return Parts(settings, policies, telemetry, snapshots, Compute(settings.pool), Draining())


def application(parts: Parts, emit: Emit) -> tuple[web.Application, Shell]:
    """The aiohttp application over these parts, and what surrounds it."""
    settings, policies, telemetry = parts.settings, parts.policies, parts.telemetry
    tokens = settings_tokens.source_of(settings.tokens_file, settings_tokens.parse_tokens, settings.tokens)
    gate = Gate(None if settings.open else tokens, own_names_only=settings.open and settings.loopback)
    shell = Shell(gate, telemetry, emit, parts.draining, Ids(os.urandom(6).hex()))
    app = web.Application()
    limits = Limits(settings.max_body, settings.max_inflated, settings.max_depth, settings.body_timeout)

    def largest(name: str) -> int:
        return policies.plan(name if policies.known(name) else None).policy.max_page_size

    def slow(name: str) -> float:
        return policies.plan(name if policies.known(name) else None).policy.slow_ms

    telemetry.slow = slow
    read = Reader(limits, largest, parts.compute.run)
    deps = Deps(policies, parts.snapshots, parts.compute, time.time)
    shell.direct.update(routes.add(app, ACTIONS, deps, read, telemetry))
    ping = _pinging(parts.snapshots.store) if settings.redis_url else None
    Ops(policies, telemetry, parts.draining, ping, own_version(), contract).add(app)
    app.cleanup_ctx.append(lambda _: _living(parts))
    return app, shell


def _pinging(store: Store) -> Callable[[], Awaitable[float]]:
    async def ping() -> float:
        return await store.alive() * 1000

    return ping


@cache
def contract() -> bytes:
    """The OpenAPI document, generated when somebody first asks for it."""
    from service.web import openapi

    return openapi.written()


async def _living(parts: Parts) -> AsyncIterator[None]:
    """What runs beside the requests, from the first to the last."""
    _export(parts)
    stop = asyncio.Event()
    watching = asyncio.create_task(parts.policies.watch(stop))
    yield
    stop.set()
    with suppress(asyncio.CancelledError, TimeoutError):
        await asyncio.wait_for(watching, 2)
    parts.compute.close()
    await parts.snapshots.store.close()
    await asyncio.to_thread(parts.telemetry.sink.close)


def _export(parts: Parts) -> None:
    """Measurements go to a collector when the standard variables name one."""
    spans, metrics = wanted(os.environ)
    if spans or metrics:
        from service.telemetry_otel import Otlp

        telemetry = parts.telemetry
        telemetry.sink = Otlp(telemetry.sums, lambda: telemetry.active, own_version(), spans=spans, metrics=metrics)


def serve(settings: Settings) -> int:
    """Serves until SIGTERM; with several workers, supervises them."""
    set_up(settings.log_level)
    for warning in settings.warnings:
        log.warning(warning)
    try:
        return _serve_one(settings) if settings.workers == 1 else _serve_many(settings)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        log.critical("DECANT_HOST=%s DECANT_PORT=%s: %s", settings.host, settings.port, reason)
        return 1


def _serve_many(settings: Settings) -> int:
    from service.web.workers import Workers

    holder = bound(settings.host, settings.port, shared=True)  # reserves the port, never listens
    shared = replace(settings, port=holder.getsockname()[1])
    return Workers(settings.workers, lambda: _serve_one(shared)).run()


def _serve_one(settings: Settings) -> int:
    supervised = settings.workers > 1
    serving = Serving(settings.keepalive, settings.max_connections, settings.drain, supervised=supervised)
    sock = bound(settings.host, settings.port, shared=settings.workers > 1)

    async def main() -> None:
        parts = parts_of(settings)
        app, shell = application(parts, line_per_answer(settings.log_level))
        await run(app, shell, sock, serving)

    with asyncio.Runner(loop_factory=_fast_loop()) as runner:
        runner.run(main())
    return 0


def _fast_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop
    except ImportError:  # an optional extra
        return None
    return uvloop.new_event_loop
