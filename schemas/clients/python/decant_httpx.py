"""Decant for async servers, with httpx: `fit` makes any tool result safe to show, `more` reads on. Neither raises."""

import asyncio
import json
import os
from typing import Any

import httpx

URL = os.environ.get("DECANT_URL", "http://127.0.0.1:8080")
TOKEN = os.environ.get("DECANT_TOKEN", "")
TIMEOUT = float(os.environ.get("DECANT_TIMEOUT", "5"))  # seconds, whatever the service does
MOST = 16_000  # characters that are shown of a result when the service cannot be asked
NOTICE = "… [cut here; the rest cannot be read now. Ask for less, or call this tool again later.]"
AGAIN = "Reading on is not possible now. Call this tool again in a few seconds."
Result = dict[str, Any]


async def fit(result: Any, **options: Any) -> Result:
    """A CallToolResult (or any value) within the budget; options: source, policy, budget, query ..."""
    result = as_result(result)
    return await _ask("/compact", {**options, "payload": result}) or cut(result)


async def more(cursor: str, **options: Any) -> Result:
    """What a printed cursor leads to; options: find, path, startLine, endLine. The body of the tool `fetch_more`."""
    known = {name: value for name, value in options.items() if value is not None}
    return await _ask("/more", {**known, "cursor": cursor}) or {**as_result(AGAIN), "isError": True}


def as_result(value: Any) -> Result:
    """A value as a CallToolResult."""
    if isinstance(value, dict) and isinstance(value.get("content"), list):
        return value
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return {"content": [{"type": "text", "text": text}]}


def cut(result: Result) -> Result:
    """What can be shown without the service: the beginning, never the whole of a large result."""
    if len(json.dumps(result, default=str)) <= MOST:
        return result
    room, content = MOST, []
    for block in result["content"]:
        if block.get("type") == "text" and room > 0:
            content.append({**block, "text": block["text"][:room]})
            room -= len(block["text"])
        elif block.get("type") in ("image", "audio"):
            content.append(block)
    known = {name: value for name, value in result.items() if name != "structuredContent"}
    return {**known, "content": [*content, {"type": "text", "text": NOTICE}]}


async def _ask(path: str, body: Result) -> Result | None:
    """The service's result; None when there is none in time: gone, slow, busy, refused or unreadable."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {TOKEN}"} if TOKEN else {})
    try:
        data = json.dumps({**body, "shape": "mcp"}, default=str).encode()
        async with asyncio.timeout(TIMEOUT), httpx.AsyncClient() as client:
            answer = await client.post(URL + path, content=data, headers=headers, timeout=TIMEOUT)
            found: Result = answer.raise_for_status().json()["result"]
            return found
    except Exception:
        return None
