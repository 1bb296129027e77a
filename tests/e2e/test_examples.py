"""The official SDKs on both sides, in both eras: the first answer fits, and the printed line leads to all the rest."""

import asyncio
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from service.core import mcp, tokens
from tests.e2e import sources
from tests.e2e.reader import ERAS, Call, environ, next_call, read, said, server, with_python, with_typescript
from tests.made import dump
from tests.server import Server

CALLS: list[Call] = [
    {"name": "list_files", "arguments": {}},
    {"name": "read_log", "arguments": {}},
    {"name": "read_query", "arguments": {"query": "select * from orders"}},
    {"name": "read_graph", "arguments": {}},
]
TO_THE_END = 10_000


@pytest.fixture(scope="module")
def decant() -> Iterator[Server]:
    with Server() as one:
        yield one


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """The sources, and what the tools' texts are."""
    folder = tmp_path_factory.mktemp("sources")
    return folder, sources.make(folder)


def driven(
    client: str, language: str, around: dict[str, str], era: str, calls: list[Call], steps: int
) -> list[list[dict[str, Any]]]:
    """What a client of one language gets from a server of another."""
    command = server(language)
    if client == "python":
        return asyncio.run(with_python(command, around, era, calls, steps))
    return with_typescript(command, around, era, calls, steps)


def check(result: dict[str, Any], budget: int = 4000) -> None:
    """It fits, whatever the client makes of it."""
    known = {name: part for name, part in result.items() if name in ("content", "structuredContent")}
    assert tokens.estimate(mcp.opened(dump(known)).visible()) <= budget


@pytest.mark.parametrize(
    ("client", "language", "era"), [("python", "python", ERAS[0]), ("typescript", "typescript", ERAS[1])]
)
def test_every_example_is_read_to_its_end(
    client: str, language: str, era: str, decant: Server, texts: tuple[Path, dict[str, str]]
) -> None:
    began = time.monotonic()
    found = driven(client, language, environ(decant.url, texts[0]), era, CALLS, TO_THE_END)
    for call, results in zip(CALLS, found, strict=True):
        for result in results:
            assert not result.get("isError")
            check(result)
        assert len(results) > 5
        assert next_call(results[-1]) is None
        assert "".join(read(said(result)) for result in results[1:]) == texts[1][call["name"]]
    assert time.monotonic() - began < 100


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(("client", "language"), [("python", "typescript"), ("typescript", "python")])
def test_each_client_reads_on_at_the_other_language_s_server(
    client: str, language: str, era: str, decant: Server, texts: tuple[Path, dict[str, str]]
) -> None:
    for call, results in zip(
        CALLS, driven(client, language, environ(decant.url, texts[0]), era, CALLS, 2), strict=True
    ):
        assert len(results) == 3
        for result in results:
            check(result)
        assert texts[1][call["name"]].startswith("".join(read(said(result)) for result in results[1:]))


def test_the_first_answers_show_what_matters(decant: Server, texts: tuple[Path, dict[str, str]]) -> None:
    found = driven("python", "python", environ(decant.url, texts[0]), ERAS[1], CALLS, 0)
    files, log, rows, graph = (said(results[0]) for results in found)
    assert "billing_0000.test.py" in files
    assert "TimeoutError" in log
    assert "[10000]{id,person" in rows
    assert "entities" in graph
    assert "relations" in graph
    structured = found[3][0]["structuredContent"]
    assert structured["cursor"] in said(found[3][0])
    assert "fetch_more" in structured["more"]


def test_a_part_is_found_by_the_printed_cursor(decant: Server, texts: tuple[Path, dict[str, str]]) -> None:
    around = environ(decant.url, texts[0])
    first = driven("python", "python", around, ERAS[1], CALLS, 0)
    cursors = [(next_call(results[0]) or {})["arguments"]["cursor"] for results in first]
    asked: list[Call] = [
        {"name": "fetch_more", "arguments": {"cursor": cursors[0], "find": "upload_4999"}},
        {"name": "fetch_more", "arguments": {"cursor": cursors[1], "find": "TimeoutError: 900 ms"}},
        {"name": "fetch_more", "arguments": {"cursor": cursors[1], "startLine": 30, "endLine": 31}},
        {"name": "fetch_more", "arguments": {"cursor": cursors[2], "path": "9999"}},
        {"name": "fetch_more", "arguments": {"cursor": cursors[3], "path": "relations.7"}},
        {"name": "fetch_more", "arguments": {"cursor": cursors[3], "find": '"Ada 0"'}},
    ]
    found = [results[0] for results in driven("python", "python", around, ERAS[0], asked, 0)]
    for result in found:
        check(result)
        assert not result.get("isError"), said(result)
    lines = texts[1]["read_log"].splitlines()
    assert said(found[2]).startswith("\n".join(lines[29:31]))
    assert "10000" in said(found[3])
    assert json.loads(said(found[4])) == json.loads(texts[1]["read_graph"])["relations"][7]


@pytest.mark.parametrize("language", ["python", "typescript"])
def test_forged_and_expired_cursors_tell_the_model_what_to_do(
    language: str, texts: tuple[Path, dict[str, str]]
) -> None:
    with Server({"DECANT_CURSOR_TTL": "0.3"}) as hasty:
        around = environ(hasty.url, texts[0])
        first = driven("python", language, around, ERAS[1], CALLS[:1], 0)[0][0]
        following = next_call(first)
        assert following
        time.sleep(1.5)
        forged = {**following, "arguments": {"cursor": "A" * 63}}
        typo = {**following, "arguments": {"cursor": following["arguments"]["cursor"][:-2]}}
        wrong = {**following, "arguments": {**following["arguments"], "startLine": 0}}
        for era in ERAS:
            results = driven("python", language, around, era, [following, forged, typo, wrong], 0)
            told = [said(result[0]) for result in results]
            assert all(result[0]["isError"] for result in results)
            assert "Call the original tool again without a cursor. Do not retry this one." in told[0]
            assert all("call the original tool again" in text for text in told[1:3])
            assert "startLine must be a whole number from 1" in told[3]


def test_without_decant_the_servers_still_answer(texts: tuple[Path, dict[str, str]]) -> None:
    around = {**environ("http://127.0.0.1:9", texts[0]), "DECANT_TIMEOUT": "1"}
    for language in ("python", "typescript"):
        for results in driven("python", language, around, ERAS[1], CALLS, 0):
            assert "cut here" in said(results[0])
            assert len(json.dumps(results[0])) < 50_000
