"""Outlines: the upper levels first."""

from service.core.text import text_block
from service.core.text.outline import is_outline

TREE = "root\n" + "".join(
    f"  part{i}\n" + "".join(f"    piece{k}{' UNMET' if (i, k) == (7, 4) else ''}\n" for k in range(9))
    for i in range(9)
)


def test_the_upper_level_and_what_is_wrong_before_the_rest() -> None:
    assert is_outline(TREE.split("\n"))
    block = text_block(TREE, "prose")
    level = block.best
    while (shown := block.show(level)).kept < 12:
        level *= 0.95
    assert all(f"part{i}" in shown.text for i in range(9))
    assert "UNMET" in shown.text


def test_no_outline() -> None:
    assert not is_outline(["A paragraph of words.", "  More of it here,", "  and it goes on", "", "  Then it ends."])
    assert not is_outline(["a", "b", "c", "d", "e"])
