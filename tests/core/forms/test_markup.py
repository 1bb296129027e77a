"""HTML and XML."""

from hypothesis import given, settings, strategies as st

from service.core.forms.markup import read_html
from service.core.forms.xmls import read_xml


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
