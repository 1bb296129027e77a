"""OpenAPI 3.1, generated from the Structs of the wire: what is decoded and encoded is what is described."""

from typing import Any, get_type_hints

import msgspec
from msgspec import UNSET, UnsetType

from schemas.api import OPTIONS, Answer, Ask, Meta
from schemas.policy import Policy
from schemas.problem import Problem
from service import errors
from service.errors import Refusal
from service.web.openapi_examples import ANSWERS, ASKS, PROBLEM, SUMMARIES

CONTRACT = "1"  # of the contract, not of the release: strangers read this document
REF = "#/components/schemas/{name}"
JSON, PROBLEM_JSON = "application/json", "application/problem+json"
BODIES = {
    "/compact": ("CompactAnswer", ("data", "summary", "result")),
    "/paginate": ("PageAnswer", ("items", "around", "text", "result")),
    "/chunk": ("ChunkAnswer", ("text", "items", "result")),
    "/more": ("MoreAnswer", ("items", "around", "text", "data", "summary", "result")),
}
DESCRIPTIONS = {
    "payload": "The tool result: any JSON value; a string is treated as text.",
    "text": "The tool result as text; the same as a payload that is a string.",
    "cursor": "A cursor of an earlier answer, as it was given.",
    "policy": "A policy's name; absent: the one whose match fits `source` best, else `default`.",
    "source": "What produced the payload, for example github.list_issues.",
    "budget": "Tokens for this answer, at least 64; more than the policy's hard cap is no error.",
    "tokenizer": "Whose tokens are counted.",
    "path": "The root of what is asked for: dotted, or a JSON pointer when it begins with /.",
    "contentType": "What the payload is; default: recognised.",
    "encoding": "Of a raw text body; default: its charset, else UTF-8.",
    "shape": "plain, or mcp: a whole CallToolResult in and out.",
    "explain": "Adds meta.steps: tokens after every step.",
    "fields": 'A projection: a list, or "a,b.c"; "all" is everything, verbatim.',
    "query": "What the model is looking for, in its words.",
    "format": "The notation of the answer.",
    "asOf": "ISO time that relative times count from; without it times stay absolute.",
    "limit": "Items of a page, from 1 to the policy's max_page_size.",
    "offset": "The first item of a page, from 0.",
    "sort": "The field that items are sorted by.",
    "startLine": "The first line, from 1.",
    "endLine": "The last line, included.",
    "find": "Only the lines or items that contain every word of this.",
}
CODES = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, Refusal)]


def document() -> dict[str, Any]:
    """The whole contract."""
    components = schemas()
    wire = dict(zip(Ask.__struct_fields__, Ask.__struct_encode_fields__, strict=True))
    properties = components.pop("Ask")["properties"]
    for name, text in DESCRIPTIONS.items():
        properties[name] = {"description": text, **properties[name]}
    paths: dict[str, Any] = {}
    for path, (name, body) in BODIES.items():
        known = {wire[field]: properties[wire[field]] for field in Ask.__struct_fields__ if field in OPTIONS[path]}
        components[f"{name.removesuffix('Answer')}Request"] = _request(known, path)
        components[name] = _answer(components["Answer"], body)
        paths[path] = {"post": _post(path, name, known)}
    del components["Answer"]
    components["Problem"]["properties"]["code"] = {"enum": sorted({kind.code for kind in CODES})}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Decant",
            "version": CONTRACT,
            "summary": "Pours big tool results into small context windows.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "security": [{"bearer": []}, {}],
        "paths": {**paths, **_operations()},
        "components": {
            "schemas": dict(sorted(components.items())),
            "responses": _responses(),
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
        },
    }


def schemas() -> dict[str, Any]:
    """The schemas of everything on the wire; UNSET is how a field is left out, so it is no default."""
    hints = get_type_hints(Ask, include_extras=True) | {"payload": Any | UnsetType}  # a Raw is any JSON value
    fields = [(name, hints[name], UNSET) for name in Ask.__struct_fields__]
    ask = msgspec.defstruct("Ask", fields, rename="camel", kw_only=True, forbid_unknown_fields=True)
    _, components = msgspec.json.schema_components((ask, Answer, Meta, Problem, Policy), ref_template=REF)
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(components))  # tuples as JSON has them
    return plain


