"""What the examples read: a folder of 5,000 files, a log of 3 MB, a table of 10,000 rows, a graph of two arrays."""

import json
import random
import sqlite3
from pathlib import Path
from typing import Any

AREAS = "billing search session upload mail report".split()
PEOPLE = "Ada Grace Alan Edsger Barbara Donald Radia Ken".split()


def make(folder: Path) -> dict[str, str]:
    """Writes them into a folder; what each tool's text is, by the tool's name."""
    chance = random.Random(7)
    texts = {
        "list_files": _files(folder / "files"),
        "read_log": _log(chance),
        "read_query": _rows(folder / "shop.db", chance),
        "read_graph": json.dumps(_graph(chance), indent=2, ensure_ascii=False),
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    return texts


def _files(folder: Path) -> str:
    folder.mkdir()
    for number in range(5000):
        (folder / f"{AREAS[number % 6]}_{number:04}.{'py' if number % 3 else 'test.py'}").touch()
    return "\n".join(f"[FILE] {path.name}" for path in sorted(folder.iterdir()))


def _log(chance: random.Random) -> str:
    lines, size, second = [], 0, 0
    while size < 3_000_000:
        second += chance.randint(0, 2)
        at = f"2026-11-18T{second // 3600 % 24:02}:{second // 60 % 60:02}:{second % 60:02}Z"
        area, wait = chance.choice(AREAS), chance.randint(1, 900)
        line = f"{at} INFO  [{area}] request {chance.getrandbits(32):08x} took {wait} ms, 200"
        if chance.random() < 0.001:
            line = (
                f"{at} ERROR [{area}] request {chance.getrandbits(32):08x} failed\nTraceback (most recent call last):\n"
            )
            line += f'  File "/srv/{area}.py", line {wait}, in handle\n    raise TimeoutError\nTimeoutError: {wait} ms'
        lines.append(line)
        size += len(line) + 1
    return "\n".join(lines) + "\n"


def _rows(database: Path, chance: random.Random) -> str:
    with sqlite3.connect(database) as orders:
        orders.execute("create table orders (id integer primary key, person text, area text, cents integer, note text)")
        notes = (None, "it's paid")
        rows = [
            (chance.choice(PEOPLE), chance.choice(AREAS), chance.randint(100, 99999), chance.choice(notes))
            for _ in range(10_000)
        ]
        orders.executemany("insert into orders (person, area, cents, note) values (?, ?, ?, ?)", rows)
        orders.row_factory = sqlite3.Row
        found = [dict(row) for row in orders.execute("select * from orders")]
    orders.close()
    return str(found)


def _graph(chance: random.Random) -> dict[str, Any]:
    names = [f"{chance.choice(PEOPLE)} {number}" for number in range(3000)]
    entities = [
        {"name": name, "entityType": "person", "observations": [f"works on {chance.choice(AREAS)}"]} for name in names
    ]
    relations = [
        {"from": chance.choice(names), "to": chance.choice(names), "relationType": "knows"} for _ in range(3000)
    ]
    return {"entities": entities, "relations": relations}
