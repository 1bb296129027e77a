"""YAML as tools print it."""

import pytest
import yaml
from hypothesis import given, settings, strategies as st

from service.core.forms.yamls import read_yaml
from service.core.kinds import climb

WORDS = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), max_size=12)
MAPS = st.dictionaries(
    WORDS,
    st.recursive(
        st.none() | st.booleans() | st.integers() | WORDS,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
        max_leaves=10,
    ),
    min_size=1,
    max_size=4,
)


@given(MAPS, st.booleans())
@settings(max_examples=200)
def test_what_safe_dump_writes_is_read_back(value: dict[str, object], flow: bool) -> None:
    found = read_yaml(yaml.safe_dump(value, allow_unicode=True, default_flow_style=flow))
    assert found is not None
    assert found.value == value


def test_dates_and_words_stay_what_they_look_like() -> None:
    found = read_yaml("on: 2024-01-02\nat: 12:30:00\nanswer: no\nport: 0x1F\nn: 012\n")
    assert found is not None
    assert found.value == {"on": "2024-01-02", "at": "12:30:00", "answer": "no", "port": "0x1F", "n": "012"}


@pytest.mark.parametrize("text", ["a: 1\na: 2\n", "- one\n- two\n", "a: [1\nb: 2\n", "{" * 600])
def test_declined(text: str) -> None:
    assert read_yaml(text) is None


def test_anchors_and_aliases_are_named_and_scalars_repeated() -> None:
    text = "base: &base\n  adapter: pg\n  host: &h localhost\ndev: &own\n  <<: *base\n  peer: *h\n"
    found = read_yaml(text)
    assert found is not None
    assert found.value == {
        "base": {"adapter": "pg", "host": "localhost"},
        "dev": {"&": "own", "<<": "*base", "peer": "localhost"},
    }


def test_comments_before_the_first_key_hide_no_yaml() -> None:
    found = climb("# made by a tool\n# do not edit\nkind: Pod\nitems:\n- name: p0\n  status: ok  # fine\n- name: p1\n")
    assert found.value == {"kind": "Pod", "items": [{"name": "p0", "status": "ok"}, {"name": "p1"}]}
    assert not climb("# Title\n- a: b\n- c: d\n").structured
