"""Two ways to send a payload, options in both, and what is refused with which words."""

import json
from typing import Any

import pytest

from service.errors import PayloadMalformed
from service.web.payloads import PIECE, check_utf8
from tests.web.shop import Shop

HINT = "To send the body itself as the payload, put an option in the URL, for example ?policy=default"
JSON = {"Content-Type": "application/json"}


async def raw(shop: Shop, path: str, body: bytes, kind: str | None) -> tuple[int, dict[str, Any]]:
    headers = {"Content-Type": kind} if kind else {}
    return await shop.post(path, data=body, headers=headers, skip_auto_headers=["Content-Type"])


async def told(shop: Shop, path: str, body: bytes, kind: str | None) -> dict[str, Any]:
    status, answer = await raw(shop, path, body, kind)
    assert status == 200, answer
    data: dict[str, Any] = answer["data"]
    return data | {"notes": answer["meta"].get("notes", [])}


async def problem(shop: Shop, path: str, body: Any) -> dict[str, Any]:
    status, answer = await shop.post(path, data=body if isinstance(body, bytes) else json.dumps(body), headers=JSON)
    assert status == answer["status"] == 400, answer
    return answer


async def test_a_request_object_holds_options_and_payload(shop: Shop) -> None:
    got = await told(shop, "/compact", b'{"policy": "github", "payload": [1, 2.50,  3]}', "application/json")
    assert (got["data"], got["form"], got["ask"]["policy"]) == ("[1, 2.50,  3]", "json", "github")


@pytest.mark.parametrize("kind", ["application/json", "application/problem+json", "APPLICATION/JSON; charset=utf-8"])
async def test_every_json_type_without_options_in_the_url_is_a_request_object(shop: Shop, kind: str) -> None:
    assert (await told(shop, "/compact", b'{"text": "hello"}', kind))["data"] == "hello"


async def test_a_string_payload_is_text(shop: Shop) -> None:
    got = await told(shop, "/compact", b'{"payload": "a\\u00e4\\nb"}', "application/json")
    assert (got["data"], got["form"]) == ("aä\nb", "text")


async def test_null_is_a_payload(shop: Shop) -> None:
    assert (await told(shop, "/compact", b'{"payload": null}', "application/json"))["data"] == "null"


@pytest.mark.parametrize(
    ("kind", "form", "content_type"),
    [
        ("application/json", "json", None),
        ("application/vnd.api+json", "json", None),
        ("text/plain", "text", None),
        ("text/csv", "text", "csv"),
        ("text/markdown; charset=utf-8", "text", "markdown"),
        ("application/x-ndjson", "text", "jsonl"),
        ("application/x-www-form-urlencoded", "json", None),
        ("application/octet-stream", "json", None),
        (None, "json", None),
    ],
)
async def test_a_raw_body_is_the_payload_byte_for_byte(
    shop: Shop, kind: str | None, form: str, content_type: str | None
) -> None:
    body = b'  {"a": 1.0,\n "a": 1e2} '
    got = await told(shop, "/compact?policy=default", body, kind)
    assert (got["data"], got["form"], got["type"]) == (body.decode(), form, content_type)


async def test_what_does_not_parse_and_has_no_type_is_text(shop: Shop) -> None:
    assert (await told(shop, "/chunk?policy=default", b"[not json", None))["form"] == "text"


async def test_without_options_and_type_the_body_is_the_payload(shop: Shop) -> None:
    assert (await told(shop, "/chunk", b"plain words", "text/plain"))["data"] == "plain words"


async def test_a_raw_body_that_looks_like_a_request_object_is_the_payload_with_a_note(shop: Shop) -> None:
    got = await told(shop, "/compact?budget=100", b'{"policy": "x", "payload": [1]}', "application/json")
    assert got["data"] == '{"policy": "x", "payload": [1]}'
    assert "looks like a request object" in got["notes"][0]
    assert not (await told(shop, "/compact?budget=100", b'{"id": 1, "payload": [1]}', "application/json"))["notes"]


async def test_query_options_are_typed(shop: Shop) -> None:
    got = await told(shop, "/paginate?limit=5&fields=a,b.c&explain&budget=100&offset=0", b"[]", "application/json")
    ask = got["ask"]
    assert (ask["limit"], ask["fields"], ask["explain"], ask["budget"], ask["offset"]) == (5, "a,b.c", True, 100, 0)
    assert (await told(shop, "/compact?explain=false", b"[]", None))["ask"]["explain"] is False


