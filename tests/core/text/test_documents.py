"""What a reader sees of documents, code and diffs."""

import re

from service.core.text import text_block
from tests.core.text.budget import seen

DOC = """---
title: Widgets
---

# Widgets

A widget is a small thing. It has parts that nobody counts, and this sentence goes on for a while to say so.

## Install

Run this:

    pip install widgets

The output is similar to this:

    ok

The output is similar to this:

    ok

## Limits

The maximum number of widgets is 40. Beyond that, everything slows down and people start to complain about it loudly.
"""

CODE = '''"""Widgets."""

import os
import sys


class Widget:
    """A small thing."""

    def spin(self, times: int) -> None:
        # TODO: spin backwards
        for _ in range(times):
            self.turn()
            self.count += 1

    def stop(self) -> None:
        raise WidgetError("cannot stop")
'''

DIFF = """diff --git a/x.py b/x.py
index 1..2 100644
--- a/x.py
+++ b/x.py
@@ -1,7 +1,7 @@ def spin():
 a
 b
-old line
+new line
 c
 d
"""


def test_headings_definitions_and_commands_come_first() -> None:
    shown = text_block(DOC, "markdown").show(0.14).text
    assert "# Widgets" in shown
    assert "## Limits" in shown
    assert "A widget is a small thing." in shown
    assert "The maximum number of widgets is 40." in shown
    assert shown.count("The output is similar") <= 1


def test_a_long_paragraph_falls_into_sentences_with_marks() -> None:
    sentences = [f"Sentence number {i} says something about topic {i} at length." for i in range(40)]
    shown = text_block(" ".join(sentences), "prose", query="topic 31").show(1.2).text
    assert "Sentence number 31 says something" in shown
    assert "more characters]" in shown
    assert "Sentence number 12 says" not in shown


def test_sentences_of_languages_without_spaces() -> None:
    text = "".join(
        f"これは第{i}の文であり、とくに長い説明が続くことになっていて、読者はそれを読み飛ばす。" for i in range(60)
    )
    shown = seen(text, "prose", 500)
    assert shown.count("。") > 3


def test_one_word_without_end_is_cut_into_pieces() -> None:
    shown = seen("A" * 5000, "prose", 900)
    assert "A" * 300 in shown
    assert "more characters]" in shown


def test_code_shows_its_definitions_before_its_lines() -> None:
    shown = seen(CODE, "code", 90)
    assert "class Widget:" in shown
    assert "def spin(self, times: int) -> None:" in shown
    assert "self.count += 1" not in shown


def test_a_diff_tells_files_and_changes() -> None:
    shown = seen(DIFF * 5, "diff", 260)
    assert shown.startswith("… diff of 55 lines: 5 files, +5 -5")
    assert "-old line" in shown
    assert "+new line" in shown
    assert "\n d" not in shown


def test_the_query_raises_a_sentence() -> None:
    block = text_block(DOC, "markdown", query="how do people complain when it slows down")
    assert "everything slows down" in block.show(1.5).text


def test_few_gaps_are_marked_in_place() -> None:
    text = "# Title\n\n" + "".join(f"word{i} word{i} and so on it goes\n\n" for i in range(30)) + "# The End of it\n"
    shown = seen(text, "markdown", 70)
    assert re.search(r"\n… 5\d more lines \(\d-62\)\n", shown)


MAN = """NAME
     spin — turn a widget

OPTIONS
     -a rounds
             The number of rounds to be done before the widget is looked at, which
             takes a while and is then repeated.  The default is 16 rounds.

     -c comment
             Provides a new comment.  It goes on for a while about comments and
             what others have thought of them in the past.
"""


def test_a_name_is_shown_with_what_is_said_of_it() -> None:
    shown = seen(MAN, "prose", 85)
    assert "The default is 16 rounds." in shown
    assert "-a rounds" in shown
    assert "OPTIONS" in shown
    assert "in the past" not in shown


def test_a_wrapped_sentence_is_shown_with_its_lines() -> None:
    block = text_block(MAN, "prose")
    shown = block.show(max(block.units.prices) * 0.5).text
    assert "takes a while and is then repeated.  The default is 16 rounds." in shown
    assert "more characters]" not in shown


def test_old_versions_and_a_table_of_contents_give_way() -> None:
    contents = "".join(f"- [Part {i}](#part-{i})\n" for i in range(8))
    parts = "".join(f"## Part {i}\n\nPart {i} holds at most {i + 20} widgets.\n\n" for i in range(8))
    old = "".join(f"### 1.{30 - i}.0\n\n- Repaired the handle number {i}, thanks to whoever\n\n" for i in range(30))
    shown = seen(f"# Widgets\n\n{contents}\n{parts}## Changelog\n\n{old}", "markdown", 250)
    assert shown.count("holds at most") >= 6
    assert "](#part-" not in shown
    assert "1.2.0" not in shown


LOCK = """--- a/package-lock.json
+++ b/package-lock.json
@@ -1,1000 +1,1000 @@
""" + "".join(f'-    "version": "1.{i}.0"\n+    "version": "1.{i}.1"\n' for i in range(500))


def test_a_diff_names_every_file_with_its_changes_and_lock_files_give_way() -> None:
    shown = seen(LOCK + DIFF.removeprefix("diff --git a/x.py b/x.py\nindex 1..2 100644\n"), "diff", 150)
    assert "--- a/package-lock.json … [+500 -500]" in shown
    assert "--- a/x.py … [+1 -1]" in shown
    assert "-old line" in shown
    assert "+new line" in shown


def test_changes_that_are_alike_do_not_fall_in_one_step() -> None:
    shown = seen(LOCK, "diff", 3000)
    assert shown.count('"version"') > 80


RAISING = '''"""Requests.

They are sent.
"""

# Copyright (C) 2020 Somebody. All rights reserved.

from elsewhere import (
    Adapter,
    Cookie,
)

DEFAULT_SIZE = 10


class Client:
    """Sends requests."""

    def send(
        self,
        body: bytes,
        timeout: float = 2.5,
    ) -> bytes:
        """Send a body.

        Further words that nobody needs to read to know what it does, and there are some.
        """
        size = len(body)
        counted = size + 1
        if counted > DEFAULT_SIZE:
            raise ValueError(
                "too long a body"
            )
        return self.adapter.send(body)
'''


def test_code_shows_signatures_first_words_constants_and_what_is_raised() -> None:
    shown = seen(RAISING, "code", 165)
    for telling in (
        "DEFAULT_SIZE = 10",
        "timeout: float = 2.5,",
        "raise ValueError(",
        '"too long a body"',
        "class Client:",
    ):
        assert telling in shown
    for dull in ("Copyright", "counted = size + 1", "Adapter,", "Further words"):
        assert dull not in shown


def test_the_first_line_of_code_below_a_directive_is_its_signature() -> None:
    sections = "".join(
        f"Part {i}\n{'^' * 8}\n\n.. code-block:: cmake\n\n  part{i}(<list> <result>)\n  endpart()\n\nWords.\n\n"
        for i in range(12)
    )
    shown = seen(f"List\n====\n\n{sections}", "rst", 260)
    assert shown.count("(<list> <result>)") >= 6
    assert shown.count("endpart()") <= 3


def test_a_document_in_one_line_begins_with_its_first_sentence() -> None:
    filler = " ".join(f"Matter number {i} was looked at by somebody at length, and then put away." for i in range(200))
    shown = seen(f"This document tells how widgets are released. {filler} The limit is 12 seconds.", "prose", 150)
    assert shown.startswith("This document tells how widgets are released.")
