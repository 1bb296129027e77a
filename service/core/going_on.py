"""The printed line that tells a model how to go on, and what it is sure to cost."""

from functools import lru_cache

from service.core.tokens import estimate

CURSOR = 86  # tokens that a printed cursor counts for, whatever its letters: more than any has in any family
ROOMY = 4 * CURSOR  # from here on a budget has room for a line that explains itself
LEAST = 24  # tokens below which a text is not worth a share of its own
_LINE_BYTES = 420  # bytes of the line, the tool's name twice aside
_STAMP = "2026-11-18T12:50:00Z"
_LONGEST = "lines 1000000-1000000 of 1000000, part 100000 of 100000"
_LABEL = 12  # tokens of what introduces the object around a list


def line(tool: str, cursor: str, until: str, shown: str = "", opens: str = "", *, brief: bool = False) -> str:
    """The end of an answer: what it was, and the call that goes on; `opens` is the path of an item that was cut."""
    if brief:
        return f'\n… {tool}(cursor="{cursor}") until {until}'
    what = f"This was {shown}. " if shown else ""
    more = f'; with "path":"{opens}" too it opens what was cut' if opens else ""
    return f'\n… {what}There is more: call {tool} with {{"cursor":"{cursor}"}} (valid until {until}){more}.'


def parts(tool: str) -> str:
    """What else the tool can do, said once, where a walk begins."""
    return f" Add find, path, or startLine and endLine to {tool} for a part of it."


def room(budget: int, tool: str, family: str, twice: bool) -> int:
    """What a budget leaves for a body; all of it where it is too small for a cursor, half where it goes out twice."""
    left = budget - reserved(tool, family, budget >= ROOMY)
    if left < LEAST:
        return budget
    return (left - beside(tool, family)) // 2 if twice and _halved(left, tool, family) else left


def bytes_left(most: int, budget: int, tool: str, family: str, twice: bool) -> int:
    """The same for bytes."""
    line = _LINE_BYTES + 2 * len(tool.encode())
    if most < 4 * line:
        return most
    halved = twice and _halved(budget - reserved(tool, family, budget >= ROOMY), tool, family)
    return (most - 2 * line) // 2 if halved else most - line


def _halved(left: int, tool: str, family: str) -> bool:
    return left - beside(tool, family) > 8 * LEAST


@lru_cache(maxsize=1024)
def reserved(tool: str, family: str, roomy: bool) -> int:
    """Tokens that the line counts for."""
    if not roomy:
        return CURSOR + estimate(line(tool, "", _STAMP, brief=True), family)
    return CURSOR + _LABEL + estimate(line(tool, "", _STAMP, _LONGEST) + parts(tool), family)


@lru_cache(maxsize=1024)
def beside(tool: str, family: str) -> int:
    """Tokens that the same counts for in `structuredContent`."""
    return (
        CURSOR
        + estimate(f'{{"summary":,"complete":false,"cursor":"","expiresAt":"{_STAMP}","more":""}}{tool}', family)
        + 24
    )
