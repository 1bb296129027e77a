"""Decant from Python's standard library: `fit` makes any tool result safe to show, `more` reads on. Neither raises."""

import json
import os
import urllib.request
from threading import Thread
from typing import Any

URL = os.environ.get("DECANT_URL", "http://127.0.0.1:8080")
TOKEN = os.environ.get("DECANT_TOKEN", "")
TIMEOUT = float(os.environ.get("DECANT_TIMEOUT", "5"))  # seconds, whatever the service does
MOST = 16_000  # characters that are shown of a result when the service cannot be asked
NOTICE = "… [cut here; the rest cannot be read now. Ask for less, or call this tool again later.]"
AGAIN = "Reading on is not possible now. Call this tool again in a few seconds."
Result = dict[str, Any]


def fit(result: Any, **options: Any) -> Result:
    """A CallToolResult (or any value) within the budget; options: source, policy, budget, query ..."""
    result = as_result(result)
    return _ask("/compact", {**options, "payload": result}) or cut(result)


def more(cursor: str, **options: Any) -> Result:
    """What a printed cursor leads to; options: find, path, startLine, endLine. The body of the tool `fetch_more`."""
    known = {name: value for name, value in options.items() if value is not None}
    return _ask("/more", {**known, "cursor": cursor}) or {**as_result(AGAIN), "isError": True}


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


def _ask(path: str, body: Result) -> Result | None:
    """The service's result; None when there is none in time."""
    answers: list[Result] = []
    asking = Thread(target=_post, args=(path, body, answers), daemon=True)
    asking.start()
    asking.join(TIMEOUT)  # a socket's own timeout begins anew with every byte
    return answers[0] if answers else None


def _post(path: str, body: Result, answers: list[Result]) -> None:
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {TOKEN}"} if TOKEN else {})
    try:
        data = json.dumps({**body, "shape": "mcp"}, default=str).encode()
        request = urllib.request.Request(URL + path, data, headers)  # noqa: S310  # the address is the operator's
        with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:  # noqa: S310  # the same
            answers.append(json.load(answer)["result"])
    except Exception:
        return  # gone, busy, refused or unreadable: the caller cuts
