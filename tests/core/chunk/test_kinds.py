"""What each kind keeps whole, and what its chunks are called."""

import pytest

from service.core.chunk import Cut, Limits, chunk
from tests.core.chunk.promises import keep


def pieces(text: str, kind: str, tokens: int = 120, lines: int = 200) -> list[tuple[str, Cut]]:
    """The chunks of a text, with their text."""
    data, bounds = text.encode(), Limits(tokens, lines, 16_000)
    cuts = chunk(data, kind, bounds)
    keep(data, bounds, cuts)
    return [(data[cut.start : cut.end].decode(), cut) for cut in cuts]


PARAGRAPH = "Decant keeps what matters. It says what is missing, e.g. in a ledger. Dr. Who may ask for more.\n\n"
FENCE = "```python\ndef f():\n    # not a heading\n    return {}\n\n\nprint(f())\n```\n\n"
TABLE = "| name | state |\n|---|---|\n" + "".join(f"| pod-{n} | running |\n" for n in range(6)) + "\n"


def test_markdown_ends_at_headings_and_names_the_path() -> None:
    text = (
        "# Install\n\n"
        + PARAGRAPH * 2
        + "## Linux\n\n"
        + PARAGRAPH * 2
        + "## Windows\n\n"
        + PARAGRAPH * 2
        + "# Use\n\n"
        + PARAGRAPH
    )
    found = pieces(text, "markdown", 100)
    assert [cut.heading for _, cut in found] == ["Install", "Install > Linux", "Install > Windows", "Use"]
    assert [cut.boundary for _, cut in found] == ["heading", "heading", "heading", "end"]


@pytest.mark.parametrize("block", [FENCE, FENCE.replace("```", "~~~~"), TABLE, FENCE.replace("\n", "\r\n")])
def test_fences_and_tables_stay_whole(block: str) -> None:
    for text, _ in pieces((PARAGRAPH + block) * 12, "markdown", 150):
        assert text.count(block.strip()) == text.count("def f()") + text.count("| name |")
        assert "def f()" in text or "print(f())" not in text


def test_a_fence_too_long_for_a_chunk_is_split_between_lines() -> None:
    text = PARAGRAPH + "```\n" + "".join(f"line number {n} of the block\n" for n in range(60)) + "```\n" + PARAGRAPH
    for piece, cut in pieces(text, "markdown"):
        assert piece.endswith("\n") or cut.boundary == "end"


def test_a_heading_is_never_the_last_line_of_a_chunk() -> None:
    text = "".join(f"## Part {n}\n\n### Detail\n\n" + PARAGRAPH for n in range(20))
    for piece, cut in pieces(text, "markdown", 90):
        assert not piece.rstrip().splitlines()[-1].startswith("#"), cut


def test_setext_and_rst_titles_are_headings() -> None:
    text = "Install\n=======\n\n" + PARAGRAPH * 2 + "Linux\n-----\n\n" + PARAGRAPH * 2
    for kind in ("markdown", "rst"):
        assert [cut.heading for _, cut in pieces(text, kind, 100)] == ["Install", "Install > Linux"]


def test_literal_blocks_of_rst_stay_whole() -> None:
    block = "Example::\n\n    def f():\n        pass\n\n    f()\n\n"
    for piece, _ in pieces((PARAGRAPH + block) * 10, "rst", 90):
        assert piece.count("Example::") == piece.count("    f()\n") == piece.count("def f()")


def test_sentences_stay_whole_abbreviations_and_initials_included() -> None:
    sentences = [
        "Mr. Smith paid approx. 3.5 million dollars to J. R. Tolkien, i.e. too much. ",
        "Is it true? ",
        "“It is!” ",
        "See Fig. 3 and No. 7 on pp. 11 ff. for the U.S. figures. ",
    ]
    text, ends = "", set()
    for n in range(60):
        text += sentences[n % 4]
        ends.add(len(text.encode()))
    assert {cut.end for _, cut in pieces(text, "prose", 60)} <= ends


def test_sentences_without_spaces_end_at_their_full_stop() -> None:
    found = pieces("吾輩は猫である。名前はまだ無い！どこで生れたか？「とんと見当がつかぬ。」" * 20, "prose")
    assert all(piece[-1] in "。！？」" for piece, _ in found)
    assert {cut.boundary for _, cut in found} == {"sentence", "end"}


