"""Recognising a text's kind."""

import pytest

from service.core.kinds import recognise

PLAIN = {
    "json": '{"a": [1, 2, {"b": null}]}',
    "jsonl": '{"a": 1}\n{"a": 2}\n{"a": 3}\n',
    "log": "2024-01-02 10:00:00 INFO start\n2024-01-02 10:00:01 ERROR failed\n",
    "diff": "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-old\n+new\n same\n",
    "markdown": "# Title\n\nSome words with a [link](http://x.y).\n\n- one\n- two\n",
    "rst": "Title\n=====\n\n.. note:: careful\n\nPart\n----\n\nWords here.\n",
    "code": "import os\n\ndef main():\n    x = os.getcwd()\n    return x\n",
    "prose": "It was a bright cold day in April, and the clocks were striking thirteen.\nWinston slipped through.",
}


@pytest.mark.parametrize("kind", PLAIN)
def test_plain_kinds(kind: str) -> None:
    assert recognise(PLAIN[kind]) == kind
