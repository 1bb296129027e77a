"""Where columns are cut: whatever was padded comes back."""

import pytest
from hypothesis import given, settings, strategies as st

from service.core.forms.cuts import cut
from service.core.read import read

WORD = st.text("abcdefgh0123456789/.:-", min_size=1, max_size=9)
NAME = st.text("ABCDEFGH%", min_size=1, max_size=9)


@st.composite
def padded(draw: st.DrawFn) -> tuple[list[str], list[list[str]], str, list[str]]:
    """Names, rows, and both as lines, each column set to its left or its right."""
    names = draw(st.lists(NAME, min_size=3, max_size=6, unique=True))
    rows = draw(st.lists(st.lists(WORD, min_size=len(names), max_size=len(names)), min_size=2, max_size=8))
    right = draw(st.lists(st.booleans(), min_size=len(names), max_size=len(names)))
    widths = [max(map(len, column)) for column in zip(names, *rows, strict=True)]
    lines = [
        "  ".join(
            cell.rjust(width) if at_end else cell.ljust(width)
            for cell, width, at_end in zip(row, widths, right, strict=True)
        ).rstrip()
        for row in (names, *rows)
    ]
    return names, rows, lines[0], lines[1:]


@given(padded())
@settings(max_examples=200)
def test_padded_words_come_back(table: tuple[list[str], list[list[str]], str, list[str]]) -> None:
    names, rows, header, lines = table
    assert cut(header, lines) == (names, rows)


@given(st.lists(st.text(max_size=60), max_size=8), st.text(max_size=60), st.text(max_size=60))
@settings(max_examples=200)
def test_any_lines_are_cut_or_declined(rows: list[str], header: str, rule: str) -> None:
    found = cut(header, [row for row in rows if row.strip()] or ["x"], rule)
    assert found is None or all(len(row) == len(found[0]) for row in found[1])


def test_one_word_each_though_long_cells_push_the_next_ones_aside() -> None:
    header = " r  b   swpd   free   buff  cache   si   so"
    rows = [" 3  0      0 22750768 305160 1209276    0    0", " 8  0      0 2275 30516 120927    0    7"]
    found = cut(header, rows)
    assert found is not None
    assert found[0] == header.split()
    assert found[1][0] == rows[0].split()


def test_empty_cells_and_names_of_two_words() -> None:
    header = "Proto Recv-Q Send-Q Local Address           State       PID/Program name"
    rows = [
        "tcp        0      0 0.0.0.0:22              LISTEN      1215/sshd: x",
        "udp        0      0 0.0.0.0:68                          1029/dhclient",
    ]
    found = cut(header, rows)
    assert found is not None
    assert found[0] == ["Proto", "Recv-Q", "Send-Q", "Local Address", "State", "PID/Program name"]
    assert [row[4:] for row in found[1]] == [["LISTEN", "1215/sshd: x"], ["", "1029/dhclient"]]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (
            "Desired=Unknown/Install\n| Status=Not/Inst\n|/ Err?=(none)\n||/ Name  Version Description\n"
            "+++-=====-=======-===========\nii  bash  5.2     a shell\nrc  git   2.39    a tool of Linus\n",
            ["||/", "Name", "Version", "Description"],
        ),
        (
            "Data columns (total 2):\n #   Column  Non-Null Count  Dtype \n---  ------  --------------  ----- \n"
            " 0   id      80 non-null     int64 \n 1   name    79 non-null     object\n",
            ["#", "Column", "Non-Null Count", "Dtype"],
        ),
        (
            "top - 15:03:00 up  3:02\nTasks:  2 total,   1 running\n\n  PID USER  %CPU COMMAND\n"
            "16034 root 100.0 tar x\n    1 root   0.0 init\n",
            ["PID", "USER", "%CPU", "COMMAND"],
        ),
    ],
)
def test_names_below_a_banner(text: str, names: list[str]) -> None:
    found = read(text.encode(), "text", None)
    assert found.kind == "tsv"
    assert list(found.value[0]) == names
    assert found.before.startswith(text[:10])
