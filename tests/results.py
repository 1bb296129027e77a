"""CallToolResults of every make, for properties, and the checks that every answer in the shape of one must pass."""

from typing import Any

import msgspec
from hypothesis import strategies as st
from mcp_types import CallToolResult

from service.core import mcp, tokens

_leaves = st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=20)
json_values = st.recursive(
    _leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner)
)
_URI = {"uri": "file:///notes.txt"}
_NOTES = st.sampled_from([{}, {"annotations": {"audience": ["user"], "priority": 0.5}}, {"_meta": {"a": [1]}}])


def _block(kind: str, **known: Any) -> dict[str, Any]:
    return {"type": kind, **known}


said = st.one_of(
    st.text(max_size=60),
    st.text(max_size=40).map(lambda word: word * 300),
    json_values.map(lambda value: msgspec.json.encode(value).decode()),
    json_values.map(lambda value: msgspec.json.encode([{"id": n, "v": value} for n in range(40)]).decode()),
    st.integers(1, 400).map(lambda rows: repr([{"id": n, "name": f"row {n}", "ok": None} for n in range(rows)])),
    st.integers(1, 400).map(lambda rows: "\n".join(f"2026-01-01 00:00:{n % 60:02} INFO step {n}" for n in range(rows))),
)
blocks = st.one_of(
    st.builds(lambda text, notes: _block("text", text=text, **notes), said, _NOTES),
    st.just(_block("image", data="aGVsbG8=", mimeType="image/png")),
    st.just(_block("audio", data="aGVsbG8=", mimeType="audio/wav")),
    st.builds(lambda text: _block("resource", resource={**_URI, "text": text}), said),
    st.just(_block("resource", resource={**_URI, "blob": "aGVsbG8="})),
    st.just(_block("resource_link", name="notes", **_URI)),
)
_lists = st.builds(
    lambda count, word: [_block("text", text=f'{{"n": {n}, "w": "{word}"}}') for n in range(count)],
    st.integers(5, 300),
    st.sampled_from(["a", "some words"]),
)
_objects = st.dictionaries(st.text(max_size=8), json_values, max_size=5)
_structured = st.one_of(
    _objects, _objects.map(lambda known: {"result": [known] * 60}), st.just({"result": "a story " * 400})
)


@st.composite
def results(draw: st.DrawFn) -> dict[str, Any]:
    """Any result that a server of today may give."""
    found: dict[str, Any] = {"content": draw(st.one_of(st.lists(blocks, max_size=6), _lists))}
    if draw(st.booleans()):
        found["structuredContent"] = draw(_structured)
    if draw(st.booleans()):
        found["isError"] = draw(st.booleans())
    if draw(st.booleans()):
        found |= {"_meta": {"trace": "x"}, "resultType": "complete"}
    return found


def check(answer: dict[str, Any]) -> CallToolResult:
    """A valid result, within its budget, measured truly, its ledger in order."""
    meta, body = answer["meta"], msgspec.json.encode(answer["result"])
    seen = mcp.opened(body).visible()
    assert meta["estimatedTokens"] == tokens.estimate(seen, meta["tokenizer"])
    assert meta["estimatedTokens"] <= meta["budget"]
    assert meta["budgetRemaining"] == meta["budget"] - meta["estimatedTokens"]
    assert meta["complete"] is False or not meta.get("omitted")
    for entry in meta.get("omitted", ()):
        assert entry["path"] == "*" or 0 <= entry["kept"] < entry["total"]
    return CallToolResult.model_validate_json(body)


def said_by(result: dict[str, Any]) -> str:
    """The last text block, where the line with the cursor stands."""
    return str([block["text"] for block in result["content"] if block["type"] == "text"][-1])
