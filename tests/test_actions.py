"""The promises, told by the actions: it fits, it adds up, everything is reachable, the same question has one answer."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from schemas.policy import Policy
from service.errors import CursorInvalid, LimitExceedsMaximum, RangeInvalid, Refusal, RequestInvalid
from service.keys import KeyRing
from service.snapshots import Snapshots
from tests.made import dump, json_lists, json_values, log_lines, properties, text
from tests.story import Story, check, cursors

budgets = st.sampled_from([64, 80, 150, 400, 4000])
bulk = st.lists(json_values, min_size=5, max_size=40)


@given(bulk, budgets, st.integers(1, 60))
@settings(max_examples=60)
def test_pages_fit_and_are_the_list_item_for_item(items: list[Any], budget: int, limit: int) -> None:
    story = Story()
    pages = story.walk(story("paginate", items, budget=budget, limit=limit), "paginate")
    for page in pages:
        check(page)
        assert page["meta"]["totalCount"] == len(items)
        assert 0 < page["meta"]["pageSize"] <= limit
        assert ("nextCursor" in page) == page["meta"].get("hasMore", False)
    assert sum(page["meta"]["pageSize"] for page in pages) == len(items)
    if all("omitted" not in page["meta"] for page in pages):
        assert [item for page in pages for item in page["items"]] == items


@given(json_values, budgets, st.sampled_from(["compact", "paginate", "chunk"]))
@settings(max_examples=150)
def test_every_answer_fits_and_leads_to_every_byte(value: Any, budget: int, endpoint: str) -> None:
    story, data = Story(), dump({"some": value, "more": [value, value]})
    answer = story(endpoint, data, budget=budget)
    check(answer)
    assert answer["meta"]["complete"] or cursors(answer)
    if answer["meta"]["complete"] and endpoint == "compact" and answer["meta"]["format"] == "json":
        assert answer["data"] == json.loads(data)
    for cursor in cursors(answer):
        assert story.rebuilt(cursor) == data


@given(st.lists(text, min_size=1, max_size=60).map("\n".join), budgets, st.sampled_from(["compact", "chunk"]))
@settings(max_examples=100)
def test_every_text_fits_and_can_be_read_whole(value: str, budget: int, endpoint: str) -> None:
    story = Story()
    answer = story(endpoint, value, budget=budget)
    check(answer)
    if answer["meta"]["complete"] and answer["meta"]["format"] == "text":
        assert answer.get("data", answer.get("text")) == value
    else:
        assert answer["meta"]["complete"] or cursors(answer)
    for cursor in cursors(answer):
        assert story.rebuilt(cursor) == value.encode()


@given(json_values, budgets)
@settings(max_examples=60)
def test_the_same_question_has_the_same_answer(value: Any, budget: int) -> None:
    answers = [Story()("compact", [value] * 5, budget=budget) for _ in range(2)]
    for answer in answers:
        answer["meta"].pop("detailsAvailable", None)
        answer["meta"].pop("expiresAt", None)
    assert answers[0] == answers[1]


def test_a_cursor_gives_the_same_page_twice() -> None:
    story = Story()
    first = story("paginate", properties(500))
    twice = [story("paginate", cursor=first["nextCursor"]) for _ in range(2)]
    assert twice[0]["items"] == twice[1]["items"]
    assert twice[0]["items"][0] == properties(500)[first["meta"]["pageSize"]]


@pytest.mark.parametrize(
    ("count", "limit", "sizes"),
    [(100, 10, [10] * 10), (150, 50, [50, 50, 50]), (25, 50, [25]), (0, 50, [0]), (51, 50, [50, 1])],
)
def test_pages_end_where_the_list_ends(count: int, limit: int, sizes: list[int]) -> None:
    story, items = Story(), [{"id": i} for i in range(count)]
    pages = story.walk(story("paginate", items, limit=limit), "paginate")
    assert [page["meta"]["pageSize"] for page in pages] == sizes
    assert all(page["meta"]["totalCount"] == count for page in pages)
    assert "nextCursor" not in pages[-1]


def test_a_small_list_comes_whole_without_page_numbers() -> None:
    answer = Story()("paginate", properties(10))
    assert answer["meta"]["kind"] == "full"
    assert answer["meta"]["complete"] is True
    assert answer["meta"]["totalCount"] == 10
    assert "nextCursor" not in answer
    assert "hasMore" not in answer["meta"]


def test_an_item_over_the_budget_is_previewed_in_its_place() -> None:
    items = [{"id": 1}, {"id": 2, "text": "A long story. " * 9000}, {"id": 3}]
    story = Story()
    pages = story.walk(story("paginate", items), "paginate")
    assert [page["meta"]["pageSize"] for page in pages] == [1, 1, 1]
    large = pages[1]["meta"]
    assert large["omitted"]
    assert large["detailsAvailable"]["parameters"]["path"] == "1"
    opened = story("compact", **large["detailsAvailable"]["parameters"])
    chunks = story.walk(opened, "chunk")
    assert json.loads("".join(chunk["text"] for chunk in chunks)) == items[1]


@pytest.mark.parametrize("limit", [201, 1000])
def test_a_limit_over_the_maximum_names_the_maximum(limit: int) -> None:
    with pytest.raises(LimitExceedsMaximum, match="limit exceeds maximum of 200"):
        Story()("paginate", properties(5), limit=limit)


def test_the_maximum_is_the_policys() -> None:
    with pytest.raises(LimitExceedsMaximum, match="limit exceeds maximum of 20"):
        Story(Policy(max_page_size=20, default_page_size=10))("paginate", properties(5), limit=21)


def test_an_offset_beyond_the_end_is_refused() -> None:
    with pytest.raises(RangeInvalid, match="the list has 5 items"):
        Story()("paginate", properties(5), offset=5)
    assert Story()("paginate", [], offset=0)["items"] == []


def test_the_first_page_shows_what_stands_around_the_list() -> None:
    story = Story()
    first = story("paginate", {"total_count": 500, "columns": ["id"], "rows": properties(500)})
    assert first["around"] == {"total_count": 500, "columns": ["id"], "rows": "… array of 500 items"}
    assert first["meta"]["path"] == "rows"
    second = story("paginate", cursor=first["nextCursor"])
    assert "around" not in second


def test_a_search_yields_the_items_with_every_word() -> None:
    story = Story()
    answer = story("paginate", properties(500), find="rome villa", limit=5)
    assert answer["meta"]["kind"] == "hits"
    assert answer["meta"]["totalHits"] == 100
    assert answer["meta"]["hits"] == [0, 5, 10, 15, 20]
    following = story("paginate", cursor=answer["nextCursor"])
    assert following["meta"]["hits"][0] == 25
    none = story("paginate", properties(5), find="nowhere")
    assert none["meta"]["totalHits"] == 0
    assert none["items"] == []


def test_ten_thousand_short_lines_come_two_hundred_at_a_time() -> None:
    story = Story()
    first = story("chunk", log_lines(10_000), tokenizer="chars4")
    assert (first["meta"]["startLine"], first["meta"]["endLine"]) == (1, 200)
    assert first["meta"]["totalLines"] == 10_000
    assert first["meta"]["totalChunks"] == 50


def test_a_range_is_the_lines_asked_for() -> None:
    story, lines = Story(), log_lines(10_000)
    answer = story("chunk", lines, startLine=100, endLine=200)
    assert answer["text"] == "".join(lines.splitlines(keepends=True)[99:200])
    cursor = cursors(answer)[0]
    again = story("chunk", cursor=cursor, startLine=9_999, endLine=10_000)
    assert again["text"].splitlines() == lines.splitlines()[-2:]
    for first, last in ((0, 3), (5, 3), (1, 10_001), (10_001, 10_002)):
        with pytest.raises((RangeInvalid, Refusal, ValueError)):
            story("chunk", lines, startLine=first, endLine=last)


def test_a_search_in_a_text_shows_lines_with_their_numbers() -> None:
    story = Story()
    answer = story("chunk", log_lines(1000), find="step 77")
    assert answer["meta"]["kind"] == "hits"
    assert answer["meta"]["hits"][0] == 78
    assert "78: " in answer["text"]
    hits = [hit for part in story.walk(answer, "chunk") for hit in part["meta"]["hits"]]
    assert len(hits) == answer["meta"]["totalHits"]


def test_a_preview_opens_whole_by_part_and_by_field() -> None:
    story, value = Story(), {"report": {"currency": "USD", "rows": properties(200)}, "note": "short"}
    preview = story("compact", value, budget=500)
    cursor = preview["meta"]["detailsAvailable"]["parameters"]["cursor"]
    assert story("compact", cursor=cursor, path="note", fields="all")["data"] == "short"
    assert story("compact", cursor=cursor, fields=["report.currency"])["data"] == {"report": {"currency": "USD"}}
    rows = story("compact", cursor=cursor, path="report.rows", fields="all")
    assert rows["meta"]["kind"] == "page"
    pages = story.walk(rows, "paginate")
    assert [item for page in pages for item in page["items"]] == value["report"]["rows"]  # type: ignore[index]  # a literal
    whole = story.walk(story("compact", **preview["meta"]["detailsAvailable"]["parameters"]), "chunk")
    assert json.loads("".join(part["text"] for part in whole)) == value


def test_more_goes_on_with_any_cursor() -> None:
    story = Story()
    page = story("paginate", properties(500))
    assert story("more", cursor=page["nextCursor"])["items"][0] == properties(500)[page["meta"]["pageSize"]]
    assert story("more", cursor=page["nextCursor"], startLine=1, endLine=1)["meta"]["kind"] in ("chunk", "full")
    assert story("more", cursor=page["nextCursor"], find="villa rome")["meta"]["kind"] == "hits"
    assert story("more", cursor=page["nextCursor"], path="3.name")["data"] == properties(4)[3]["name"]


def test_another_tenant_cannot_open_a_cursor() -> None:
    story = Story()
    cursor = story("paginate", properties(500))["nextCursor"]
    story.tenant = "somebody else"
    with pytest.raises(CursorInvalid):
        story("paginate", cursor=cursor)


@given(json_lists)
@settings(max_examples=30)
def test_off_shadow_and_unbounded_leave_the_payload_alone(items: list[Any]) -> None:
    for policy in (Policy(mode="off"), Policy(unbounded=True), Policy(mode="shadow")):
        answer = Story(policy)("compact", {"items": items}, budget=64)
        assert answer["data"] == {"items": items}
        assert answer["meta"]["notes"]
    assert "wouldBeTokens" in answer["meta"]["shadow"]


def test_a_canary_treats_about_its_share_and_always_the_same() -> None:
    story = Story(Policy(mode="ab", percent=50, output_token_threshold=64))
    payloads = [{"n": n, "rows": properties(3)} for n in range(200)]
    treated = [story("compact", payload)["meta"]["kind"] == "preview" for payload in payloads]
    assert treated == [story("compact", payload)["meta"]["kind"] == "preview" for payload in payloads]
    assert 70 <= sum(treated) <= 130


def test_a_walk_goes_on_where_it_began_and_a_previews_details_keep_its_budget() -> None:
    story, items = Story(), properties(60)
    cursor = story("compact", items, budget=600)["meta"]["detailsAvailable"]["parameters"]["cursor"]
    page = story("compact", cursor=cursor)
    assert (page["meta"]["kind"], page["meta"]["budget"]) == ("page", 600)
    found = page["items"]
    while "nextCursor" in page:
        page = story("compact", cursor=page["nextCursor"])
        found += page["items"]
    assert found == items


@pytest.mark.parametrize("options", [{"offset": 1, "startLine": 1}, {"query": "a", "limit": 3}])
def test_more_refuses_options_that_do_not_go_together(options: dict[str, Any]) -> None:
    story = Story()
    cursor = story("paginate", properties(60))["nextCursor"]
    with pytest.raises(RequestInvalid, match="do not go together"):
        story("more", cursor=cursor, **options)


@pytest.mark.parametrize("policy", [Policy(mode="off"), Policy(mode="shadow"), Policy(unbounded=True)])
def test_a_lifted_answer_says_all_that_a_full_one_says(policy: Policy) -> None:
    story, items = Story(policy), properties(200)
    page, chunk = story("paginate", items)["meta"], story("chunk", items)["meta"]
    assert (page["totalCount"], page["pageSize"]) == (200, 200)
    assert (chunk["totalLines"], chunk["totalChunks"], chunk["boundary"]) == (1, 1, "end")
    assert all(("shadow" in meta) == (policy.mode == "shadow") for meta in (page, chunk))
    assert all("expiresAt" not in meta for meta in (page, chunk))


def test_the_longest_path_leaves_meta_under_two_kilobytes() -> None:
    answer = Story()("paginate", {"a" * 1000: {"b" * 1000: [{"c": "word " * 900} for _ in range(9)]}}, budget=100)
    check(answer)
    assert len(json.dumps(answer["meta"], ensure_ascii=False, separators=(",", ":")).encode()) < 2048
    assert answer["meta"]["detailsAvailable"]["endpoint"] == "/compact"


def test_without_room_in_the_store_an_answer_says_how_to_ask_for_less() -> None:
    story = Story()
    story.deps = replace(story.deps, snapshots=Snapshots(story.store, KeyRing.from_settings(), quota=100))
    meta = story("paginate", properties(200))["meta"]
    assert meta["degraded"] == "unsaved"
    assert "Narrow the question" in meta["notes"][0]


def test_a_search_within_a_range_finds_in_the_range_only() -> None:
    lines = "".join(f"line {number}\n" for number in range(1, 101))
    assert Story()("chunk", lines, find="8", startLine=7, endLine=20)["meta"]["hits"] == [8, 18]
    with pytest.raises(RangeInvalid):
        Story()("chunk", lines, find="8", startLine=101)


def test_what_stands_around_a_list_always_shows_its_place() -> None:
    around = {
        "a": {"x": "A long story. " * 2000, "z": [1, 2, 3]},
        "b": {f"k{i}": i for i in range(3000)},
        "s": "word " * 900,
    }
    answer = Story()("paginate", {**around, "rows": properties(600)}, budget=400, path="rows")
    check(answer)
    assert answer["around"]["rows"] == "… array of 600 items"
