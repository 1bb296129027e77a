"""Snapshots of a page."""

from service.core.forms.snapshots import element, mostly_elements
from service.core.read.ladder import read_text
from service.core.text import text_block
from service.core.text.snapshot import spans

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
    assert mostly_elements(lines)
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
    assert not mostly_elements([f"- item {at}: a thing to do" for at in range(40)])


def test_a_large_page_is_shown_by_its_parts() -> None:
    page = "\n".join(f"{PAGE.replace('Sign in', f'Sign in {at}')}" for at in range(60))
    shown = text_block(page, "markdown").show(0.4)
    assert not shown.complete
    assert "generic" not in shown.text
    assert 'heading "Sign in 0"' in shown.text


def test_elements_are_known_as_several_browsers_write_them() -> None:
    for line in (
        '  - button "Pay now" [ref=e2]',
        '  uid=1_2 button "Pay now" focused',
        "\t[12] button 'Pay now', clickable",
    ):
        found = element(line)
        assert found is not None
        assert (found.role, found.name) == ("button", "Pay now")
    assert element("\tStaticText '$19.99'") == ("statictext", "$19.99", "")
    assert all(element(line) is None for line in ("a line of words", "[12] 404", "It's 'quoted' here", "uid=7"))


def test_a_numbered_page_is_read() -> None:
    items = (
        (f"[{at}] listitem ''", f"\t[{at + 1}] image ''", f"\t[{at + 2}] link 'Product {at}'", f"\tStaticText '${at}'")
        for at in range(0, 400, 4)
    )
    page = "\n".join(line for item in items for line in item)
    shown = text_block(page, read_text(page).kind).show(0.25)
    assert "listitem" not in shown.text
    assert "link 'Product 8'" in shown.text
