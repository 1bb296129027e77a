"""Where a written character may end."""

import pytest

from service.core.chunk.graphemes import breaks

WHOLE = [
    "e\u0301",
    "👍🏽",
    "👩\u200d👩\u200d👧\u200d👦",
    "🇩🇪",
    "❤\ufe0f",
    "1\ufe0f\u20e3",
    "각",
    "\u1112\u1161\u11ab",
    "하\u11ab",
    "क\u094dष",
    "กำ",
    "か\u3099",
    "\r\n",
    "🏴\U000e0067\U000e0062\U000e007f",
]


@pytest.mark.parametrize("character", WHOLE)
def test_a_written_character_is_never_cut(character: str) -> None:
    before, inside = b"x", character.encode()
    text = before + inside + b"x"
    assert [at for at in range(len(text) + 1) if breaks(text, at)] == [0, 1, 1 + len(inside), len(text)]


def test_neighbours_are_parted() -> None:
    for text in ("ab", "漢字", "🇩🇪🇫🇷", "👍👍", "a\n\u0301", "ไท"):
        data = text.encode()
        middle = next(at for at in (len(text[:n].encode()) for n in (1, 2)) if breaks(data, at))
        assert 0 < middle < len(data)
    flags = "🇩🇪🇫🇷".encode()
    assert [at for at in range(0, 17, 4) if breaks(flags, at)] == [0, 8, 16]
