"""The least that could answer: a bare aiohttp handler that decodes and encodes the same body with msgspec.

What is large it only receives; a polite process works meanwhile for about as long as ours would.
"""

import asyncio
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from multiprocessing import get_context

import msgspec
from aiohttp import web

LARGE = 256 * 1024
WORK = 0.15  # seconds of a processor that 8 MB take
POLITE = 10


async def echo(request: web.Request) -> web.Response:
    received = await request.read()
    if len(received) > LARGE:
        pool: ProcessPoolExecutor = request.app[POOL]
        body = await asyncio.wrap_future(pool.submit(busy))
    else:
        body = msgspec.json.encode(msgspec.json.decode(received))
    return web.Response(body=body, content_type="application/json")


def busy() -> bytes:
    """Works as JSON makes one work."""
    until, rows = time.process_time() + WORK, msgspec.json.encode([{"id": id, "note": "text"} for id in range(10_000)])
    while time.process_time() < until:
        msgspec.json.decode(rows)
    return b"{}"


async def ready(_: web.Request) -> web.Response:
    return web.json_response({})


POOL = web.AppKey("pool", ProcessPoolExecutor)

if __name__ == "__main__":
    app = web.Application(client_max_size=1 << 26)
    app[POOL] = ProcessPoolExecutor(1, get_context("forkserver"), initializer=os.nice, initargs=(POLITE,))
    app.add_routes([web.post("/compact", echo), web.get("/readyz", ready), web.get("/livez", ready)])
    web.run_app(
        app,
        host="127.0.0.1",
        port=int(sys.argv[1]),
        access_log=None,
        print=None,
        loop=import_module(sys.argv[2]).new_event_loop(),
    )
