"""Texts of several parts, each below a title."""

import pytest
from hypothesis import given, settings, strategies as st

from service.core.forms.sections import read_sections
from service.core.read import read

NETSTAT = """Active Internet connections (servers and established)
Proto Recv-Q Send-Q Local Address           Foreign Address         State
tcp        0      0 0.0.0.0:22              0.0.0.0:*               LISTEN
udp        0      0 0.0.0.0:68              0.0.0.0:*
Active UNIX domain sockets (servers and established)
Proto RefCnt Flags       Type       State         I-Node   Path
unix  3      [ ]         STREAM     CONNECTED     61
unix  2      [ ACC ]     STREAM     LISTENING     60       /run/x.sock
"""
ALL = """NAME        READY   STATUS
pod/web-1   1/1     Running
pod/web-2   0/1     Error

NAME          TYPE        CLUSTER-IP
service/web   ClusterIP   10.0.0.1
"""
LONG = """/app:
total 8
drwxr-xr-x 2 ann staff 4096 Jan  1 10:00 src
-rw-r--r-- 1 ann staff  120 Jan  1 10:00 a file.md

/app/src:
total 0
"""
SHORT = "/app:\nREADME.md\nsrc\n\n/app/src:\na.py\nb.py\n"


def test_two_tables_below_their_titles() -> None:
    found = read(NETSTAT.encode(), "text", None)
    tcp, unix = found.value.values()
    assert list(found.value) == [line for line in NETSTAT.split("\n") if line.startswith("Active")]
    assert [row["State"] for row in tcp] == ["LISTEN", ""]
    assert unix[1]["Path"] == "/run/x.sock"
    assert unix[1]["Flags"] == "[ ACC ]"


def test_tables_without_titles_are_numbered() -> None:
    found = read(ALL.encode(), "text", None)
    assert list(found.value) == ["table", "table (2)"]
    assert [row["STATUS"] for row in found.value["table"]] == ["Running", "Error"]


def test_folders() -> None:
    found, names = read(LONG.encode(), "text", None), read(SHORT.encode(), "text", None)
    assert list(found.value) == ["/app: total 8", "/app/src: total 0"]
    assert [row["name"] for row in found.value["/app: total 8"]] == ["src", "a file.md"]
    assert names.value == {"/app": ["README.md", "src"], "/app/src": ["a.py", "b.py"]}


@pytest.mark.parametrize(
    "text",
    [
        "start\n   clone     Clone a repository\n   init      Make one\n\nwork\n   add       Add files\n",
        "A paragraph with  gaps of\nseveral lines  in it.\n\nAnother  one of them\nthat is  no table.\n",
        "Note:\nno folder\n\nThen:\nnone either\n",
    ],
)
def test_lists_of_commands_and_paragraphs_are_none(text: str) -> None:
    assert read_sections(text) is None


@given(st.text("ab: /|-+.\n  AB", max_size=200))
@settings(max_examples=200)
def test_anything_is_read_or_declined_and_no_line_is_lost(text: str) -> None:
    found = read_sections(text, 1)
    if found is not None and "|" not in text and "-" not in text:
        told = f"{found.value} {found.before} {found.after}"
        assert all(word.strip(":#") in told for word in text.split())
