"""What each line of a document is: heading, item, row of a table, command, code, or a line of a paragraph."""

import re
from collections import Counter
from dataclasses import dataclass, field

from service.core.text.pieces import LONG

BLANK, TEXT, HEADING, RULE, FENCE, CODE, NOISE, ROW, ITEM, META, COMMAND, NAMED, TERM = range(13)
ALONE = frozenset({HEADING, RULE, FENCE, CODE, NOISE, ROW, META, COMMAND, NAMED, TERM})
TITLED = 60  # characters: a longer line that stands alone is no heading
NAME = 80  # a longer line is not the name of what is set in below it
LISTED = 4  # headings in a row that stand elsewhere again are a table of contents
_HEADING = re.compile(
    r"\s{0,3}(#{1,6})\s+\S"
    r"|((?:\d+\.){1,4})(?:\d+)?\s+[^\W\d_].{0,76}$"
    r"|(?:Appendix|Chapter|CHAPTER|Section|PART|Part|BOOK)\s+[\dA-Z]"
    r"|<h[1-6]|第.{1,4}[章节節条]"
    r"|[A-Z][A-Z0-9 ,'’\-–:&/]{3,60}$"
)
_RULE = re.compile(r"\s{0,3}([=\-~^\"'#*+.`:_━])\1{2,}\s*$|\s*\|?[ :]*[-=]{2,}[-=+| :]*$")
_RULES = frozenset("=-~^\"'#*+.`:_━|")
_ITEM = re.compile(r"\s*(?:[-*+•・]|\d{1,3}[.)])\s+\S")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_ROW = re.compile(r"\s*\|.*\||\s*\+[-=+]{3,}|\S.*\t.*\t|\S.* \| .* \| ")
_META = re.compile(r"\s*[*_]{0,2}[A-Z][\w \-]{1,24}[*_]{0,2}:[*_]{0,2}\s+\S|[\w-]{2,24}: \S")
_COMMAND = re.compile(
    r"\s*(?:[$#>%] \S|(?:sudo|kubectl|docker|git|pip3?|npm|npx|yarn|curl|wget|apt(?:-get)?|brew|helm|make|cargo|go"
    r"|python3?|systemctl|ssh|psql|aws|gcloud|az|terraform|uv|conda)\s+[\w./-]+)"
)
_NAMED = re.compile(r"\s*[\w.$-]+\s*(?:::?=|=(?!=))\s*\S")
_NOISE = re.compile(
    r"\s*(?:\[[^\]]*\]:\s|\.\. (?:_|\[|\|)|\[?!\[|<!--|-->\s*$|</?\w+[^>]*>\s*$|\{\{|\[\^?[\w-]+\]:"
    r"|\.\. [\w-]+::\s*[\w-]*$|\s+:[\w-]+:\s|(?:\|[\w-]+\|\s*)+$)"
)
_CONTENTS = re.compile(
    r"[^.]*+(?:\.(?! \.|\.)[^.]*+)*+(?:\.{4,}|\.(?: \.){2,})[ .]*\d+$|.{0,90}\[Page \d+\]$"
    r"|\s*[-*+]\s+\**\[[^\]]+\]\(#[^)]*\)\**\s*$"
)
_CODE = re.compile(r"\s*\.\. (?:code|code-block|sourcecode|parsed-literal|highlight)::")
_APART = re.compile(r"\S {2,}\S")
_WORDS = re.compile(r"[\W\d_]+")


@dataclass(slots=True)
class Shapes:
    """The shape of each line of a document, and how deep its headings are, from 1."""

    of: list[int]
    depth: dict[int, int] = field(default_factory=dict)
    indent: int = 0  # of ordinary text


def shapes(lines: list[str], prose: bool = False) -> Shapes:
    """The shapes of all lines; in prose a short line that stands alone may be a heading, too."""
    found = Shapes([], indent=_indent(lines))
    fenced = False
    for number, line in enumerate(lines):
        if line.lstrip()[:3] in ("```", "~~~"):
            found.of.append(FENCE)
            fenced = not fenced
        else:
            found.of.append(_fenced(line) if fenced else _shape(lines, number, found))
    _literal(lines, found)
    _underlined(lines, found)
    _named(lines, found)
    if prose:
        _standing(lines, found)
    _contents(lines, found)
    return found


def _indent(lines: list[str]) -> int:
    """The commonest indentation of a document: text that is set in is no code."""
    depths = Counter(len(line) - len(line.lstrip(" ")) for line in lines[:5000] if line.strip())
    return min(16, depths.most_common(1)[0][0]) if depths else 0


def _fenced(line: str) -> int:
    """The shape of a line of code."""
    bare = line.lstrip()
    if not bare:
        return BLANK
    return COMMAND if bare[0] not in "#>" and _COMMAND.match(line) else CODE


