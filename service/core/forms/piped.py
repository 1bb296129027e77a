"""Tables drawn with bars: markdown, psql, mysql, and boxes of line-drawing characters."""

import re
from itertools import takewhile

from service.core.forms.columns import named, typed
from service.core.forms.reading import Reading
from service.core.forms.sample import Sample

_BOX = str.maketrans("│┃║┆┊╎─━═┄┈┌┐└┘├┤┬┴┼╔╗╚╝╠╣╦╩╬╒╕╘╛╞╡╤╧╪┏┓┗┛┣┫┳┻╋┡┩╇╈╭╮╰╯╟╢", "||||||-----" + "+" * 46)
_RULE = re.compile(r"\s*[|+]?[\s:]*-[-+|:=\s]*$")
_COUNT = re.compile(r"\(?\d+ rows?\b.*|Empty set.*|OK.*", re.I)


def looks_piped(seen: Sample) -> bool:
    """Whether most lines have bars and one of the first few is a rule."""
    if "|" not in seen.text and "│" not in seen.text and "┃" not in seen.text:
        return False
    lines = [line.translate(_BOX) for line in seen.lines[:60]]
    barred = sum("|" in line or _RULE.match(line) is not None for line in lines)
    ruled = any(_RULE.match(line) and ("|" in line or "+" in line) for line in lines[:6])
    return ruled and len(lines) > 2 and barred >= 0.8 * len(lines)


def read_piped(text: str) -> Reading | None:
    """The rows between the bars as objects; the title before and the count after the table stay text."""
    lines = text.translate(_BOX).split("\n")
    first = next((at for at, line in enumerate(lines) if "|" in line or _RULE.match(line)), len(lines))
    last = len(lines) - len(list(takewhile(lambda line: "|" not in line and not _RULE.match(line), reversed(lines))))
    table = lines[first:last]
    outer = all(line.strip()[:1] in ("|", "+") for line in table if line.strip())
    rows = [_cells(line, outer) for line in table if line.strip() and not _RULE.match(line)]
    if len(rows) < 2 or len(rows[0]) < 2 or sum(len(row) != len(rows[0]) for row in rows) * 10 > len(rows):
        return None
    names = named(rows[0], max(map(len, rows)))
    before, after = "\n".join(lines[:first]).strip(), "\n".join(lines[last:]).strip()
    kind = "markdown" if table and any(re.match(r"\s*\|?\s*:?-+:?\s*\|", line) for line in table[1:2]) else "tsv"
    return Reading(kind, typed(names, rows[1:]), True, before, after)


def _cells(line: str, outer: bool) -> list[str]:
    bare = line.strip()
    if outer:
        bare = bare.removeprefix("|").removesuffix("|")
    return [cell.strip().replace("\x00", "|") for cell in bare.replace("\\|", "\x00").split("|")]
