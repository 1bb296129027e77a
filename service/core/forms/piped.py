"""Tables drawn with bars: markdown, org, psql, mysql, and boxes of line-drawing characters."""

import re
from itertools import zip_longest

from service.core.forms.columns import named, typed
from service.core.forms.reading import Reading
from service.core.forms.sample import Sample

_BOX = str.maketrans("│┃║┆┊╎─━═┄┈┌┐└┘├┤┬┴┼╔╗╚╝╠╣╦╩╬╒╕╘╛╞╡╤╧╪┏┓┗┛┣┫┳┻╋┡┩╇╈╭╮╰╯╟╢", "||||||-----" + "+" * 46)
_RULE = re.compile(r"[\s|+:]*+[-=][-+|:=\s]*+$")
_DRAWN = re.compile(r"--|==|\|:?-|-:?\|")  # a lone dash between bars is a cell
_MARKDOWN = re.compile(r"\s*\|?\s*:?-+:?\s*\|")
_LOOKED = 60  # lines
_HEAD = 6  # lines from the first bar within which a rule stands
_AROUND = 5  # one line in so many may stand before or after the table


def looks_piped(seen: Sample) -> bool:
    """Whether most lines have bars and there is a rule below the first."""
    if "|" not in seen.text and "│" not in seen.text and "┃" not in seen.text:
        return False
    lines = [line.translate(_BOX) for line in seen.lines[:_LOOKED]]
    barred = [at for at, line in enumerate(lines) if "|" in line or _is_rule(line)]
    if len(lines) < 3 or not barred or len(barred) < 0.8 * len(lines):
        return False
    head = lines[barred[0] : barred[0] + _HEAD]
    return any(_is_rule(line) and ("|" in line or "+" in line) for line in head)


def read_piped(text: str) -> Reading | None:
    """The rows between the bars as objects; the title before and the count after the table stay text."""
    lines = text.translate(_BOX).split("\n")
    drawn = [at for at, line in enumerate(lines) if "|" in line or _is_rule(line)]
    if not drawn:
        return None
    first, last = drawn[0], drawn[-1] + 1
    table = [line for line in lines[first:last] if line.strip()]
    if (
        not any(map(_is_rule, table[:_HEAD]))
        or len(drawn) < len(table)
        or (len(lines) - len(table)) > max(8, len(table) // _AROUND)
    ):
        return None
    outer = all(line.strip()[:1] in ("|", "+", "-") for line in table)
    rows, name = _rows(table, outer)
    if len(rows) < 2 or len(rows[0]) < 2 or sum(len(row) != len(rows[0]) for row in rows) * 10 > len(rows):
        return None
    header = [" ".join(part for part in cell.split("\n") if part.strip("-")) for cell in rows[0]]
    names = named(header, max(map(len, rows)))
    before = "\n".join([*lines[:first], name]).strip()
    kind = "markdown" if any(map(_MARKDOWN.match, table[1:2])) else "tsv"
    return Reading(kind, typed(names, rows[1:]), True, before, "\n".join(lines[last:]).strip())


def _is_rule(line: str) -> bool:
    return _RULE.match(line) is not None and _DRAWN.search(line) is not None


def _rows(table: list[str], outer: bool) -> tuple[list[list[str]], str]:
    """The cells of each row, those that go on in the next line put together; and a name over all columns."""
    rows: list[list[str]] = []
    drawn = [_is_rule(line) for line in table]
    boxed = outer and drawn[0]
    spread = boxed and sum(drawn) > 3  # with rules between rows, a row may take several lines
    name, ruled = "", False
    for line, rule in zip(table, drawn, strict=True):
        if rule:
            ruled = ruled or not boxed or "+" in line  # dashes in the cells of a box belong to its header
            continue
        cells = _cells(line, outer)
        if len(cells) == 1 and not rows:
            name, ruled = cells[0], False
        elif rows and not ruled and _goes_on(rows, cells, boxed, spread):
            rows[-1] = [_joined(above, cell) for above, cell in zip_longest(rows[-1], cells, fillvalue="")]
        else:
            rows.append(cells)
            ruled = False
    return rows, name


def _goes_on(rows: list[list[str]], cells: list[str], boxed: bool, spread: bool) -> bool:
    """Whether a line is more of the row above it: of a header, of cells that psql breaks with +, of a spread row."""
    if len(rows) == 1 and boxed:
        return True
    return not cells[0] and (spread or any(cell.endswith("+") for cell in rows[-1]))


def _joined(above: str, cell: str) -> str:
    above = above.removesuffix("+").rstrip()
    return f"{above}\n{cell}" if above and cell else above or cell


def _cells(line: str, outer: bool) -> list[str]:
    bare = line.strip()
    if outer:
        bare = bare.removeprefix("|").removesuffix("|")
    return [cell.strip().replace("\x00", "|") for cell in bare.replace("\\|", "\x00").split("|")]
