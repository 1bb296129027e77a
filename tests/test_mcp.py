"""Shape "mcp": any CallToolResult in, a valid one within the budget out, and its cursor leads to every byte."""

import json
import re
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from schemas.policy import Policy
from service.errors import RequestInvalid
from tests.made import dump
from tests.results import check, results, said_by
from tests.story import Story

SLOW = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
FILES = "\n".join(f"[FILE] src/module_{number:04}.py" for number in range(5000))
ROWS = [{"id": number, "name": f"row {number}", "city": "Rome"} for number in range(3000)]
BIG = {"content": [{"type": "text", "text": json.dumps(ROWS)}], "structuredContent": {"result": ROWS}}
CURSOR = re.compile(r"[A-Za-z0-9_-]{63}")


def cursor_of(result: dict[str, Any]) -> str:
    """The cursor that a model finds in the text."""
    found = CURSOR.findall(said_by(result))
    assert len(found) == 1
    return str(found[0])


def read_on(story: Story, result: dict[str, Any]) -> list[str]:
    """What a model reads that follows the printed cursor to the end, without the lines that are the service's."""
    read = []
    while "There is more" in said_by(result):
        answer = story("more", cursor=cursor_of(result), shape="mcp")
        check(answer)
        result = answer["result"]
        read.append(said_by(result).partition("\n… ")[0])
    return read


@given(results(), st.integers(64, 3000), st.sampled_from(["envelope", "drop", "keep"]))
@SLOW
def test_any_result_fits_any_budget_and_can_be_read_back(result: dict[str, Any], budget: int, structured: Any) -> None:
    story, sent = Story(Policy(structured=structured)), dump(result)
    answer = story("compact", sent, budget=budget, shape="mcp")
    made = check(answer)
    passed = [block for block in result["content"] if block["type"] in ("image", "audio", "resource_link")]
    kept = [block for block in answer["result"]["content"] if block["type"] in ("image", "audio", "resource_link")]
    assert kept == passed
    assert {key: answer["result"].get(key) for key in ("_meta", "isError")} == {
        key: result.get(key) for key in ("_meta", "isError")
    }
    if made.is_error:
        assert answer["result"].get("structuredContent") in (None, result.get("structuredContent"))
    if not answer["meta"]["complete"]:
        cursor = answer["meta"]["detailsAvailable"]["parameters"]["cursor"]
        assert story.rebuilt(cursor) == sent


@given(results(), st.integers(64, 1200), st.sampled_from(["paginate", "chunk"]))
@SLOW
def test_walks_in_this_shape_fit_too_and_end(result: dict[str, Any], budget: int, endpoint: str) -> None:
    story = Story()
    try:
        answer = story(endpoint, dump(result), budget=budget, shape="mcp")
    except RequestInvalid:
        return  # there is no list in it
    for _ in range(4000):
        check(answer)
        if "nextCursor" not in answer:
            break
        answer = story("more", cursor=answer["nextCursor"], shape="mcp")
    else:
        raise AssertionError("the walk does not end")


@given(results())
@SLOW
def test_what_fits_is_the_received_bytes(result: dict[str, Any]) -> None:
    sent = json.dumps(result, indent=1, ensure_ascii=True).encode()
    story = Story(Policy(hard_output_token_cap=10**6, hard_byte_cap=10**8))
    answer = story.raw("compact", sent, budget=10**6, shape="mcp")
    assert bytes(answer.result) == sent
    assert answer.meta.complete


