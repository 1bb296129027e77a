"""Texts in strings are read as they are on their own."""

import pytest

from service.core.read import leaf, read
from service.core.read.embedded import Embedded
from service.core.read.promises import promises
from tests.core.forms.cases import CASES


@pytest.mark.parametrize("name", [name for name, (_, structured, text) in CASES.items() if structured and "\n" in text])
def test_values_in_a_string(name: str) -> None:
    text = CASES[name][2]
    found, alone = leaf(text), read(text.encode(), "text", None).value
    assert isinstance(found, Embedded) or len(text) < 24 or not alone


@pytest.mark.parametrize(
    "text",
    [
        "I saw this today, and it was odd.\nThe page would not load for me at all.\nPlease look into it.\n",
        "# Title\n\nA paragraph of words that goes on for a while.\n\n---\n\nAnother one below the rule, as long.\n",
    ],
)
def test_letters_and_documents_promise_nothing(text: str) -> None:
    assert not promises(text)
