"""The README's chapter on MCP servers is true: its snippets run, its numbers are those of the examples."""

import asyncio
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import readme
from tests.e2e import table
from tests.e2e.programs import BUILD, CLIENTS, HERE, alone, golang, typescript
from tests.e2e.reader import ERAS, environ, read, said, with_python
from tests.server import Server

CHAPTER = readme.README.read_text().split("## Use it from your MCP server\n")[1].split("\n## ")[0]
MAIN = """package main

import (
	"decant"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

func main() {
	if os.Args[1] == "more" {
		fmt.Println(string(fetchMore(os.Args[2], decant.Options{"find": "file 0999"})))
	} else {
		fmt.Println(string(listFiles(os.Args[1])))
	}
}

"""


def snippet(language: str) -> str:
    """The chapter's code in one language."""
    found = re.search(rf"```{language}\n(.*?)```", CHAPTER, re.DOTALL)
    assert found
    return found[1]


@pytest.fixture(scope="module")
def decant() -> Iterator[Server]:
    with Server() as one:
        yield one


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of many files."""
    made = tmp_path_factory.mktemp("folder")
    for number in range(1000):
        (made / f"a rather long name of file {number:04}.txt").touch()
    return made


@pytest.mark.parametrize("language", ["python", "typescript"])
def test_the_server_of_the_readme_serves(language: str, decant: Server, folder: Path, tmp_path: Path) -> None:
    around = {**environ(decant.url, tmp_path), "PYTHONPATH": str(CLIENTS / "python")}
    if language == "python":
        (tmp_path / "server.py").write_text(snippet(language))
        command = [sys.executable, str(tmp_path / "server.py")]
    else:
        built = typescript()
        with alone(BUILD / "readme"):
            (BUILD / "readme" / "clients").mkdir(exist_ok=True)
            shutil.copy(built / "clients" / "decant.js", BUILD / "readme" / "clients")
            (BUILD / "readme" / "server.ts").write_text(snippet(language))
            compiler = str(HERE / "node_modules/typescript/bin/tsc")
            options = "--module nodenext --target es2022 --types node --skipLibCheck --strict --allowJs --outDir out"
            made = subprocess.run(
                ["node", compiler, *options.split(), "server.ts"],
                cwd=BUILD / "readme", capture_output=True, text=True, timeout=120, check=False,
            )  # fmt: skip
            assert made.returncode == 0, made.stdout
        command = ["node", str(BUILD / "readme" / "out" / "server.js")]
    call = {"name": "list_files", "arguments": {"folder": str(folder)}}
    for era in ERAS:
        (results,) = asyncio.run(with_python(command, around, era, [call], 100))
        names = "".join(read(said(result)) for result in results[1:])
        assert names.splitlines() == sorted(path.name for path in folder.iterdir())


def test_the_go_of_the_readme_runs(decant: Server, folder: Path, tmp_path: Path) -> None:
    module = golang().parent / "go.mod"
    shutil.copy(module, tmp_path / "go.mod")
    (tmp_path / "main.go").write_text(MAIN + snippet("go"))
    around = {**environ(decant.url, tmp_path), "GOFLAGS": "-mod=mod"}
    subprocess.run(["go", "build", "-o", "it", "."], cwd=tmp_path, env=around, check=True, timeout=120)
    first = subprocess.run([tmp_path / "it", str(folder)], env=around, capture_output=True, check=True, timeout=60)
    (cursor,) = re.findall(r'"cursor":"([\w-]{63})"', said(json.loads(first.stdout)))
    hit = subprocess.run([tmp_path / "it", "more", cursor], env=around, capture_output=True, check=True, timeout=60)
    assert "1000: a rather long name of file 0999.txt" in said(json.loads(hit.stdout))


def test_the_table_is_that_of_the_examples() -> None:
    cells = [[cell.strip() for cell in row.split("|")[1:-1]] for row in CHAPTER.splitlines() if row.endswith("% |")]
    told = {row[0]: (int(row[1].replace(",", "")), int(row[2].replace(",", ""))) for row in cells}
    for what, came, went in table.rows():
        assert told[what][0] == pytest.approx(came, rel=0.05), "python -m tests.e2e.table"
        assert told[what][1] == pytest.approx(went, rel=0.25), "python -m tests.e2e.table"
    assert len(told) == 4


@pytest.mark.parametrize(
    ("source", "policy"),
    [("github.list_issues", "github"), ("kubernetes.list_pods", "kubernetes"), ("postgres.query", "database-rows")],
)
def test_the_sources_of_the_readme_find_their_policies(source: str, policy: str, decant: Server) -> None:
    status, answer = decant.ask("/compact", {"source": source, "payload": [1]})
    assert (status, answer["meta"]["policy"]) == (200, policy)
