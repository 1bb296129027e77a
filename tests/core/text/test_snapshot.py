"""Snapshots of a page."""

from service.core.read.ladder import read_text
from service.core.text import text_block
from service.core.text.snapshot import is_snapshot, spans

PAGE = """- generic [active] [ref=e1]:
  - banner [ref=e2]:
    - link "Skip to content" [ref=e3] [cursor=pointer]:
      - /url: "#main"
  - main [ref=e10]:
    - heading "Sign in" [level=1] [ref=e11]
    - alert [ref=e12]: Wrong password. 2 attempts left.
    - textbox "Email" [ref=e13]: ada@example.org
    - checkbox "Remember me" [checked] [ref=e15]
    - button "Sign in" [ref=e16]
    - generic [ref=e17]:
      - generic [ref=e18]:
        - img [ref=e19]
"""


def test_what_can_be_acted_on_and_what_is_wrong_comes_before_the_boxes() -> None:
    lines = PAGE.splitlines()
    assert is_snapshot(lines)
    best = sorted(spans(lines), key=lambda span: -span.weight)[:6]
    assert {lines[span.first].split("[ref=")[1].split("]")[0] for span in best} == {
        "e3",
        "e11",
        "e12",
        "e13",
        "e15",
        "e16",
    }


def test_the_address_of_the_page_stands_above_it() -> None:
    told = f"- Page URL: https://a.example/\n- Page Snapshot:\n```yaml\n{PAGE}```\n"
    reading = read_text(told)
    assert (reading.kind, reading.structured) == ("markdown", False)
    assert "https://a.example/" in reading.before


def test_the_same_button_a_hundred_times_is_worth_less() -> None:
    lines = ['- button "Buy" [ref=e1]'] * 100 + ['- button "Pay" [ref=e2]']
    found = spans(lines)
    assert found[-1].weight > 5 * found[99].weight


def test_lists_in_markdown_are_none() -> None:
    assert not is_snapshot([f"- item {at}: a thing to do" for at in range(40)])


def test_a_large_page_is_shown_by_its_parts() -> None:
    page = "\n".join(f"{PAGE.replace('Sign in', f'Sign in {at}')}" for at in range(60))
    shown = text_block(page, "markdown").show(0.4)
    assert not shown.complete
    assert "generic" not in shown.text
    assert 'heading "Sign in 0"' in shown.text
