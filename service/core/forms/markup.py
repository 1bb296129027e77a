"""HTML reduced to its text."""

import html
import re
from dataclasses import dataclass

from service.core.forms.reading import Reading
from service.core.forms.sample import Sample

_PAGE = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*)?(?:<!doctype html|"
    r"<!--|<(?:html|head|body|div|p|table|ul|ol|span|h[1-6]|main|section|article|br|a|b|nav|form)\b)",
    re.I,
)
_MARKDOWN = re.compile(r"^(?:#{1,6} \S|```|[-*] \S)", re.M)
_DOCUMENT = re.compile(r"<(?:!doctype|html|body)\b", re.I)
_TAGS = re.compile(r"</?[a-zA-Z][\w:-]*(?:\s[^<>]{0,400})?/?>")
_TOKEN = re.compile(r"<(/?)([a-zA-Z][\w:-]*+)((?:[^<>\"']++|\"[^\"]*+\"|'[^']*+')*+)>")
_ALT = re.compile(r"\b(?:alt|aria-label|title|placeholder)\s*=\s*(?:\"([^\"]*+)\"|'([^']*+)')", re.I)
_SPACE = re.compile(r"\s+")
_HIDDEN = ("script", "style", "svg", "noscript", "template")
_PROLOGUE = re.compile(r"\s*(?:<[?!][^<>]*>\s*)+")  # what a document says of its own notation
_BREAKS = frozenset(
    (
        "p div section article header footer main nav aside ul ol dl dt dd table tbody thead form fieldset "
        "figure blockquote pre br hr h1 h2 h3 h4 h5 h6 li tr title option summary details address figcaption"
    ).split()
)
_OPENINGS = {f"h{n}": f"\n\n{'#' * n} " for n in range(1, 7)} | {"td": " | ", "th": " | "}
_KEPT = str.maketrans({"\n": "\x00", " ": "\x01", "\t": "\x02"})  # spaces that mean something
_SPACED = str.maketrans({"\x00": "\n", "\x01": " ", "\x02": "\t"})
_INDENTED = re.compile("^(\x01+) ")
_CELL = 400  # characters: the paragraphs of a shorter cell stay on its line
_MENU = 0.5  # navigation that is more of a page than this is what the page is about
_NOTE = "HTML reduced to its text"


def looks_html(seen: Sample) -> bool:
    """Whether tags make up a good part of the text."""
    if seen.first != "<":
        return False
    head = seen.text[:16384]
    if len(_MARKDOWN.findall(head)) >= 3 and not _DOCUMENT.search(head):
        return False  # markdown that begins with a few tags
    tags = len(_TAGS.findall(head))
    return tags >= 3 and (_PAGE.match(seen.text) is not None or tags * 3 >= len(seen.lines))


@dataclass(slots=True)
class _Place:
    """Where in a page its reading is: what is open around the text that comes next."""

    pre: int = 0  # elements whose spaces mean something
    lists: int = 0
    set_in: int = 0  # descriptions of terms
    cell: int = 0  # where the cell of a table ends whose breaks are spaces
    fresh: bool = False  # what was opened last has no words yet

    def words(self, between: str) -> str:
        """The text between two tags."""
        if not self.pre:
            self.fresh = self.fresh and (not between or between.isspace())
            return _SPACE.sub(" ", between)
        if self.fresh:
            between = between.removeprefix("\n")
        self.fresh = False
        return between.translate(_KEPT)

    def sign(self, closing: bool, tag: str, at: int) -> str:
        """What stands in the place of a tag."""
        step = -1 if closing else 1
        if tag == "pre":
            self.pre = max(0, self.pre + step)
        elif tag in ("ul", "ol"):
            self.lists = max(0, self.lists + step)
        elif tag == "dd":
            self.set_in = max(0, self.set_in + step)
        if not closing and tag in _OPENINGS:
            return _OPENINGS[tag]
        if tag not in _BREAKS:
            return ""
        if at <= self.cell or (self.fresh and tag in ("p", "div")):
            return " "
        self.fresh = not closing and tag in ("li", "dd", "pre")
        deep = self.set_in + (self.lists if tag != "li" or closing else max(0, self.lists - 1))
        return "\n" + "\x01\x01" * deep + ("- " if tag == "li" and not closing else "")


def read_html(text: str) -> Reading | None:
    """The words of a page: headings, list items and table rows on lines of their own."""
    visible = _without(_PROLOGUE.sub("", text, count=1), "<!--", "-->")
    for tag in _HIDDEN:
        visible = _without(visible, f"<{tag}", f"</{tag}")
    words = _words(visible)
    body = _words(_without(visible, "<nav", "</nav"))
    left = len(words) - len(body)
    if left <= 0 or left > _MENU * len(words):
        return Reading("html", words, False, notes=(_NOTE,))
    return Reading("html", body, False, notes=(f"{_NOTE}, without {left} characters of navigation",))


def _words(visible: str) -> str:
    """The text of a page whose hidden parts are gone."""
    parts: list[str] = []
    place = _Place()
    at, closed = 0, False
    for found in _TOKEN.finditer(visible):
        between, tag = visible[at : found.start()], found[2].lower()
        # What stands in elements side by side is seen apart: `</span><span>` is a space, `</b>ld` is not.
        parts.append(place.words(between) if between or not closed or found[1] else " ")
        at, closed = found.end(), bool(found[1])
        if tag in ("td", "th") and not closed:
            place.cell = _cell_end(visible, at)
        if tag in ("img", "input") and (named := _ALT.search(found[3])):
            parts.append(f" {named[1] or named[2] or ''} ")
        else:
            parts.append(place.sign(closed, tag, at))
    parts.append(visible[at:])
    lines = (_line(line) for line in html.unescape("".join(parts)).split("\n"))
    return "\n".join(line for line in lines if line.strip() not in ("", "-"))


def _line(line: str) -> str:
    """One line of the text, its spaces reduced to those that mean something."""
    line = _INDENTED.sub(r"\1", " ".join(line.split()))
    return line.removeprefix("| ").removesuffix(" ¶").translate(_SPACED)


def _cell_end(visible: str, at: int) -> int:
    """Where a short cell ends that holds no table of its own; 0 for any other."""
    end = visible.find("</t", at, at + _CELL)
    return end if end >= 0 and visible[end + 3 : end + 4] in "dh" and visible.find("<table", at, end) < 0 else 0


def _without(text: str, opening: str, closing: str) -> str:
    """The text without the parts from an opening to its closing; one pass."""
    low = text.lower() if opening[1:2].isalpha() else text
    if len(low) != len(text):
        low = text
    kept, at = [], 0
    while (begin := low.find(opening, at)) >= 0 and (end := low.find(closing, begin)) >= 0:
        kept.append(text[at:begin])
        at = low.find(">", end) + 1 or len(text)
    return text if not kept else "".join([*kept, text[at:]])
