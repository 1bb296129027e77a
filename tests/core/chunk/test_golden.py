"""Where real texts are cut: reviewed by reading them, kept in fixtures/chunk/boundaries.txt.

After a change that is meant: `python -m tests.core.chunk.test_golden` writes the file anew; read the difference.
"""

from pathlib import Path

import pytest

from service.core.chunk import Limits, chunk
from tests.core.chunk.promises import keep

FIXTURES = Path(__file__).parents[2] / "fixtures" / "chunk"
GOLDEN = FIXTURES / "boundaries.txt"
KINDS = {
    "kafka.log": "log",
    "laravel.log": "log",
    "jest.log": "log",
    "deployment.md": "markdown",
    "ja.md": "markdown",
    "pep-0008.rst": "rst",
    "page.html": "html",
    "python.py.txt": "code",
    "kubelet.go.txt": "code",
    "earthquakes.csv": "csv",
    "bro.tsv": "tsv",
    "changes.diff": "diff",
    "poems.json": "json",
    "gcp.jsonl": "jsonl",
    "pride.txt": "prose",
}
BOUNDS = Limits(700, 100, 16_000)


def table(name: str) -> str:
    """The chunks of a fixture, a line for each: lines, boundary, heading, its last and its next chunk's first words."""
    text = (FIXTURES / name).read_bytes()
    cuts = chunk(text, KINDS[name], BOUNDS)
    keep(text, BOUNDS, cuts)
    rows = [f"== {name} ({KINDS[name]})"]
    for cut in cuts:
        last = text[cut.start : cut.end].decode().rstrip().rsplit("\n", 1)[-1].strip()[-50:]
        first = text[cut.end :].decode().lstrip().split("\n", 1)[0].strip()[:50]
        rows.append(f"{cut.start_line}-{cut.end_line} {cut.boundary} [{cut.heading}] {last} >>> {first}".rstrip())
    return "\n".join(rows) + "\n"


@pytest.mark.parametrize("name", [*KINDS])
def test_real_texts_are_cut_where_a_reader_would_cut_them(name: str) -> None:
    golden = GOLDEN.read_text(encoding="utf-8").split("== ")
    assert table(name).removeprefix("== ") in golden


if __name__ == "__main__":
    GOLDEN.write_text("".join(map(table, KINDS)), encoding="utf-8")
