"""Trees of small objects as lines."""

from typing import Any

from hypothesis import given, settings, strategies as st

from schemas.policy import Policy
from service.core import values
from service.core.branches import branch_lines
from service.core.payload import Payload, Wish
from service.core.pipeline import compact
from service.core.plan import compile_plan

PLAN = compile_plan("default", Policy())
NAMES = st.text("abc.…\n", max_size=8)
TREES = st.recursive(
    st.fixed_dictionaries({"name": NAMES}),
    lambda inner: st.fixed_dictionaries({"name": NAMES, "children": st.lists(inner, max_size=5)}),
    max_leaves=40,
)


def folder(name: str, depth: int) -> dict[str, Any]:
    if not depth:
        return {"name": f"{name}.py", "type": "file", "size": 120}
    return {"name": name, "type": "directory", "children": [folder(f"{name}{at}", depth - 1) for at in range(4)]}


def test_folders_become_lines() -> None:
    lines = branch_lines([folder("src", 3), folder("docs", 2)])
    assert lines is not None
    assert lines[:4] == ["src directory", "  src0 directory", "    src00 directory", "      src000.py file size=120"]
    assert len(lines) == (1 + 4 + 16 + 64) + (1 + 4 + 16)


def test_what_holds_more_than_its_like_is_no_tree() -> None:
    tree = folder("src", 3)
    tree["children"][0]["tags"] = ["a", "b"]
    assert branch_lines([tree]) is None
    assert branch_lines([{"name": "a", "children": [{"name": "b"}]}] * 20) is None


def test_the_upper_levels_of_a_tree_come_first() -> None:
    told = compact(Payload(values.encode([folder("src", 5)]), "json"), PLAN, Wish(300, 2400)).body.decode()
    assert all(f"src{at} directory" in told for at in range(4))
    assert "more lines" in told


@given(st.lists(TREES, min_size=1, max_size=6))
@settings(max_examples=60, deadline=None)
def test_any_tree_fits_and_adds_up(trees: list[dict[str, Any]]) -> None:
    made = compact(Payload(values.encode(trees), "json"), PLAN, Wish(64, 512))
    assert made.tokens <= 64
    assert not made.fallback_reason or "must_keep" not in made.fallback_reason
