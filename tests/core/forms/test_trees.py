"""Trees in plain indentation."""

from hypothesis import given, settings, strategies as st

from service.core.forms.trees import read_tree
from service.core.read import leaf, read
from service.core.read.embedded import Text

NPM = """app@1.0.0 /app
├── a@1.0.0
├─┬ b@2.0.0
│ ├── c@1.0.0 deduped
│ └─┬ d@1.0.0
│   └── e@1.0.0
└── f@3.0.0
"""
PLAIN = """app@1.0.0 /app
  a@1.0.0
  b@2.0.0
    c@1.0.0 deduped
    d@1.0.0
      e@1.0.0
  f@3.0.0
"""
GRADLE = """+--- a:1
|    +--- b:2
|    |    \\--- c:3 (*)
|    \\--- d:4
\\--- e:5
"""
NAMES = st.text("abc@.1", min_size=1, max_size=5)
TREES: st.SearchStrategy[tuple[str, list[object]]] = st.recursive(
    st.tuples(NAMES, st.just([])), lambda kids: st.tuples(NAMES, st.lists(kids, max_size=3)), max_leaves=9
)


def drawn(node: tuple[str, list[object]], lead: str = "", own: str = "") -> list[str]:
    """The lines `tree` prints for a name and what hangs below it."""
    name, kids = node
    lines = [own + name]
    for at, kid in enumerate(kids):
        last = at == len(kids) - 1
        assert isinstance(kid, tuple)
        lines += drawn(kid, lead + ("    " if last else "│   "), lead + ("└── " if last else "├── "))
    return lines


def nested(node: tuple[str, list[object]], level: int = 0) -> list[str]:
    """The same in two spaces a level."""
    name, kids = node
    lines = ["  " * level + name]
    for kid in kids:
        assert isinstance(kid, tuple)
        lines += nested(kid, level + 1)
    return lines


def test_npm_and_gradle() -> None:
    found = read(NPM.encode(), "text", None)
    assert (found.kind, found.structured, found.value) == ("prose", False, PLAIN)
    assert read(GRADLE.encode(), "text", None).value == "  a:1\n    b:2\n      c:3 (*)\n    d:4\n  e:5\n"


def test_a_tree_in_a_string() -> None:
    found = leaf(NPM * 3)
    assert isinstance(found, Text)
    assert found.text == PLAIN * 3


@given(TREES)
@settings(max_examples=100)
def test_levels_and_names_come_back(tree: tuple[str, list[object]]) -> None:
    assert read_tree("\n".join(drawn(tree))).value == "\n".join(nested(tree))


@given(st.text("├└│─┬ ab|+-`\\\n", max_size=80))
@settings(max_examples=200)
def test_lines_stay_lines_and_grow_no_longer_words(text: str) -> None:
    value = read_tree(text).value
    assert value.count("\n") == text.count("\n")
    assert [sign for sign in value if sign in "ab"] == [sign for sign in text if sign in "ab"]
