"""Find: every word, any case, any order, never a regex."""

from hypothesis import given, strategies as st

from service.core.find import find_items, find_lines, render
from service.core.lines import line_starts

LOG = b"""2024-05-01 10:00:00 INFO started
2024-05-01 10:00:01 ERROR payment failed for order 17
Traceback (most recent call last):
  File "pay.py", line 3, in charge
ValueError: card refused
2024-05-01 10:00:02 INFO retry
2024-05-01 10:00:03 INFO failed payment closed
"""


def whole(text: str) -> bool:
    return True


def test_lines_with_every_word_in_any_order_the_whole_phrase_first() -> None:
    assert [hit.line for hit in find_lines(LOG, "failed payment")] == [7, 2]
    assert [hit.line for hit in find_lines(LOG, "PAYMENT  Failed")] == [2, 7]
    assert find_lines(LOG, "payment nowhere") == []
    assert find_lines(LOG, "  ") == []


def test_plain_text_is_never_a_regex() -> None:
    assert find_lines(b"a.c\nabc\n(a|b)\n", "a.c")[0].line == 1
    assert [hit.line for hit in find_lines(b"a.c\nabc\n(a|b)\n", "(a|b)")] == [3]


def test_a_hit_is_shown_with_its_whole_entry_and_two_lines_on_either_side() -> None:
    (hit,) = find_lines(LOG, "card refused", "log")
    assert (hit.entry, hit.first) == ((2, 5), 2)
    shown = render(LOG[hit.start : hit.end], hit, whole)
    assert shown.splitlines()[0] == "2- 2024-05-01 10:00:01 ERROR payment failed for order 17"
    assert "5: ValueError: card refused" in shown.splitlines()
    assert shown.splitlines()[-1] == "7- 2024-05-01 10:00:03 INFO failed payment closed"


def test_a_hit_shrinks_to_its_line_when_no_more_fits() -> None:
    (hit,) = find_lines(LOG, "card refused", "log")
    window = LOG[hit.start : hit.end]
    assert render(window, hit, lambda text: text.count("\n") < 4).count("\n") == 3
    assert render(window, hit, lambda text: False) == "5: ValueError: card refused"


def test_items_are_matched_with_their_escapes_resolved() -> None:
    items = [
        rb'{"name":"caf\u00e9"}',
        '{"name":"CAFÉ"}'.encode(),
        rb'{"p":"C:\\temp"}',
        rb'{"e":"\ud83d\ude00 ok"}',
        b"1",
    ]
    assert find_items(items, "café") == [0, 1]
    assert find_items(items, r"c:\temp") == [2]
    assert find_items(items, "ok 😀") == [3]
    assert find_items(items, "😀 ok") == [3]
    assert find_items(items, "") == []


words = st.lists(st.sampled_from(["Ab", "ß", "İ", "x", "é"]), min_size=1, max_size=3)
lines = st.lists(
    st.lists(st.sampled_from(["Ab", "aB", "ß", "SS", "İ", "x", " ", "É", "\x0b"]), max_size=6).map("".join)
)


@given(lines, words, st.sampled_from(["\n", "\r\n", "\r"]), st.sampled_from(["log", "prose"]))
def test_found_are_exactly_the_lines_with_every_word(texts: list[str], wanted: list[str], end: str, kind: str) -> None:
    data = (end.join(texts) + end).encode()
    hits = find_lines(data, " ".join(wanted), kind)
    expected = [n for n, text in enumerate(texts, 1) if all(w.casefold() in text.casefold() for w in wanted)]
    assert sorted(hit.line for hit in hits) == expected
    starts = line_starts(data)
    for hit in hits:
        assert hit.start == starts[hit.first - 1]
        assert hit.start <= starts[hit.line - 1] < hit.end
        line = render(data[hit.start : hit.end], hit, lambda text: False)
        assert line == f"{hit.line}: {texts[hit.line - 1]}"