async def test_a_cursor_goes_into_the_url_too(shop: Shop) -> None:
    got = await told(shop, "/more?cursor=abc&limit=3", b"", None)
    assert (got["ask"]["cursor"], got["data"]) == ("abc", None)


@pytest.mark.parametrize("kind", ["multipart/form-data; boundary=x", "image/png", "audio/wav", "video/mp4"])
async def test_files_are_no_payload(shop: Shop, kind: str) -> None:
    status, answer = await raw(shop, "/compact?policy=default", b"x", kind)
    assert (status, answer["code"]) == (415, "unsupported_media_type")


@pytest.mark.parametrize(
    "body",
    [{}, {"policy": "x"}, {"payload": 1, "text": "a"}, {"payload": 1, "cursor": "a"}, {"text": "a", "cursor": "b"}],
)
async def test_exactly_one_of_three(shop: Shop, body: dict[str, Any]) -> None:
    answer = await problem(shop, "/compact", body)
    assert answer["code"] == "request_invalid"
    assert answer["hint"] == HINT
    assert "Exactly one of payload, text, cursor" in answer["detail"]


async def test_an_empty_post_is_told_what_to_send(shop: Shop) -> None:
    status, answer = await shop.post("/compact")
    assert (status, answer["hint"]) == (400, HINT)


async def test_json_that_is_no_object_is_told_the_other_way(shop: Shop) -> None:
    answer = await problem(shop, "/compact", b"[1, 2]")
    assert (answer["code"], answer["hint"]) == ("request_invalid", HINT)


@pytest.mark.parametrize("value", ["0", "-1", "1.5", '"abc"', "true", "null", "[]"])
async def test_a_limit_that_is_none_is_told_the_range(shop: Shop, value: str) -> None:
    answer = await problem(shop, "/paginate", f'{{"payload": [], "limit": {value}}}'.encode())
    assert "from 1 to 200" in answer["detail"]
    assert answer["errors"][0]["path"] == "limit"


async def test_the_range_is_that_of_the_named_policy(shop: Shop) -> None:
    answer = await problem(shop, "/paginate", {"payload": [], "limit": 0, "policy": "small"})
    assert "from 1 to 100" in answer["detail"]
    _, answer = await raw(shop, "/paginate?limit=0&policy=small", b"[]", None)
    assert "from 1 to 100" in answer["detail"]


@pytest.mark.parametrize("value", ["0", "-1", "1.5", "abc", "true", ""])
async def test_the_same_in_the_url(shop: Shop, value: str) -> None:
    status, answer = await raw(shop, f"/paginate?limit={value}", b"[]", None)
    assert status == 400
    assert "from 1 to 200" in answer["detail"]


async def test_a_budget_below_64_is_refused(shop: Shop) -> None:
    assert "at least 64, got 63" in (await problem(shop, "/compact", {"payload": 1, "budget": 63}))["detail"]


async def test_an_unknown_word_is_told_the_known_ones(shop: Shop) -> None:
    assert "table" in (await problem(shop, "/compact", {"payload": 1, "format": "xml"}))["detail"]


async def test_an_unknown_option_names_the_nearest(shop: Shop) -> None:
    answer = await problem(shop, "/compact", {"payload": 1, "polcy": "x"})
    assert "Did you mean policy?" in answer["hint"]
    status, answer = await raw(shop, "/compact?contenttype=csv", b"[]", None)
    assert status == 400
    assert "contentType" in answer["hint"]


async def test_an_option_of_another_endpoint_names_it(shop: Shop) -> None:
    answer = await problem(shop, "/compact", {"payload": 1, "limit": 5})
    assert "/compact has no use for limit" in answer["detail"]
    assert "/paginate" in answer["hint"]
    answer = await problem(shop, "/compact", {"payload": 1, "find": "x"})
    assert "/paginate or /chunk" in answer["hint"]
    assert "cursor" in (await problem(shop, "/more", {"limit": 5}))["detail"]


async def test_a_parameter_stands_there_once(shop: Shop) -> None:
    status, answer = await raw(shop, "/compact?budget=100&budget=200", b"[]", None)
    assert (status, answer["errors"][0]["path"]) == (400, "budget")


async def test_the_payload_does_not_go_into_the_url(shop: Shop) -> None:
    status, answer = await raw(shop, "/compact?text=hello", b"", None)
    assert (status, answer["errors"][0]["path"]) == (400, "text")