@given(results(), st.integers(64, 2000))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_the_same_result_has_the_same_answer(result: dict[str, Any], budget: int) -> None:
    answers = [dump(Story()("compact", dump(result), budget=budget, shape="mcp")).decode() for _ in range(2)]
    bare = [re.sub(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", "", CURSOR.sub("", answer)) for answer in answers]
    numbers = [re.sub(r'"(estimatedTokens|budgetUsed|budgetRemaining)":[\d.]+', "", answer) for answer in bare]
    assert numbers[0] == numbers[1]


def test_the_cursor_stands_in_every_channel_with_its_lifetime_and_the_call() -> None:
    answer = Story(Policy(fetch_more="read_more"))("compact", BIG, shape="mcp")
    check(answer)
    line, envelope = said_by(answer["result"]).rpartition("\n… ")[2], answer["result"]["structuredContent"]
    cursor = cursor_of(answer["result"])
    assert f'call read_more with {{"cursor":"{cursor}"}}' in line
    assert answer["meta"]["expiresAt"] in line
    assert envelope["cursor"] == cursor
    assert envelope["expiresAt"] == answer["meta"]["expiresAt"]
    assert "read_more" in envelope["more"]
    assert envelope["complete"] is False


def test_the_line_reads_like_a_sentence() -> None:
    story = Story()
    line = said_by(story("compact", BIG, shape="mcp")["result"]).rpartition("\n")[2]
    assert re.sub(CURSOR, "X", re.sub(r"20\S+Z", "T", line)) == (
        "… This was a preview; the whole has about 59998 tokens. "
        'There is more: call fetch_more with {"cursor":"X"} (valid until T). '
        "Add find, path, or startLine and endLine to fetch_more for a part of it."
    ).replace("59998", re.findall(r"about (\d+) tokens", line)[0])


@pytest.mark.parametrize("structured", ["drop", "envelope", "keep"])
def test_a_list_is_read_to_its_end_as_items(structured: Any) -> None:
    story = Story(Policy(structured=structured))
    answer = story("compact", BIG, shape="mcp")
    check(answer)
    pages = read_on(story, answer["result"])
    assert [row for page in pages for row in json.loads(page)] == ROWS


def test_a_text_is_read_to_its_end_byte_for_byte() -> None:
    story = Story()
    answer = story("compact", {"content": [{"type": "text", "text": FILES}]}, shape="mcp", budget=1500)
    chunks = [said_by(answer["result"])]
    result, text = answer["result"], ""
    while "There is more" in chunks[-1]:
        result = story("more", cursor=cursor_of(result), shape="mcp")["result"]
        chunks.append(said_by(result))
        text += chunks[-1].partition("\n… This was")[0]
    assert text == FILES


def test_what_the_text_does_not_say_is_read_too() -> None:
    story = Story(Policy(structured="drop"))
    answer = story(
        "compact",
        {"content": [{"type": "text", "text": "3000 rows"}], "structuredContent": {"rows": ROWS}},
        shape="mcp",
    )
    check(answer)
    assert [entry["path"] for entry in answer["meta"]["omitted"]] == ["structuredContent"]
    assert not answer["meta"]["complete"]
    read = "".join(read_on(story, answer["result"]))
    assert json.loads(read) == {"content": ["3000 rows"], "structuredContent": {"rows": ROWS}}
    cursor = cursor_of(answer["result"])
    one = story("more", cursor=cursor, path="structuredContent.rows.7", shape="mcp")
    assert json.loads(said_by(one["result"])) == ROWS[7]
    assert story.rebuilt(cursor)


def test_structured_content_that_is_kept_is_whole_and_the_text_gives_way() -> None:
    rows = ROWS[:150]
    sent = {"content": [{"type": "text", "text": json.dumps(rows)}], "structuredContent": {"result": rows}}
    answer = Story(Policy(structured="keep"))("compact", sent, shape="mcp", budget=4000)
    check(answer)
    assert answer["result"]["structuredContent"] == sent["structuredContent"]
    dropped = Story(Policy(structured="keep"))("compact", BIG, shape="mcp")
    assert "structuredContent" not in dropped["result"]
    assert any("was dropped" in note for note in dropped["meta"]["notes"])


def test_an_error_keeps_its_text_and_carries_no_other_structure() -> None:
    answer = Story()("compact", {**BIG, "isError": True}, shape="mcp")
    assert check(answer).is_error
    assert "structuredContent" not in answer["result"]


def test_a_list_of_texts_is_one_table_not_thousands_of_blocks() -> None:
    blocks = [{"type": "text", "text": json.dumps(row)} for row in ROWS]
    answer = Story()("compact", {"content": blocks}, shape="mcp")
    check(answer)
    assert len(answer["result"]["content"]) == 1
    assert "row 0" in said_by(answer["result"])
    assert all(entry["path"].startswith("content") for entry in answer["meta"]["omitted"])


def test_small_budgets_still_print_the_cursor() -> None:
    answer = Story()("compact", BIG, shape="mcp", budget=160)
    check(answer)
    assert "fetch_more(cursor=" in said_by(answer["result"])


def test_an_item_over_the_budget_is_opened_by_the_printed_path() -> None:
    days = [{"day": day, "text": f"On day {day} it went on."} for day in range(2000)]
    rows = [{"id": 1}, {"id": 2, "days": days}, {"id": 3}]
    story = Story()
    result = story("paginate", {"content": [{"type": "text", "text": json.dumps(rows)}]}, shape="mcp")["result"]
    lines = []
    while "There is more" in said_by(result):
        lines.append(said_by(result))
        known = {"path": "1"} if '"path":"1"' in lines[-1] and not any('"path"' in line for line in lines[:-1]) else {}
        if known:
            inner = story("more", cursor=cursor_of(result), **known, shape="mcp")["result"]
            assert json.loads("".join(read_on(story, inner))) == rows[1]
        result = story("more", cursor=cursor_of(result), shape="mcp")["result"]
    assert any('"path":"1"' in line for line in lines)


@pytest.mark.parametrize(
    ("options", "instruction"),
    [
        ({"cursor": "x"}, "cursor"),
        ({"cursor": "A" * 63}, "cursor"),
        ({"startLine": 900000}, "startLine"),
        ({"path": "no.such"}, "path"),
    ],
)
def test_an_error_of_more_is_a_result_with_the_instruction(options: dict[str, Any], instruction: str) -> None:
    story = Story()
    first = story("compact", {"content": [{"type": "text", "text": FILES}]}, shape="mcp")
    answer = story("more", **{"cursor": cursor_of(first["result"]), **options}, shape="mcp")
    assert check(answer).is_error
    assert instruction in said_by(answer["result"])


def test_rows_in_a_repr_and_items_beside_others_are_found() -> None:
    story = Story()
    first = story("compact", {"content": [{"type": "text", "text": repr(ROWS)}]}, shape="mcp")
    answer = story("more", cursor=cursor_of(first["result"]), find="row 2971", shape="mcp")
    assert json.loads(said_by(answer["result"])) == [ROWS[2971]]
    graph = json.dumps({"nodes": ROWS, "edges": ROWS[:2900]})
    first = story("compact", {"content": [{"type": "text", "text": graph}]}, shape="mcp")
    found = said_by(story("more", cursor=cursor_of(first["result"]), find="rome", shape="mcp")["result"])
    assert "of 3000 hits in nodes" in found
    assert "around" not in found
    page = said_by(story("paginate", {"content": [{"type": "text", "text": graph}]}, shape="mcp")["result"])
    assert '"nodes":"… array of 3000 items"' in page


def test_a_search_that_finds_nothing_says_so() -> None:
    story = Story()
    first = story("compact", {"content": [{"type": "text", "text": FILES}]}, shape="mcp")
    answer = story("more", cursor=cursor_of(first["result"]), find="no such words", shape="mcp")
    check(answer)
    assert said_by(answer["result"]).startswith("… 0 hits")


@pytest.mark.parametrize("mode", ["off", "shadow"])
def test_a_policy_that_is_off_passes_everything(mode: Any) -> None:
    for endpoint in ("compact", "paginate", "chunk"):
        answer = Story(Policy(mode=mode)).raw(endpoint, dump(BIG), shape="mcp")
        assert bytes(answer.result) == dump(BIG)
        assert mode in answer.meta.notes[0]
        if mode == "shadow" and endpoint == "compact":
            assert 0 < answer.meta.shadow.would_be_tokens <= 4000


def test_a_step_never_makes_a_small_result_larger() -> None:
    sent = {"content": [{"type": "text", "text": '{"id": 1, "_links": {"a": "b"}}'}]}
    answer = Story(Policy(drop=("**._links",)))("compact", sent, shape="mcp")
    check(answer)
    assert json.loads(said_by(answer["result"])) == {"id": 1}
    assert msgspec.json.encode(answer["meta"]["omitted"])
