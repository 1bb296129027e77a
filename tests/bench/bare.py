"""The least that could answer: a bare aiohttp handler that decodes and encodes the same body with msgspec."""

import sys
from importlib import import_module

import msgspec
from aiohttp import web


async def echo(request: web.Request) -> web.Response:
    body = msgspec.json.decode(await request.read())
    return web.Response(body=msgspec.json.encode(body), content_type="application/json")


async def ready(_: web.Request) -> web.Response:
    return web.json_response({})


if __name__ == "__main__":
    app = web.Application()
    app.add_routes([web.post("/compact", echo), web.get("/readyz", ready)])
    web.run_app(
        app,
        host="127.0.0.1",
        port=int(sys.argv[1]),
        access_log=None,
        print=None,
        loop=import_module(sys.argv[2]).new_event_loop(),
    )
