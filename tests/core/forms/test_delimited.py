"""CSV and TSV."""

import csv
import io

import pytest
from hypothesis import given, settings, strategies as st

from service.core.forms.delimited import looks_csv, read_csv, read_named, read_tsv
from service.core.forms.sample import sample
from service.core.read import read

CELLS = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), min_size=1, max_size=10)


@given(st.lists(st.lists(CELLS.map(str.strip).filter(bool), min_size=3, max_size=3), min_size=2, max_size=6))
@settings(max_examples=100)
def test_cells_come_back_as_they_were_written(rows: list[list[str]]) -> None:
    out = io.StringIO()
    csv.writer(out, quoting=csv.QUOTE_ALL).writerows([["alpha", "beta", "gamma"], *rows])
    found = read_named(out.getvalue(), "csv")
    assert found is not None
    if found.value[0].keys() == {"alpha", "beta", "gamma"} and len(found.value) == len(rows):
        cells = [[str(getattr(cell, "text", cell)) for cell in item.values()] for item in found.value]
        assert cells == rows


def test_numbers_only_where_the_spelling_survives() -> None:
    found = read_csv("id,zip,price\n1,00501,1.50\n2,10001,2.00\n3,90210,.5\n")
    assert found is not None
    assert [item["zip"] for item in found.value] == ["00501", "10001", "90210"]
    assert found.value[0]["id"] == 1
    assert found.value[0]["price"] in ("1.50", 1.5)


def test_fields_comments_and_footers() -> None:
    found = read_tsv(
        "#separator \\x09\n#fields\tts\tuid\tport\n#types\ttime\tstring\tcount\n1.5\ta\t80\n2.5\tb\t81\n#close\tx\n"
    )
    assert found is not None
    assert [item["port"] for item in found.value] == [80, 81]
    assert found.value[0]["uid"] == "a"
    assert "#close" in found.after


@pytest.mark.parametrize(
    "text",
    [
        "one\ntwo\nthree\n",
        "Hello, world\nGoodbye, moon\nSo long, farewell\n",
        "foo(a, b);\nbar(c, d);\nbaz(e, f);\n",
        "2024-01-01 10:00:00,123 INFO a\n2024-01-01 10:00:01,124 INFO b\n2024-01-01 10:00:02,124 INFO c\n",
        '[{:id=>1, :name=>"a", :x=>2},\n {:id=>2, :name=>"b", :x=>2},\n {:id=>3, :name=>"c", :x=>2}]\n',
        'http{code="200",a="b"} 1\nhttp{code="404",a="b"} 2\nhttp{code="500",a="c"} 3\n',
        '    "a": 1,\n    "b": 2,\n    "c": 3,\n',
    ],
)
def test_never_a_plain_column_prose_code_or_log(text: str) -> None:
    assert not looks_csv(sample(text))


@pytest.mark.parametrize(("text", "kind"), [("id,name\n", "csv"), ("a\tb", "tsv"), ("id;name_of;zip\r\n", None)])
def test_a_header_alone_is_a_table_of_no_rows(text: str, kind: str | None) -> None:
    found = read(text.encode(), "text", kind)
    assert (found.value, found.structured, found.before) == ([], True, text.strip())


def test_a_time_and_a_number_are_columns_and_no_log() -> None:
    rows = "".join(f"2015/01/0{day} 0{hour}:00:00,{day * hour}\n" for day in range(1, 9) for hour in range(1, 9))
    assert looks_csv(sample("time,count\n" + rows))
    said = rows.replace("\n", " requests served so far\n")
    assert not looks_csv(sample(said))
