"""The README's table of what the examples cost: tokens received against tokens answered, rounded."""

import json
import tempfile
from pathlib import Path
from typing import Any

from tests.e2e import sources
from tests.readme import write
from tests.server import Server

NAMES = {
    "list_files": ("a folder of 5,000 files", "filesystem.list_directory"),
    "read_log": ("a log of 3 MB", "logs.read"),
    "read_query": ("10,000 rows of SQLite, a Python repr", "sqlite.read_query"),
    "read_graph": ("a graph of two arrays, as text and as `structuredContent`", "memory.read_graph"),
}
Row = tuple[str, int, int]


def rows() -> list[Row]:
    """What, tokens received and tokens answered, for every example."""
    with tempfile.TemporaryDirectory() as folder, Server() as decant:
        texts = sources.make(Path(folder))
        return [_row(decant, name, texts[name]) for name in NAMES]


def _row(decant: Server, name: str, text: str) -> Row:
    what, source = NAMES[name]
    result: dict[str, Any] = {"content": [{"type": "text", "text": text}]}
    if name == "read_graph":
        result["structuredContent"] = json.loads(text)
    status, answer = decant.ask("/compact", {"payload": result, "shape": "mcp", "source": source})
    assert status == 200
    return what, round(answer["meta"]["originalTokens"], -3), round(answer["meta"]["estimatedTokens"], -2)


def table(known: list[Row]) -> str:
    """The rows as Markdown."""
    lines = [f"| {what} | {came:,} | {went:,} | {1 - went / came:.1%} |" for what, came, went in known]
    return "\n".join(["| example | tokens received | tokens answered | saved |", "|---|---|---|---|", *lines])


if __name__ == "__main__":
    write("examples", table(rows()))
