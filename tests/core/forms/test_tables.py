"""Aligned and drawn tables, key-value blocks, records by line."""

import time

import pytest

from service.core.forms.aligned import read_aligned
from service.core.forms.pairs import read_pairs
from service.core.forms.piped import read_piped
from service.core.read import read

PS = """USER         PID %CPU TTY      STAT START   TIME COMMAND
root           1  0.0 ?        Ss   Jan01   1:02 /sbin/init splash
mysql       1234 12.5 ?        Sl   10:02  99:59 /usr/sbin/mysqld --daemonize
"""
DF = """Filesystem      Size  Used Avail Use% Mounted on
udev            7.8G     0  7.8G   0% /dev
/dev/nvme0n1p2  468G  350G   95G  79% /
"""
WIDE = """NAME    READY   RESTARTS       AGE   NOMINATED NODE
web-1   0/1     132 (2m ago)   11h   <none>
web-2   1/1     0              10d   <none>
"""


def test_ps_df_and_kubectl() -> None:
    ps, df, pods = read_aligned(PS), read_aligned(DF), read_aligned(WIDE)
    assert ps is not None
    assert df is not None
    assert pods is not None
    assert ps.value[1]["COMMAND"] == "/usr/sbin/mysqld --daemonize"
    assert (ps.value[1]["PID"], ps.value[1]["USER"]) == (1234, "mysql")
    assert df.value[1] == {
        "Filesystem": "/dev/nvme0n1p2",
        "Size": "468G",
        "Used": "350G",
        "Avail": "95G",
        "Use%": "79%",
        "Mounted on": "/",
    }
    assert [item["RESTARTS"] for item in pods.value] == ["132 (2m ago)", "0"]
    assert pods.value[0]["NOMINATED NODE"] == "<none>"


def test_paragraphs_are_no_table() -> None:
    assert read_aligned("This is a  paragraph of text\nwith several lines  which are\nwrapped at some  width\n") is None


@pytest.mark.parametrize(
    "text",
    [
        "| id | name |\n|----|------|\n| 1 | a |\n| 2 | b |\n",
        " id | name\n----+------\n  1 | a\n  2 | b\n(2 rows)\n",
        "+----+------+\n| id | name |\n+----+------+\n|  1 | a    |\n|  2 | b    |\n+----+------+\n",
        "┌────┬──────┐\n│ id │ name │\n├────┼──────┤\n│ 1  │ a    │\n│ 2  │ b    │\n└────┴──────┘\n",
    ],
)
def test_drawn_tables(text: str) -> None:
    found = read_piped(text)
    assert found is not None
    assert found.value == [{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]


@pytest.mark.parametrize(
    "text",
    [
        " id | note\n----+-------\n  1 | one  +\n    | two\n  2 | -\n(2 rows)\n",
        "┌────┬──────┐\n│ id │ note │\n├────┼──────┤\n│ 1  │ one  │\n│    │ two  │\n├────┼──────┤\n"
        "│ 2  │ -    │\n└────┴──────┘\n",
    ],
)
def test_cells_that_go_on_in_the_next_line(text: str) -> None:
    found = read(text.encode(), "text", None)
    assert found.value == [{"id": 1, "note": "one\ntwo"}, {"id": 2, "note": "-"}]


def test_a_header_of_two_lines_and_a_name_over_all_columns() -> None:
    polars = (
        "shape: (1, 2)\n┌─────┬─────┐\n│ id  ┆ n   │\n│ --- ┆ --- │\n│ i64 ┆ str │\n╞═════╪═════╡\n"
        "│ 1   ┆ a   │\n└─────┴─────┘\n"
    )
    rule = "+-----+------+\n"
    aws = f"-------------\n|  Instances |\n{rule}|  id |  n   |\n{rule}|  1  |  a   |\n{rule}"
    first, second = read(polars.encode(), "text", None), read(aws.encode(), "text", None)
    assert (first.before, first.value) == ("shape: (1, 2)", [{"id i64": 1, "n str": "a"}])
    assert (second.before, second.value) == ("Instances", [{"id": 1, "n": "a"}])


@pytest.mark.parametrize("sign", [" ", "|", "│", "-", "+", "─ ", "| -", "+-|"])
def test_a_megabyte_of_one_sign_is_read_in_time(sign: str) -> None:
    start = time.process_time()
    for text in (sign * (1_000_000 // len(sign)), (sign * 50 + "\n") * (20_000 // len(sign))):
        read(text.encode(), "text", None)
    assert time.process_time() - start < 2.0


def test_nested_blocks_sections_and_records() -> None:
    nested = read_pairs(
        "Name:  web\nState:  Waiting\n  Reason:  Crash: loop\nLabels:  a=b\n         c=d\nParts:\n  x:\n    y: 1\n"
    )
    assert nested is not None
    assert nested.value == {
        "Name": "web",
        "State": {"State": "Waiting", "Reason": "Crash: loop"},
        "Labels": "a=b\nc=d",
        "Parts": {"x": {"y": 1}},
    }
    ini = read_pairs("[a]\nx = 1\ny = z w\n[b]\nx = 2\n")
    assert ini is not None
    assert ini.value == {"a": {"x": 1, "y": "z w"}, "b": {"x": 2}}
    records = read_pairs("id: 1\nname: a: b\n\nid: 2\nname: c\n")
    assert records is not None
    assert records.value == [{"id": 1, "name": "a: b"}, {"id": 2, "name": "c"}]
