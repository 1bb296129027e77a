"""What tells diffs, markdown, reStructuredText and source code from prose."""

import re

from service.core.forms.sample import Sample

_DIFF = re.compile(r"diff --(?:git|cc|combined) |Index: \S|@@@? -\d+(?:,\d+)? .*@@|\+\+\+ \S|--- \S|\*{15}$")
_HUNK = re.compile(r"^(?:@@@? -\d+(?:,\d+)?(?: -\d+(?:,\d+)?)? \+\d+(?:,\d+)? @@|diff --(?:git|cc|combined) )", re.M)
_HEADING = re.compile(r"#{1,6} \S")
_MARK = re.compile(
    r"```|~~~|[-*+] +(?:\[[ xX]\] )?\S|\d+[.)] +\S|> \S|\|.+\|$|(?:\*\*|__)\S|!?\[[^\]]*\]\(|<!--|\{\{[<%]|\[[^\]]+\]: \S|={3,}$|-{3,}$"
)
_INLINE = re.compile(r"\[[^\]\n]{1,80}\]\([^)\s]+|\*\*[^*\n]{1,80}\*\*|`[^`\n]{1,80}`")
_RST = re.compile(r"\.\. (?:[\w-]+::|_\S|\[)|:[A-Z][\w -]{0,30}: |:\w+:`")
_UNDERLINE = re.compile(r"([=\-~^\"'`#*+.:])\1{2,}\s*$")
_CODE = re.compile(
    r"(?:def|class|async def) \w+.*:$|(?:from \S+ )?import \S|from \S+ import |#!/|@\w+(?:\.\w+)*(?:\(.*\))?$|"
    r"(?:export |default |async |public |private |protected |static |final |abstract |pub(?:\(\w+\))? |inline |const |unsafe |override )*"
    r"(?:function\b|class \w|interface \w|type \w+|enum \w|struct \w|impl\b|trait \w|fn \w|func[ (]|let (?:mut )?\w|var \w|const \w|package \w|"
    r"namespace \w|using \w|module\b|require|return\b|void \w|int \w|string \w|bool \w)|#(?:include|define|ifn?def|endif|pragma)\b|"
    r"(?:if|for|while|switch|elif|else if|catch|with|match)\b.*[{:]$|(?:else|try|finally|do)\b ?[{:]$|(?:case|break|continue|throw|raise|yield|await|"
    r"self\.|this\.|print\(|console\.)\S*|end$|(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|FROM|WHERE|WITH|BEGIN|COMMIT)\b.*|//|/\*|\*/|\* |--\s|<\?php|fi$|done$|esac$"
)
_ENDING = re.compile(r".*(?:[{};]|\)[,:]?|=>|\\|[\]\}],?|\w\(|\[)$")
_OPERATOR = re.compile(r"[\w\])\"'] ?(?:[-+*/|&:]?=|==|!=|->|=>|::|&&|\|\||<-) ?[\w\[({\"'!&*-]|\w\(.*\)|\w\.\w+\(")
_SENTENCE = re.compile(r"[^\W\d_]{2,} [^\W\d_]{2,} [^\W\d_]{2,} [^\W\d_]{2,}.*")


def looks_diff(seen: Sample) -> bool:
    """Whether hunks of a unified diff make up the text."""
    if not _HUNK.search(seen.text):
        return False
    changed = sum(line[0] in "+- @" or _DIFF.match(line) is not None for line in seen.lines)
    return changed >= 0.6 * len(seen.lines)


def looks_markdown(seen: Sample) -> bool:
    """Whether headings, lists, tables, links and fences are marked the way markdown does."""
    total = len(seen.lines)
    headings = sum(_HEADING.match(line) is not None for line in seen.lines)
    marks = sum(_MARK.match(line.lstrip()) is not None for line in seen.lines)
    inline = sum(_INLINE.search(line) is not None for line in seen.lines)
    if headings and headings < 0.6 * total and not _code_share(seen) > 0.5:
        return True
    if total and (marks + inline) >= max(2, 0.3 * total) and _code_share(seen) <= 0.4:
        return True
    return total > 4 and inline >= 0.15 * total and marks >= 2 and _code_share(seen) <= 0.3


def looks_rst(seen: Sample) -> bool:
    """Whether headings are underlined and directives begin with two dots."""
    raw = seen.text[:65536].split("\n")
    underlined = sum(
        _UNDERLINE.match(below) is not None
        and 3 <= len(line.strip()) <= len(below.strip()) + 2
        and line[:1].strip() != ""
        for line, below in zip(raw, raw[1:], strict=False)
    )
    directives = sum(_RST.match(line.lstrip()) is not None for line in seen.lines)
    return underlined >= 2 and (
        directives >= 1 or _HEADING.match(seen.lines[0]) is None and underlined >= 3 and "](" not in seen.text
    )


def looks_code(seen: Sample) -> bool:
    """Whether the lines read like statements of a programming language."""
    return len(seen.lines) > 1 and _code_share(seen) >= 0.5


def _code_share(seen: Sample) -> float:
    points = 0.0
    for line in seen.lines[:200]:
        bare = line.strip()
        if _CODE.match(bare):
            points += 1
        elif _ENDING.match(bare) and not _SENTENCE.match(bare):
            points += 0.8
        elif _OPERATOR.search(bare) and not _SENTENCE.match(bare):
            points += 0.7
        elif bare in ("}", "{", ")", "];", "});", "end"):
            points += 1
    return points / max(1, min(200, len(seen.lines)))
