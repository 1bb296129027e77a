"""HTML and XML."""

from hypothesis import given, settings, strategies as st

from service.core.forms.markup import read_html
from service.core.forms.xmls import read_xml
from service.core.kinds import recognise


def test_words_links_lists_and_tables_stay_and_scripts_go() -> None:
    page = (
        "<html><head><style>p{}</style><script>var x = '<p>no</p>';</script></head><body><h1>Head</h1><!-- c -->"
        "<p>Some <b>bo</b>ld &amp; <a href='http://x'>link</a></p><ul><li>one</li><li>two</li></ul>"
        "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table></body></html>"
    )
    found = read_html(page)
    assert found is not None
    assert found.value.split("\n") == ["# Head", "Some bold & link", "- one", "- two", "a | b", "1 | 2"]
    assert found.notes


def test_elements_become_values() -> None:
    found = read_xml('<a><item id="1"><n>x</n></item><item id="2"><n>1.50</n></item><empty/></a>')
    assert found is not None
    assert found.value == {"a": {"item": [{"id": 1, "n": "x"}, {"id": 2, "n": 1.5}], "empty": ""}}


def test_entities_and_mixed_content_are_refused() -> None:
    bomb = '<!DOCTYPE l [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><l>&b;</l>'
    assert read_xml(bomb) is None
    assert read_xml("<p>some <b>bold</b> text</p>") is None
    assert read_xml("<a>" * 5000 + "</a>" * 5000) is None


@given(st.text("<>/abp '\"=!-&;\n", max_size=200))
@settings(max_examples=200)
def test_any_text_is_reduced_without_an_error(text: str) -> None:
    read_html(text)
    read_xml(text)


def value_of(page: str) -> list[str]:
    found = read_html(page)
    assert found is not None
    return str(found.value).split("\n")


def test_preformatted_text_and_descriptions_keep_their_lines() -> None:
    page = (
        "<!DOCTYPE html><html><body><pre>\nSELECT <b>a</b>,\n       b\nFROM t</pre><dl><dt>-x</dt><dd><p>Exit.</p></dd>"
        "</dl><ul><li><p>one</p></li><li>two<ul><li>inner</li></ul></li></ul></body></html>"
    )
    lines = ["SELECT a,", "       b", "FROM t", "-x", "  Exit.", "- one", "- two", "  - inner"]
    assert value_of(page) == lines


def test_paragraphs_in_a_short_cell_stay_on_its_line() -> None:
    page = "<html><body><table><tr><td><p>a</p></td><td><p>b</p><p>c</p></td></tr></table></body></html>"
    assert [" ".join(line.split()) for line in value_of(page)] == ["a | b c"]


def test_navigation_is_left_out_and_counted() -> None:
    page = f"<html><body><nav><a>Home</a> <a>About</a></nav><p>{'Words. ' * 20}</p></body></html>"
    found = read_html(page)
    assert found is not None
    assert "Home" not in found.value
    assert "characters of navigation" in found.notes[0]
    assert value_of("<html><body><nav><a>Home</a></nav><p>Hi</p></body></html>") == ["Home", "Hi"]


def test_markdown_that_begins_with_tags_stays_markdown() -> None:
    readme = (
        '<h1 align="center">\n <img src="x.png" alt="Logo">\n</h1>\n\n<p><b>Fast</b> <a href="y">it</a></p>\n\n# Use\n'
    )
    assert recognise(readme + "\n```\npip install x\n```\n\n- one\n- two\n") == "markdown"