@pytest.mark.parametrize("path", ["/compact", "/compact?policy=default"])
async def test_malformed_json_names_byte_line_and_column(shop: Shop, path: str) -> None:
    answer = await problem(shop, path, b'{"payload":\n [1, }')
    assert answer["code"] == "payload_malformed"
    assert "byte 17 (line 2, column 6)" in answer["detail"]
    assert "byte 12" in (await problem(shop, path, b'{"payload": '))["detail"]


async def test_bad_utf8_names_the_byte(shop: Shop) -> None:
    status, answer = await raw(shop, "/chunk?policy=default", b"caf\xe9", "text/plain")
    assert (status, answer["code"]) == (400, "payload_malformed")
    assert "byte 3" in answer["detail"]


@pytest.mark.parametrize(
    ("path", "kind"),
    [("/chunk?encoding=latin-1", "text/plain"), ("/chunk", "text/plain; charset=iso-8859-1")],
)
async def test_another_encoding_is_read_when_named(shop: Shop, path: str, kind: str) -> None:
    assert (await told(shop, path, b"caf\xe9", kind))["data"] == "café"


async def test_an_unknown_encoding_is_refused(shop: Shop) -> None:
    for name in ("nonsense", "hex", "idna", "unicode_escape"):
        status, answer = await raw(shop, f"/chunk?encoding={name}", b"x", "text/plain")
        assert (status, answer["code"]) == (400, "request_invalid")
    status, answer = await raw(shop, "/chunk", b"x", "text/plain; charset=nonsense")
    assert (status, answer["code"]) == (415, "unsupported_encoding")


@pytest.mark.parametrize("body", [b'["\\ud800"]', b'{"a": NaN}', b"[Infinity]"])
async def test_json_that_only_python_reads_is_text_with_a_note(shop: Shop, body: bytes) -> None:
    got = await told(shop, "/compact?policy=default", body, "application/json")
    assert (got["form"], len(got["notes"])) == ("text", 1)


@pytest.mark.parametrize("digits", [4300, 4301, 9000])
async def test_an_integer_nobody_can_hold_makes_it_text(shop: Shop, digits: int) -> None:
    for before in (b"", b" " * 51, b'"' + b"1" * 5000 + b'",'):
        body = b"[" + before + b"7" * digits + b"]"
        for path, sent in (("/compact?policy=default", body), ("/compact", b'{"payload": ' + body + b"}")):
            got = await told(shop, path, sent, "application/json")
            assert (got["form"], len(got["notes"])) == (("text", 1) if digits > 4300 else ("json", 0))
            assert got["data"] == body.decode()


async def test_a_lone_surrogate_in_a_request_object_is_text_too(shop: Shop) -> None:
    for body in (b'{"payload": ["\\ud800"]}', b'{"payload": "\\ud800"}'):
        got = await told(shop, "/compact", body, "application/json")
        assert (got["form"], len(got["notes"])) == ("text", 1)


@pytest.mark.parametrize("depth", [501, 600, 5000, 200_000])
async def test_too_deep_is_a_400(shop: Shop, depth: int) -> None:
    deep = b"[" * depth + b"]" * depth
    for path, body in (("/compact?policy=default", deep), ("/compact", b'{"payload": ' + deep + b"}")):
        assert (await problem(shop, path, body))["code"] == "payload_too_deep"


async def test_the_deepest_there_may_be(shop: Shop) -> None:
    deep = b"[" * 500 + b"]" * 500
    assert (await told(shop, "/compact?policy=default", deep, "application/json"))["form"] == "json"
    assert (await told(shop, "/compact", b'{"payload": ' + deep + b"}", "application/json"))["form"] == "json"


@pytest.mark.parametrize("at", [0, 1, PIECE - 2, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE - 1])
def test_the_byte_is_right_wherever_the_pieces_are_cut(at: int) -> None:
    body = bytearray("ä".encode() * (PIECE + 5))
    check_utf8(bytes(body))
    body[at : at + 1] = b"\xff"
    with pytest.raises(PayloadMalformed) as caught:
        check_utf8(bytes(body))
    with pytest.raises(UnicodeDecodeError) as expected:
        bytes(body).decode()
    assert f"byte {expected.value.start} " in caught.value.detail
    with pytest.raises(PayloadMalformed, match=f"byte {2 * PIECE} "):
        check_utf8(("ä" * PIECE).encode() + b"\xc3")
