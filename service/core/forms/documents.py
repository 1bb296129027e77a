"""What tells diffs, markdown, reStructuredText and source code from prose."""

import re
from itertools import pairwise

from service.core.forms.sample import Sample
from service.core.forms.source import code_share, script

_DIFF = re.compile(r"diff --(?:git|cc|combined) |Index: \S|@@@? -\d+(?:,\d+)? .*@@|\+\+\+ \S|--- \S|\*{15}$")
_HUNK = re.compile(r"^(?:@@@? -\d+(?:,\d+)?(?: -\d+(?:,\d+)?)? \+\d+(?:,\d+)? @@|diff --(?:git|cc|combined) )", re.M)
_MOST = 100  # lines looked at
_HEADING = re.compile(r"#{1,6} \S")
_MARK = re.compile(
    r"```|~~~|[-*+] +(?:\[[ xX]\] )?\S|\d+[.)] +\S|> \S|\|.+\|$|(?:\*\*|__)\S|!?\[[^\]]*\]\(|"
    r"<!--|\{\{[<%]|\[[^\]]+\]: \S|={3,}$|-{3,}$"
)
_INLINE = re.compile(r"\[[^\]\n]{1,80}\]\([^)\s]+|\*\*[^*\n]{1,80}\*\*|`[^`\n]{1,80}`")
_RST = re.compile(r"\.\. (?:[\w-]+::|_\S|\[)|:[A-Z][\w -]{0,30}: |:\w+:`")
_UNDERLINE = re.compile(r"([=\-~^\"'`#*+.:])\1{2,}\s*$")


def looks_diff(seen: Sample) -> bool:
    """Whether hunks of a unified diff make up the text."""
    if not _HUNK.search(seen.text):
        return False
    changed = sum(line.startswith(("+", "-", " ", "@")) or _DIFF.match(line) is not None for line in seen.lines)
    return changed >= 0.6 * len(seen.lines)


def looks_markdown(seen: Sample) -> bool:
    """Whether headings, lists, tables, links and fences are marked the way markdown does."""
    if script(seen):
        return False
    lines, total = seen.lines[:_MOST], min(_MOST, len(seen.lines))
    headings = sum(_HEADING.match(line) is not None for line in lines)
    marks = sum(_MARK.match(line.lstrip()) is not None for line in lines)
    inline = sum(_INLINE.search(line) is not None for line in lines)
    if headings and headings < 0.6 * total:
        return code_share(seen) < 0.5 or "\n```" in seen.text
    if total and (marks + inline) >= max(2, 0.3 * total):
        return code_share(seen) <= 0.4
    return total > 4 and inline >= 0.15 * total and marks >= 2 and code_share(seen) <= 0.3


def looks_rst(seen: Sample) -> bool:
    """Whether headings are underlined and directives begin with two dots."""
    raw = seen.text[:16384].split("\n")
    underlined = sum(
        _UNDERLINE.match(below) is not None
        and 3 <= len(line.strip()) <= len(below.strip()) + 2
        and line[:1].strip() != ""
        for line, below in pairwise(raw)
    )
    directives = sum(_RST.match(line.lstrip()) is not None for line in seen.lines)
    return underlined >= 2 and (
        directives >= 1 or (underlined >= 3 and not _HEADING.match(seen.lines[0]) and "](" not in seen.text)
    )