def _request(known: dict[str, Any], path: str) -> dict[str, Any]:
    either = ["cursor"] if path == "/more" else ["payload", "text", "cursor"]
    return {
        "type": "object",
        "title": f"What POST {path} takes",
        "properties": known,
        "additionalProperties": False,
        "oneOf": [{"required": [name]} for name in either],
    }


def _answer(answer: dict[str, Any], body: tuple[str, ...]) -> dict[str, Any]:
    properties = answer["properties"]
    kept = {name: properties[name] for name in (*body, "nextCursor", "meta")}
    return {"type": "object", "title": "An answer", "properties": kept, "required": ["meta"]}


def _post(path: str, name: str, known: dict[str, Any]) -> dict[str, Any]:
    summary = SUMMARIES[path]
    parameters = [
        {"name": option, "in": "query", "description": schema["description"], "schema": _in_query(schema)}
        for option, schema in known.items()
        if option not in ("payload", "text")
    ]
    content: dict[str, Any] = {
        JSON: {"schema": {"$ref": REF.format(name=f"{name.removesuffix('Answer')}Request")}, "examples": ASKS[path]}
    }
    if path != "/more":
        text = {"description": "Raw body: options in the URL, the body is the payload.", "type": "string"}
        content |= {"text/*": {"schema": text}, "application/x-ndjson": {"schema": text}}
    return {
        "operationId": path.removeprefix("/"),
        "summary": summary,
        "description": "Send a request object as application/json, or put the options in the URL and send the payload"
        " itself as the body.",
        "parameters": parameters,
        "requestBody": {"required": False, "content": content},
        "responses": {
            "200": {
                "description": "An answer within its budget.",
                "headers": _headers(),
                "content": {JSON: {"schema": {"$ref": REF.format(name=name)}, "examples": ANSWERS[path]}},
            },
            **problems(),
        },
    }


def _in_query(schema: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in schema.items() if name != "description"}


def _headers() -> dict[str, Any]:
    return {"X-Request-Id": {"description": "The caller's own, or a new one.", "schema": {"type": "string"}}}


def problems(*only: int) -> dict[str, Any]:
    """References to every failure, or to those of these statuses."""
    statuses = sorted({kind.status for kind in CODES if not only or kind.status in only})
    return {str(status): {"$ref": f"#/components/responses/Problem{status}"} for status in statuses}


def _responses() -> dict[str, Any]:
    codes: dict[int, list[str]] = {}
    for kind in CODES:
        if kind is not Refusal:
            codes.setdefault(kind.status, []).append(kind.code)
    content = {PROBLEM_JSON: {"schema": {"$ref": REF.format(name="Problem")}, "example": PROBLEM}}
    wait = {"Retry-After": {"description": "Seconds.", "schema": {"type": "integer"}}}
    return {
        f"Problem{status}": {
            "description": "Codes: " + ", ".join(names),
            "headers": _headers() | (wait if status in (429, 503) else {}),
            "content": content,
        }
        for status, names in sorted(codes.items())
    }


def _operations() -> dict[str, Any]:
    anything: dict[str, Any] = {"type": "object"}
    policy = {"$ref": REF.format(name="Policy")}
    book = {
        "type": "object",
        "properties": {
            "version": {"type": "string"},
            "policies": {"type": "object", "additionalProperties": policy},
        },
    }
    named = {"name": "name", "in": "path", "required": True, "schema": {"type": "string"}}
    return {
        "/livez": {"get": _get("live", "Whether the process answers.", anything, open_=True)},
        "/readyz": {"get": _get("ready", "Whether requests may come; 503 while draining.", anything, open_=True)},
        "/health": {"get": _get("health", "Status, checks, configuration, context protection.", anything)},
        "/policies": {"get": _get("policies", "Every policy with its effective values.", book)},
        "/policies/{name}": {
            "get": _get("policy", "One policy with its effective values.", policy) | {"parameters": [named]}
        },
        "/openapi.json": {"get": _get("openapi", "This document.", anything, open_=True)},
    }


def _get(name: str, summary: str, schema: dict[str, Any], *, open_: bool = False) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": name,
        "summary": summary,
        "responses": {
            "200": {"description": summary, "headers": _headers(), "content": {JSON: {"schema": schema}}},
            **problems(400, 401, 403, 500, 503),
        },
    }
    return described | ({"security": []} if open_ else {})


def written() -> bytes:
    """The document as it is committed and served."""
    return msgspec.json.format(msgspec.json.encode(document()), indent=1) + b"\n"
