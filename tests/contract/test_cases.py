"""The cases of the requirements, replayed over HTTP: one data file for each section in tests/cases."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
import yaml

from tests.made import properties
from tests.server import Server

FOLDER = Path(__file__).parent.parent / "cases"


def _cases() -> list[Any]:
    found = []
    for file in sorted(FOLDER.glob("*.yaml")):
        for case in yaml.safe_load(file.read_text()):
            for number, values in enumerate(case.get("each", [{}])):
                found.append(pytest.param(case["steps"], values, id=f"{file.stem}: {case['name']} {number}"))
    return found


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server() as one:
        yield one


@pytest.mark.parametrize(("steps", "values"), _cases())
def test_case(server: Server, steps: list[dict[str, Any]], values: dict[str, Any]) -> None:
    answer: dict[str, Any] = {}
    for step in steps:
        known = filled(step, values)
        if "from" in known:  # goes on with the cursor that the answer before it named
            known["body"] = {"cursor": _cursor(answer, known["from"]), **known.get("body", {})}
        body, headers = sent(known)
        if "walk" in known:
            _walked(server, known["walk"], body, headers, known["expect"])
        else:
            status, answer = server.ask(known["post"], body, **headers)
            assert status == known["expect"]["status"], answer
            expected(answer, known["expect"])


def _cursor(answer: dict[str, Any], source: str) -> Any:
    return answer["nextCursor"] if source == "next" else answer["meta"]["detailsAvailable"]["parameters"]["cursor"]


def filled(part: Any, values: dict[str, Any]) -> Any:
    """The same with every $name replaced by its value; in URLs as text, elsewhere as it is."""
    if isinstance(part, dict):
        return {name: filled(value, values) for name, value in part.items()}
    if isinstance(part, list):
        return [filled(value, values) for value in part]
    if not isinstance(part, str) or "$" not in part:
        return part
    if part.startswith("$") and part[1:] in values:
        return values[part[1:]]
    for name, value in values.items():
        part = part.replace(f"${name}", quote(str(value), safe=",[].{}"))
    return part


def made(value: Any) -> Any:
    """Payloads that are described by a rule."""
    if isinstance(value, dict) and set(value) == {"numbers"}:
        return [{"id": i} for i in range(value["numbers"])]
    if isinstance(value, dict) and set(value) == {"texts"}:
        return ["Something long is said. " * 200] * int(value["texts"])
    if isinstance(value, dict) and set(value) == {"properties"}:
        return properties(value["properties"])
    return value


def sent(step: dict[str, Any]) -> tuple[bytes, dict[str, str]]:
    """The body of a step and its headers."""
    if "text" in step:
        return str(step["text"]["fill"] * step["text"]["chars"]).encode(), {"Content_Type": "text/plain"}
    if "plain_made" in step:
        rows = [{"id": i, "body": f"text {i} " * 20} for i in range(step["plain_made"]["rows"])]
        return f"{step['plain_made']['before']}\n{json.dumps(rows)}".encode(), {"Content_Type": "text/plain"}
    if "plain" in step:
        return step["plain"].encode(), {"Content_Type": "text/plain"}
    if "json_text" in step:
        return step["json_text"].encode(), {"Content_Type": step.get("kind", "application/json")}
    if "json" in step:
        url = step.get("post", step.get("walk", ""))
        kind = step.get("kind", "application/json" if "?" in url else "application/octet-stream")
        return json.dumps(made(step["json"])).encode(), {"Content_Type": kind}
    body = step["body"]
    if isinstance(body, dict):
        body = {name: made(value) for name, value in body.items()}
    return json.dumps(body).encode(), {"Content_Type": "application/json"}


def expected(answer: dict[str, Any], expect: dict[str, Any]) -> None:
    """Whether an answer is as a case says."""
    if "code" in expect:
        assert answer["code"] == expect["code"], answer
    if expect["status"] >= 400:
        assert answer["hint"]
        assert answer["requestId"]
    said = json.dumps(answer, ensure_ascii=False)
    assert expect.get("says", "") in said
    assert expect.get("hints", "") in answer.get("hint", "")
    for name, value in expect.get("meta", {}).items():
        assert answer["meta"][name] == value, answer["meta"]
    for name, value in expect.get("answer", {}).items():
        assert answer[name] == value
    for entry in expect.get("omits", ()):
        assert entry in [{name: row[name] for name in entry if name in row} for row in answer["meta"]["omitted"]]
    for name in expect.get("without", ()):
        where = answer["meta"] if name.startswith("meta.") else answer
        assert name.removeprefix("meta.") not in where


def _walked(server: Server, url: str, body: bytes, headers: dict[str, str], expect: dict[str, Any]) -> None:
    """Follows a walk to its end."""
    status, answer = server.ask(url, body, **headers)
    assert status == expect["status"], answer
    pages = [answer]
    while "nextCursor" in pages[-1]:
        assert pages[-1]["meta"]["hasMore"] is True
        status, answer = server.ask("/paginate", {"cursor": pages[-1]["nextCursor"]})
        assert status == 200, answer
        pages.append(answer)
    assert all(page["meta"]["totalCount"] == expect["total"] for page in pages)
    assert all(page["meta"]["estimatedTokens"] <= page["meta"]["budget"] for page in pages)
    assert all(page["meta"]["pageSize"] == len(page["items"]) for page in pages)
    assert [item for page in pages for item in page["items"]] == json.loads(body)
    if "sizes" in expect:
        assert [len(page["items"]) for page in pages] == expect["sizes"]