def test_code_keeps_definitions_with_their_comments() -> None:
    body = (
        "# says hello\n@cache\ndef hello_{0}(name: str) -> None:\n    text = f'hello {{name}}'\n\n    print(text)\n\n\n"
    )
    for piece, cut in pieces("".join(body.format(n) for n in range(30)), "code", 200):
        assert piece.startswith("# says hello")
        assert cut.boundary in ("definition", "end")


def test_a_class_too_long_for_a_chunk_ends_between_methods_and_is_named() -> None:
    method = "    def step_{0}(self) -> int:\n        value = {0}\n\n        return value\n\n"
    text = "class Machine:\n" + "".join(method.format(n) for n in range(30))
    found = pieces(text, "code")
    assert all(piece.startswith("    def ") for piece, _ in found[1:])
    assert {cut.heading for _, cut in found[1:]} == {"class Machine:"}


def test_records_with_quoted_line_ends_stay_whole() -> None:
    record = '{0},"a note\nover, ""three""\nlines",ok\r\n'
    text = "id,note,state\r\n" + "".join(record.format(n) for n in range(60))
    for piece, cut in pieces(text, "csv"):
        assert piece.endswith(",ok\r\n")
        assert cut.boundary in ("record", "end")


def test_stray_quotes_in_a_table_do_not_glue_its_lines() -> None:
    found = pieces("".join(f'{n}\t5" screen\tok\n' for n in range(99)), "tsv")
    assert all(cut.boundary in ("record", "end") for _, cut in found)


def test_diffs_end_at_files_then_hunks_and_name_the_file() -> None:
    hunk = "@@ -{0},3 +{0},3 @@ def f\n context\n-old line {0}\n+new line {0}\n"
    text = ""
    for name, hunks in (("a.py", 2), ("b.py", 12), ("c.py", 2)):
        text += f"diff --git a/{name} b/{name}\nindex 1..2 100644\n--- a/{name}\n+++ b/{name}\n"
        text += "".join(hunk.format(n) for n in range(hunks))
    found = pieces(text, "diff", 160)
    assert all(piece.startswith(("diff ", "@@ ")) for piece, _ in found)
    assert [cut.heading for _, cut in found][:2] == ["a.py", "b.py"]
    assert {cut.boundary for _, cut in found} == {"file", "hunk", "end"}


@pytest.mark.parametrize("indent", ["", "  "])
def test_json_ends_between_its_outermost_values(indent: str) -> None:
    from json import dumps

    value = [{"id": n, "tags": ["a", "b, c"], "text": 'say "hi", {now}'} for n in range(60)]
    text = dumps(value, indent=indent or None)
    for piece, cut in pieces(text, "json"):
        assert cut.boundary in ("value", "end")
        assert piece.lstrip("[ \n").startswith('{"id"' if not indent else '{\n    "id"')


def test_a_long_json_string_ends_behind_its_escaped_lines_and_never_within_an_escape() -> None:
    text = '{"log": "' + r"one line of it \u00e9\\n \ud83d\ude00 and more\n" * 60 + '"}'
    for piece, cut in pieces(text, "json"):
        assert cut.boundary in ("line", "end")
        assert piece.endswith((r"\n", "}"))
    solid = '{"log": "' + r"\ud83d\ude00\u00e9\\" * 400 + '"}'
    for piece, cut in pieces(solid, "json"):
        assert piece.startswith(("{", "\\")), cut
        assert not piece.startswith(r"\ude00"), cut


def test_a_repr_ends_between_values_whatever_its_quotes() -> None:
    text = repr([{"id": n, "name": "it's, {n}", "say": 'a "b", c'} for n in range(60)])
    for piece, cut in pieces(text, "repr"):
        assert cut.boundary in ("value", "end")
        assert piece.lstrip("[").startswith("{'id'")


def test_html_never_ends_within_a_tag() -> None:
    text = "".join(
        f'<div class="row"><h2>Item {n}</h2>\n  <p title="a > b">Text <b>{n}</b></p></div>\n' for n in range(60)
    )
    for piece, _ in pieces(text, "html"):
        assert piece.lstrip().startswith("<")


def test_one_line_of_text_ends_at_words() -> None:
    found = pieces("word " * 2000, "prose")
    assert all(piece.endswith(" ") for piece, _ in found)
    assert {cut.boundary for _, cut in found} == {"word", "end"}


def test_a_line_is_split_only_when_it_does_not_fit_alone() -> None:
    text = "".join(f"{'short ' * 9}{n}\n{'long ' * 60}{n}\n" for n in range(20))
    assert all(piece.endswith("\n") for piece, _ in pieces(text, "prose", 150))