def _shape(lines: list[str], number: int, found: Shapes) -> int:
    line = lines[number]
    if not line or line.isspace():
        return BLANK
    sign = line.lstrip()[0]
    if sign in _RULES and _RULE.match(line):
        return RULE
    if (sign in "[.!<-{|:" and _NOISE.match(line)) or (
        line[-1] in "0123456789)]*" and len(line) < LONG and _CONTENTS.match(line)
    ):
        return NOISE
    if _opens(sign, line) and (hit := _HEADING.match(line)) and _is_heading(lines, number, hit):
        found.depth[number] = len(hit[1]) if hit[1] else hit[2].count(".") if hit[2] else 2
        return HEADING
    if ("|" in line or "\t" in line or sign == "+") and _ROW.match(line):
        return ROW
    if len(line) > LONG:
        return ITEM if _ITEM.match(line) else TEXT
    if (sign in "$#>%" or sign.islower()) and _COMMAND.match(line):
        return COMMAND
    if (sign in "-*+•・" or sign.isdigit()) and _ITEM.match(line):
        return ITEM
    if ":" in line and _META.match(line):
        return META
    return NAMED if "=" in line and _NAMED.match(line) else TEXT


def _opens(sign: str, line: str) -> bool:
    """Whether a line may be a heading for how it begins."""
    return len(line) > 6 and len(line) <= LONG and (sign.isupper() or sign.isdigit() or sign in "#<第")


def _is_heading(lines: list[str], number: int, hit: re.Match[str]) -> bool:
    """`1. Start it` and `Part 2 is over.` are headings only when they stand alone and are no sentences."""
    if hit[1] or (hit[2] and hit[2].count(".") > 1):
        return True
    above, below = lines[number - 1] if number else "", lines[number + 1] if number + 1 < len(lines) else ""
    ended = lines[number].rstrip()[-1:] in ".:;,?!"
    set_apart = not above.strip() or (not hit[2] and below[:1].isspace())
    return set_apart and not ended and (not hit[2] or not below.strip())


def _literal(lines: list[str], found: Shapes) -> None:
    """What is set in below `::` or a directive for code is code."""
    around = -1  # the indentation of the line that announced it
    for number, line in enumerate(lines):
        shape = found.of[number]
        if around >= 0 and shape != BLANK and _deep(line) <= around:
            around = -1
        announced = shape in (TEXT, ITEM) and line.endswith("::")
        if around < 0 and (announced or _CODE.match(line)):
            around = _deep(line)
        elif around >= 0 and shape != BLANK:
            found.of[number] = NOISE if line.lstrip().startswith(":") and shape == NOISE else _fenced(line)
            found.depth.pop(number, None)


def _underlined(lines: list[str], found: Shapes) -> None:
    """Lines with a rule of one sign below them are headings, as deep as the sign is late."""
    signs = ""
    for number in range(1, len(lines)):
        hit = found.of[number] == RULE and _RULE.match(lines[number])
        above = number - 1
        if not hit or not hit[1] or found.of[above] not in (TEXT, META, ITEM, NAMED, HEADING, COMMAND):
            continue
        if lines[above][:1].isspace() or (above and found.of[above - 1] not in (BLANK, RULE, NOISE)):
            continue
        signs += "" if hit[1] in signs else hit[1]
        found.of[above] = HEADING
        found.depth[above] = signs.index(hit[1]) + 1


def _named(lines: list[str], found: Shapes) -> None:
    """A short line with text set in right below it names what the text explains."""
    of = found.of
    for number in range(len(lines) - 1):
        if of[number] not in (TEXT, NAMED) or of[number + 1] not in (TEXT, ITEM, NAMED, META):
            continue
        line, below = lines[number], lines[number + 1]
        if len(line) > NAME or line.rstrip()[-1:] in ".:;,?!":
            continue
        deep = _deep(line)
        if number and of[number - 1] == TEXT and _deep(lines[number - 1]) <= deep:
            continue
        if _deep(below) > deep + 1 and not _APART.search(line, deep):
            of[number] = TERM


def _deep(line: str) -> int:
    return len(line) - len(line.lstrip())


def _standing(lines: list[str], found: Shapes) -> None:
    """A short line between blank ones, with a paragraph below, is a heading of prose."""
    of = found.of
    for number in range(1, len(lines) - 2):
        if of[number] != TEXT or of[number - 1] != BLANK or of[number + 1] != BLANK or of[number + 2] == BLANK:
            continue
        line = lines[number].strip()
        if len(line) <= TITLED and line[0].isupper() and line[-1] not in '.:;,?!|”"' and not _APART.search(line):
            of[number] = HEADING
            found.depth[number] = 5


def _contents(lines: list[str], found: Shapes) -> None:
    """Headings in a row that all stand elsewhere again are a table of contents."""
    words = {number: _WORDS.sub("", lines[number]).lower() for number in found.depth}
    often = Counter(words.values())
    run: list[int] = []
    for number, shape in enumerate((*found.of, TEXT)):
        if shape == HEADING and often[words[number]] > 1:
            run.append(number)
        elif shape not in (BLANK, RULE, NOISE):
            for listed in run if len(run) >= LISTED else ():
                found.of[listed] = NOISE
                del found.depth[listed]
            run = []
