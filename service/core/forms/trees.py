"""Trees drawn with branches (tree, npm ls, cargo tree, gradle): the same nesting in plain indentation.

Indentation says as much for a third of the tokens; the lines stay the same lines.
"""

import re
from collections.abc import Iterator

from service.core.forms.reading import Reading
from service.core.forms.sample import Sample

_BRANCH = re.compile(
    r"([│┃║|:\s]*+)(?:[├└┣┗╠╚╰][─━═╌]{1,3}+[┬┳╦]?[─━═]?(?=\s)|(?:\+-{1,3}+|\|-{1,3}+|`-{1,3}+|\\-{1,3}+)(?=\s))\s*+(\S.*)"
)
_TRUNK = re.compile(r"[│┃║|\s]*[│┃║|][│┃║|\s]*+")
_LEAST = 3  # lines with a branch


def looks_tree(seen: Sample) -> bool:
    """Whether most lines hang on a branch."""
    lines = seen.lines[:200]
    branches = sum(_BRANCH.match(line) is not None for line in lines)
    return branches >= _LEAST and branches >= 0.6 * len(lines)


def read_tree(text: str) -> Reading:
    """The tree as a text whose lines are set in by two spaces a level."""
    return Reading("prose", "\n".join(_indented(text.split("\n"))), False)


def _indented(lines: list[str]) -> Iterator[str]:
    columns: list[int] = []  # of the branches that are open
    for line in lines:
        found = _BRANCH.match(line)
        if found:
            column = len(found[1])
            while columns and columns[-1] >= column:
                columns.pop()
            columns.append(column)
            yield "  " * len(columns) + found[2]
        elif trunk := _TRUNK.match(line):
            more = line[trunk.end() :]
            yield "  " * (len(columns) + 1) + more if more else ""
        else:
            columns = [] if line.strip() else columns
            yield line
