"""Invented results are read as what they are."""

import pytest

from service.core.read import read
from tests.core.forms.cases import CASES


@pytest.mark.parametrize("name", CASES)
def test_kind_and_structure(name: str) -> None:
    kind, structured, text = CASES[name]
    found = read(text.encode(), "text", None)
    assert (found.kind, found.structured) == (kind, structured)


@pytest.mark.parametrize("name", CASES)
def test_the_same_below_a_line_of_prose_and_in_a_fence(name: str) -> None:
    kind, structured, text = CASES[name]
    bare = read(text.encode(), "text", None)
    announced = read(f"Here is the result of the call:\n{text}".encode(), "text", None)
    assert (announced.kind, announced.structured) == (kind, structured)
    assert not structured or announced.value == bare.value
    if "```" not in text:
        fenced = read(f"```\n{text}\n```\n".encode(), "text", None)
        assert (fenced.kind, fenced.structured) == (kind, structured)
        assert not structured or fenced.value == bare.value
