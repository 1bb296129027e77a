"""A cheap look at a text in a string: whether reading it as values may be worth the trouble."""

import re
from itertools import pairwise

from service.core.forms.aligned import is_header

_HEAD, _LINES, _WIDTH = 2000, 16, 200
_FIRST = 6
_MOST = 0.6  # of the lines are pairs, cells or entries
_STARTS = re.compile(
    r"\s*(?:[\[{(<]|```|~~~|---\n|-\[ RECORD|\*{3,}|BEGIN:V|commit [0-9a-f]{7,64}\b|[A-Z]\w* ?\{|"
    r"HTTP/\d|[.~]?/\S*:\n|\.:\n|# (?:HELP|TYPE) )"
)
_OPENS = re.compile(r"^[\[{]\s*(?:[\"\[{\d]|$)", re.M)  # no link of markdown
_DRAWN = re.compile(r"^(?=[^\n]*[|+│├┌┏╞┡╔╠┼])[\s|+│├┌┏╞┡╔╠]*[-─━═=]{3,}[-─━═=\s|+│┼┬┳╇╪╤┐┓╗]*$", re.M)
_PAIR = re.compile(r"\s*(?:[-*•#] +|\d{1,4}[.)] +|export |declare -x )?[\"'*\w][\w ./@()*\"'%-]{0,50}?\s{0,20}[:=]")
_CELLS = re.compile(r"[^\t]*\t[^\t]*|[^\s,]+,[^\s,]+$|[^,]*,[^,]+,[^,]*|[^;]*;[^;]+;[^;]*|[^|]*\|[^|]+\|.*")
_ENTRY = re.compile(r"\s*(?:\d+ +\d+ +)?[-dlbcps][-rwxsStT]{9}|\S+:\d+[:-]|\w+\{[^}]*\} [\d.]|\[\[?[\w. -]+\]\]?$")


def promises(text: str) -> bool:
    """Whether a text begins like a value, or its first lines like pairs, like rows or like the head of a table."""
    if _STARTS.match(text):
        return True
    head = text[:_HEAD]
    lines = [line[:_WIDTH] for line in head.split("\n", _LINES)[:_LINES] if line and not line.isspace()]
    if len(lines) < 2:
        return False
    rows = [any(form.match(line) for form in (_PAIR, _CELLS, _ENTRY)) for line in lines]
    if sum(rows) >= _MOST * len(rows) or all(rows[:_FIRST]) or _OPENS.search(head) or _DRAWN.search(head):
        return True
    return any(is_header(pair) for pair in pairwise(line.expandtabs(8) for line in lines))
