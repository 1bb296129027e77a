"""CallToolResults by their bytes: what a model sees of one, what is a list, what paths count from."""

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

from service.core import mcp
from service.errors import RequestInvalid
from tests.made import dump


def text(said: str, **known: Any) -> dict[str, Any]:
    return {"type": "text", "text": said, **known}


def result(*blocks: Any, **known: Any) -> bytes:
    return dump({"content": list(blocks), **known})


IMAGE = {"type": "image", "data": "aGVsbG8=", "mimeType": "image/png"}
RESOURCE = {"type": "resource", "resource": {"uri": "file:///a", "text": "inside"}}
BLOB = {"type": "resource", "resource": {"uri": "file:///b", "blob": "aGVsbG8="}}
LINK = {"type": "resource_link", "uri": "file:///c", "name": "c"}


def test_the_model_sees_texts_resources_and_structured_content() -> None:
    seen = mcp.opened(result(text("a"), IMAGE, RESOURCE, BLOB, LINK, structuredContent={"b": 1}))
    assert seen.visible() == b'ainside{"b":1}'
    assert seen.uncounted == sum(len(dump(block)) for block in (IMAGE, BLOB, LINK))


@pytest.mark.parametrize("data", [b"[]", b"1", b"{}", b'{"content":{}}', b'{"content":[1]}', b'{"content":', b"text"])
def test_what_is_no_result_is_refused_with_what_one_is(data: bytes) -> None:
    with pytest.raises(RequestInvalid) as refusal:
        mcp.opened(data)
    assert "CallToolResult" in refusal.value.hint


def test_half_a_surrogate_pair_is_read() -> None:
    assert mcp.opened(b'{"content":[{"type":"text","text":"cut \\ud83d"}]}').visible() == b"cut ?"


def test_many_plain_texts_in_a_row_are_one_list() -> None:
    rows = [text(json.dumps({"id": number})) for number in range(9)]
    (part,) = mcp.parts(mcp.opened(result(*rows)))
    assert (part.path, json.loads(part.data)) == ("content", [{"id": number} for number in range(9)])
    names = [text(f"file {number}") for number in range(9)]
    assert json.loads(next(mcp.parts(mcp.opened(result(*names)))).data)[8] == "file 8"


def test_texts_that_say_more_of_themselves_stay_apart() -> None:
    loud = [text(str(number), annotations={"priority": 1}) for number in range(9)]
    assert len([*mcp.parts(mcp.opened(result(*loud)))]) == 9
    assert [part.path for part in mcp.parts(mcp.opened(result(text("a"), IMAGE, text("b"))))] == [
        "content.0",
        "content.2",
    ]
    assert [part.path for part in mcp.parts(mcp.opened(result(text("a"), IMAGE)))] == [""]


@pytest.mark.parametrize(
    ("texts", "structured", "expected"),
    [
        (['{"a": 1}'], {"a": 1}, True),
        (['{"a": 1}'], {"a": 2}, False),
        (['{"a": 1}'], {"a": True}, False),
        (["plain"], {"result": "plain"}, True),
        (["[1, 2]"], {"result": [1, 2]}, True),
        (['{"a": 1}', '{"a": 2}'], {"result": [{"a": 1}, {"a": 2}]}, True),
        (["one", "two"], {"result": ["one", "two"]}, True),
        (["5 rows"], {"rows": [1, 2, 3, 4, 5]}, False),
        ([], {"a": 1}, False),
        (["a"], None, True),
    ],
)
def test_structured_content_that_says_what_the_text_says_is_known(
    texts: list[str], structured: Any, expected: bool
) -> None:
    assert mcp.same(mcp.opened(result(*map(text, texts), structuredContent=structured))) is expected


def test_paths_count_from_the_only_text_or_from_the_result() -> None:
    both = result(text('{"a": 1}'), structuredContent={"b": 2})
    assert mcp.root(both).data == b'{"a": 1}'
    assert json.loads(mcp.root(both, "structuredContent.b").data)["structuredContent"] == {"b": 2}
    assert json.loads(mcp.root(both, all_of_it=True).data) == {"content": ['{"a": 1}'], "structuredContent": {"b": 2}}
    assert mcp.root(result(text('{"content": []}')), "content").data == b'{"content": []}'
    assert json.loads(mcp.root(result(text("a"), text("b"))).data) == {"content": ["a", "b"]}
    assert mcp.root(result(structuredContent=[1])).data == b"[1]"


def test_everything_but_the_texts_stays_as_it_was() -> None:
    data = (
        b'{"_meta":{"k":1e2},"content":[{"type":"image","data":"aA==","x":1.50},'
        b'{"text":"a","type":"text","annotations":{}}],"isError":true,"ttlMs":5}'
    )
    made = mcp.dressed(mcp.opened(data), {1: "b"}, None, "\nmore")
    assert made == data.replace(b'"text":"a","type":"text"', b'"text":"b\\nmore","type":"text"')


def test_the_line_stands_in_a_text_block_that_every_client_shows() -> None:
    made = json.loads(mcp.dressed(mcp.opened(result(RESOURCE, IMAGE)), {0: "in"}, None, "\nmore"))
    assert [block["type"] for block in made["content"]] == ["resource", "image", "text"]
    assert made["content"][2]["text"] == "more"


@given(st.lists(st.integers(0, 5000), min_size=1, max_size=40), st.integers(0, 5000))
def test_shares_never_deal_out_more_than_there_is(costs: list[int], budget: int) -> None:
    dealt = mcp.shares(costs, budget, 24)
    assert len(dealt) == len(costs)
    assert sum(dealt) <= max(budget, 0)
    if sum(costs) <= budget:
        assert all(share >= cost for share, cost in zip(dealt, costs, strict=True))
