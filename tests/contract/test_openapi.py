"""The contract: valid, committed as it is generated, true to what is on the wire."""

import json
from pathlib import Path

import msgspec
import pytest
from openapi_spec_validator import validate

from schemas.api import OPTIONS, Answer, Ask
from schemas.problem import Problem
from service import __name__ as package
from service.web import openapi
from service.web.openapi_examples import ANSWERS, ASKS, PROBLEM

COMMITTED = Path(package).resolve().parent / "schemas" / "openapi.json"
DOCUMENT = json.loads(openapi.written())


def test_it_is_valid_openapi() -> None:
    validate(DOCUMENT)


def test_the_committed_file_is_what_is_generated() -> None:
    assert COMMITTED.read_bytes() == openapi.written(), "run `decant schema openapi > schemas/openapi.json`"


@pytest.mark.parametrize("path", OPTIONS)
def test_an_endpoint_describes_exactly_the_options_it_takes(path: str) -> None:
    wire = dict(zip(Ask.__struct_fields__, Ask.__struct_encode_fields__, strict=True))
    post = DOCUMENT["paths"][path]["post"]
    reference = post["requestBody"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
    expected = {wire[field] for field in OPTIONS[path]}
    assert set(DOCUMENT["components"]["schemas"][reference]["properties"]) == expected
    assert {parameter["name"] for parameter in post["parameters"]} == expected - {"payload", "text"}
    assert set(post["responses"]) == {
        *("200", "400", "401", "403", "404", "405", "410", "413", "415", "429", "500", "503")
    }


@pytest.mark.parametrize("path", ASKS)
def test_examples_are_what_the_service_reads_and_writes(path: str) -> None:
    for example in ASKS[path].values():
        assert isinstance(msgspec.convert(json_with_raw(example["value"]), Ask), Ask)
    for example in ANSWERS[path].values():
        answer = msgspec.json.decode(msgspec.json.encode(example["value"]), type=Answer)
        assert json.loads(msgspec.json.encode(answer)) == example["value"]
    problem = msgspec.json.decode(msgspec.json.encode(PROBLEM), type=Problem)
    assert json.loads(msgspec.json.encode(problem)) == PROBLEM


def json_with_raw(value: dict[str, object]) -> dict[str, object]:
    return {k: msgspec.Raw(json.dumps(v).encode()) if k == "payload" else v for k, v in value.items()}


def test_every_reference_leads_somewhere() -> None:
    known = {f"#/components/{kind}/{name}" for kind, some in DOCUMENT["components"].items() for name in some}
    text = json.dumps(DOCUMENT)
    assert {part.split('"')[0] for part in text.split('"$ref": "')[1:]} <= known
