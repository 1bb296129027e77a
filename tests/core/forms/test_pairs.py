"""Pairs as tools print them: records in every notation, what goes on in the next line, what repeats."""

import time

import pytest
from hypothesis import given, settings, strategies as st

from service.core.forms.pairs import read_pairs
from service.core.read import read

KEYS = st.lists(st.text("abcdef", min_size=1, max_size=6), min_size=3, max_size=5, unique=True)
VALUE = st.text("ghijk 0", min_size=1, max_size=9).map(lambda text: f"x{text}".strip())


@st.composite
def records(draw: st.DrawFn) -> list[dict[str, str]]:
    """Two or more records of the same keys."""
    keys = draw(KEYS)
    rows = draw(st.lists(st.lists(VALUE, min_size=len(keys), max_size=len(keys)), min_size=2, max_size=5))
    return [dict(zip(keys, row, strict=True)) for row in rows]


def lines(record: dict[str, str], sign: str = ": ", lead: str = "") -> str:
    """A record, one pair a line."""
    return "".join(f"{lead}{key}{sign}{value}\n" for key, value in record.items())


WAYS = {
    "blank": lambda rows: "\n".join(map(lines, rows)),
    "rule": lambda rows: "---\n".join(map(lines, rows)),
    "none": lambda rows: "".join(map(lines, rows)),
    "numbered": lambda rows: "".join(f"{at}. " + lines(row, lead="   ")[3:] for at, row in enumerate(rows, 1)),
    "bullets": lambda rows: "".join("- " + lines(row, lead="  - ")[4:] for row in rows),
    "psql": lambda rows: "".join(f"-[ RECORD {at} ]---\n" + lines(row, " | ") for at, row in enumerate(rows, 1)),
    "mysql": lambda rows: "".join(f"*** {at}. row ***\n" + lines(row, lead="  ") for at, row in enumerate(rows, 1)),
}


@pytest.mark.parametrize("way", WAYS)
@given(rows=records())
@settings(max_examples=50)
def test_records_come_back(way: str, rows: list[dict[str, str]]) -> None:
    found = read_pairs(WAYS[way](rows))
    assert found is not None
    assert found.value == rows


def test_values_that_go_on_and_keys_that_repeat() -> None:
    found = read_pairs(
        "Name: bash\nDescription:\n A shell.\n .\n It is old: very.\nDomain: a\nDomain: b\nNote: one\nand two\n"
    )
    assert found is not None
    assert found.value == {
        "Name": "bash",
        "Description": "A shell.\n.\nIt is old: very.",
        "Domain": ["a", "b"],
        "Note": "one\nand two",
    }


def test_heads_without_a_colon_and_blocks_apart() -> None:
    memory = (
        "Handle 0x1, type 17\nMemory Device\n    Size: 16 GB\n    Type: RAM\n    Speed: 3\n    Rank: 2\n    Form: D\n"
    )
    found = read_pairs(f"{memory}\n{memory.replace('0x1', '0x2')}")
    assert found is not None
    assert [list(record) for record in found.value] == [
        ["Handle 0x1, type 17", "Memory Device"],
        ["Handle 0x2, type 17", "Memory Device"],
    ]
    assert found.value[1]["Memory Device"]["Size"] == "16 GB"


def test_redis_info_calendars_ldif_and_certificates() -> None:
    info = read(b"# Server\nredis_version:7.2\nos:Linux\n\n# Memory\nused_memory:12\nused_human:1K\n", "text", None)
    card = "BEGIN:VCARD\nFN:Ann\nEMAIL;TYPE=WORK:a@x\nNOTE:long\n one\nEND:VCARD\n"
    cards = read((card + card.replace("Ann", "Bob")).encode(), "text", None)
    ldif = read(
        b"# a, people\ndn: uid=a\nmail: a@x\njpeg:: AAAA\n\n# b, people\ndn: uid=b\nmail: b@x\njpeg:: AAAB\n",
        "text",
        None,
    )
    pem = read(
        b"Version: 3\nIssuer: CN = x\nSubject: CN = y\n-----BEGIN KEY-----\nAAAA\nBBBB\n-----END KEY-----\n",
        "text",
        None,
    )
    assert info.value == {
        "Server": {"redis_version": 7.2, "os": "Linux"},
        "Memory": {"used_memory": 12, "used_human": "1K"},
    }
    assert [row["FN"] for row in cards.value] == ["Ann", "Bob"]
    assert cards.value[0]["NOTE"] == "long\none"
    assert [(row["#"], row["jpeg"]) for row in ldif.value] == [("a, people", "AAAA"), ("b, people", "AAAB")]
    assert pem.value["Key (PEM)"] == "AAAABBBB"


@pytest.mark.parametrize(
    "text",
    [
        "order {\n  id: 1\n  items {\n    sku: 2\n  }\n}\norder {\n  id: 2\n}\n",
        "Note: this is a letter.\nWe went to see the sea: it was blue.\nAnd so on, until evening.\nThe end.\n",
    ],
)
def test_code_and_letters_are_no_pairs(text: str) -> None:
    assert not read(text.encode(), "text", None).structured


@pytest.mark.parametrize(
    "text",
    [
        "x: 0\n" + "a: 1\n" * 60_000,
        "a: 1\nb: 2\nkey: 3\n" + "- x: 1\n" * 40_000,
        "z:\n" + "  a: 1\n  b: 2\n" * 30_000,
        "".join(" " * (i % 99) + f"k{i}: v\n" for i in range(10_000)),
    ],
)
def test_linear(text: str) -> None:
    start = time.process_time()
    read(text.encode(), "text", None)
    assert time.process_time() - start < 4.0
