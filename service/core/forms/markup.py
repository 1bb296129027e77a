"""HTML reduced to its text."""

import html
import re

from service.core.forms.reading import Reading
from service.core.forms.sample import Sample

_PAGE = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*)?(?:<!doctype html|"
    r"<!--|<(?:html|head|body|div|p|table|ul|ol|span|h[1-6]|main|section|article|br|a|b|nav|form)\b)",
    re.I,
)
_TAGS = re.compile(r"</?[a-zA-Z][\w:-]*(?:\s[^<>]{0,400})?/?>")
_TOKEN = re.compile(r"<(/?)([a-zA-Z][\w:-]*+)((?:[^<>\"']++|\"[^\"]*+\"|'[^']*+')*+)>")
_ALT = re.compile(r"\b(?:alt|aria-label|title|placeholder)\s*=\s*(?:\"([^\"]*+)\"|'([^']*+)')", re.I)
_SPACE = re.compile(r"\s+")
_HIDDEN = ("script", "style", "svg", "noscript", "template")
_BREAKS = frozenset(
    (
        "p div section article header footer main nav aside ul ol dl dt dd table tbody thead form fieldset "
        "figure blockquote pre br hr h1 h2 h3 h4 h5 h6 li tr title option summary details address figcaption"
    ).split()
)
_OPENINGS = {f"h{n}": f"\n\n{'#' * n} " for n in range(1, 7)} | {"li": "\n- ", "td": " | ", "th": " | ", "dd": "\n  "}
_NOTE = "HTML reduced to its text"


def looks_html(seen: Sample) -> bool:
    """Whether tags make up a good part of the text."""
    if seen.first != "<":
        return False
    tags = len(_TAGS.findall(seen.text[:16384]))
    return tags >= 3 and (_PAGE.match(seen.text) is not None or tags * 3 >= len(seen.lines))


def read_html(text: str) -> Reading | None:
    """The words of a page: headings, list items and table rows on lines of their own."""
    visible = _without(text, "<!--", "-->")
    for tag in _HIDDEN:
        visible = _without(visible, f"<{tag}", f"</{tag}")
    parts: list[str] = []
    at, closed = 0, False
    for found in _TOKEN.finditer(visible):
        between = visible[at : found.start()]
        # What stands in elements side by side is seen apart: `</span><span>` is a space, `</b>ld` is not.
        parts.append(_SPACE.sub(" ", between) if between or not closed or found[1] else " ")
        parts.append(_sign(found[1], found[2].lower(), found[3]))
        at, closed = found.end(), bool(found[1])
    parts.append(visible[at:])
    words = html.unescape("".join(parts))
    lines = (" ".join(line.split()).removeprefix("| ") for line in words.split("\n"))
    return Reading("html", "\n".join(line for line in lines if line not in ("", "-")), False, notes=(_NOTE,))


def _sign(closing: str, tag: str, attributes: str) -> str:
    """What stands in the place of a tag."""
    if not closing and tag in _OPENINGS:
        return _OPENINGS[tag]
    if tag in ("img", "input") and (found := _ALT.search(attributes)):
        return f" {found[1] or found[2] or ''} "
    return "\n" if tag in _BREAKS else ""


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
