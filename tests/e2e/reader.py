"""Reads as a model does: calls a tool, and then whatever the last line of a result says."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from mcp_types import CallToolResult

from tests.e2e.programs import CLIENTS, HERE, typescript

ERAS = ("2025-11-25", "2026-07-28")
LINE = re.compile(r"\n… [^\n]*There is more: call (\w+) with (\{.*?\})[^\n]*\Z")
Call = dict[str, Any]


def environ(url: str, sources: Path) -> dict[str, str]:
    """What the example servers find around them."""
    known = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return {
        **known,
        "DECANT_URL": url,
        "SOURCES": str(sources),
        "PYTHONPATH": str(CLIENTS / "python"),
        "DECANT_TIMEOUT": "20",
    }


def server(language: str) -> list[str]:
    """The command that starts an example server."""
    if language == "python":
        return [sys.executable, str(HERE / "server.py")]
    return ["node", str(typescript() / "server.js")]


def said(result: dict[str, Any]) -> str:
    """The last text of a result."""
    return str([block["text"] for block in result["content"] if block["type"] == "text"][-1])


def next_call(result: dict[str, Any]) -> Call | None:
    """The call that a result asks for, if it says that there is more."""
    printed = LINE.search(said(result))
    return {"name": printed[1], "arguments": json.loads(printed[2])} if printed else None


def read(text: str) -> str:
    """A text without the line that says how to go on."""
    return LINE.sub("", text)


async def with_python(
    command: Sequence[str], around: dict[str, str], era: str, calls: Sequence[Call], steps: int
) -> list[list[dict[str, Any]]]:
    """The results of every call and of what follows it, with the official Python client."""
    parameters = StdioServerParameters(command=command[0], args=[*command[1:]], env=around)
    mode = "legacy" if era == ERAS[0] else era
    found = []
    async with Client(parameters, mode=mode) as client:
        for call in calls:
            following: Call | None = call
            results: list[dict[str, Any]] = []
            while following and len(results) <= steps:
                result = await client.call_tool(following["name"], following["arguments"])
                assert isinstance(result, CallToolResult)
                results.append(result.model_dump(by_alias=True, exclude_none=True, mode="json"))
                following = next_call(results[-1])
            found.append(results)
        assert client.protocol_version == era
    return found


def with_typescript(
    command: Sequence[str], around: dict[str, str], era: str, calls: Sequence[Call], steps: int
) -> list[list[dict[str, Any]]]:
    """The same with the official TypeScript client."""
    reader = str(typescript() / "reader.js")
    done = subprocess.run(
        ["node", reader, era, str(steps), json.dumps(calls), *command],
        env=around, capture_output=True, text=True, timeout=170, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout)
    assert {one["version"] for one in found} == {era}
    return [one["results"] for one in found]
