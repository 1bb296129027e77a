"""Rows of several kinds, each with a field of its own."""

from typing import Any

from schemas.policy import Policy
from service.core import values
from service.core.payload import Payload, Wish
from service.core.pipeline import compact
from service.core.plan import compile_plan
from service.core.rank.columns import columns
from service.core.rank.seen import seen
from service.core.rank.unions import said

PLAN = compile_plan("default", Policy())
KINDS = ("paragraph", "heading", "to_do")


def block(at: int) -> dict[str, Any]:
    kind = KINDS[at % 3]
    text = {"type": "text", "text": {"content": f"what block {at} says", "link": None}, "plain": f"b{at}"}
    return {"object": "block", "id": f"{at:08x}-1111-2222-3333-444455556666", "type": kind, kind: {"rich": [text]}}


def test_each_row_is_told_by_the_text_of_its_kind() -> None:
    found = [seen(one) for one in columns([block(at) for at in range(12)], True)]
    told = {i: found[which].column.place.name for i, which, _ in said(found, 12)}
    assert len(told) == 12
    assert told[0] == "paragraph.rich[0].text.content"
    assert told[1] == "heading.rich[0].text.content"


def test_a_page_of_blocks_can_be_read() -> None:
    told = compact(Payload(values.encode([block(at) for at in range(80)]), "json"), PLAN, Wish(900, 7200)).body.decode()
    assert told.count("says") > 20


def test_a_type_that_names_no_field_tells_nothing() -> None:
    rows = [{"type": "a" if at % 2 else "b", "data": {"text": f"what {at} says"}} for at in range(12)]
    assert said([seen(one) for one in columns(rows, True)], 12) == []
