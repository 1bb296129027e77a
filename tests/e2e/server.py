"""An MCP server whose tools may answer with megabytes: each hands its result to Decant, and `fetch_more` reads on."""

import json
import os
import sqlite3
from pathlib import Path
from typing import Any

from decant_httpx import fit, more  # type: ignore[import-not-found]  # schemas/clients/python, copied beside it
from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult

SOURCES = Path(os.environ["SOURCES"])
server = MCPServer("example", log_level="WARNING")


async def fitted(result: Any, source: str) -> CallToolResult:
    """What Decant makes of a result."""
    return CallToolResult.model_validate(await fit(result, source=source))


@server.tool()
async def list_files() -> CallToolResult:
    """The files of a folder, as the filesystem server lists them."""
    names = sorted(path.name for path in (SOURCES / "files").iterdir())
    return await fitted("\n".join(f"[FILE] {name}" for name in names), "filesystem.list_directory")


@server.tool()
async def read_log() -> CallToolResult:
    """A log of 3 MB."""
    return await fitted((SOURCES / "read_log").read_text(), "logs.read")


@server.tool()
async def read_query(query: str) -> CallToolResult:
    """Rows of a database, as the SQLite server answers: a Python repr."""
    with sqlite3.connect(SOURCES / "shop.db") as orders:
        orders.row_factory = sqlite3.Row
        rows = [dict(row) for row in orders.execute(query)]
    orders.close()
    return await fitted(str(rows), "sqlite.read_query")


@server.tool()
async def read_graph() -> CallToolResult:
    """A graph, as the memory server answers: the same twice, as JSON in a text and as structuredContent."""
    graph = json.loads((SOURCES / "read_graph").read_text())
    text = json.dumps(graph, indent=2, ensure_ascii=False)
    return await fitted({"content": [{"type": "text", "text": text}], "structuredContent": graph}, "memory.read_graph")


@server.tool()
async def fetch_more(
    cursor: str,
    find: str | None = None,
    path: str | None = None,
    startLine: int | None = None,
    endLine: int | None = None,
) -> CallToolResult:
    """Reads on where a result said that there is more."""
    found = await more(cursor, find=find, path=path, startLine=startLine, endLine=endLine)
    return CallToolResult.model_validate(found)


if __name__ == "__main__":
    server.run()
