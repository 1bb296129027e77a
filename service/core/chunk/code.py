"""Source code of any language: definitions at the top level, then those within them, then blank lines.

No parser: a definition is told by the words that begin one, and takes the comments, decorators and annotations above it
along.
"""

from re import compile as regex

from service.core.chunk.marks import Heading, Last, Marks, Rank, finer, indented, lines, matched
from service.core.chunk.prose import paragraphs

_BEFORE = (
    rb"(?:(?:export|default|pub(?:\([a-z]+\))?|public|private|protected|internal|static|async|abstract|final|sealed|unsafe"
    rb"|extern|inline|virtual|override|declare|partial|readonly|data|open|suspend|const|synchronized|native)[ \t]+)*"
)
_WORDS = (
    rb"(?:def|class|func|function\*?|fn|struct|enum|union|interface|trait|impl|type|module|namespace|object|record|protocol"
    rb"|extension|macro_rules!|template|typedef|sub|procedure|package|describe|create|CREATE)\b(?![ \t]*[=,;.)])"
)
_ARROW = rb"(?:const|let|var)[ \t]+\w+[^\r\n=]*=[ \t]*(?:async[ \t]*)?(?:function\b|\(|\w+[ \t]*=>|\{|\[)"
_C_LIKE = rb"[A-Za-z_][\w:<>,*& \t]{0,120}[ \t*&]~?[\w:]+[ \t]*\([^;\r\n]*(?:\{|,|\)[ \t]*(?:const)?[ \t]*\r?[\n])"
_NO_NAME = (
    rb"(?!(?:if|for|foreach|while|switch|return|else|catch|do|go|defer|select|with|try|using|lock|func|function"
    rb"|await|new)\b)"
)
_MEMBER = (
    rb"(?=[^;\r\n]*\([^;\r\n]*\)[^;\r\n]*\{[ \t]*[\r\n])"
    + _NO_NAME
    + rb"(?:[\w<>\[\],?]+[ \t]+){0,4}"
    + _NO_NAME
    + rb"[\w$#]+[ \t]*\("
)
COMMENT = 4000  # bytes of comments above a definition
REACH = 50_000  # how far above a chunk its definition is looked for
TOP = regex(rb"\n(?=" + _BEFORE + rb"(?:" + _WORDS + rb"|" + _ARROW + rb")|(?!return|else|#)" + _C_LIKE + rb")")
INNER = regex(rb"\n(?=(?: {1,8}+|\t{1,2}+)(?:" + _BEFORE + _WORDS + rb"|" + _MEMBER + rb"))")
STATEMENT = regex(rb"\n([ \t]*)(?![\s})\]]|else\b|elif\b|except\b|catch\b|finally\b|end\b|//|#|\*|/\*)")
ABOVE = regex(rb"[ \t]*(?:#(?!include|define|if|endif)|//|/\*|\*|@|--|\"\"\"|\[[A-Z])")
NAME = regex(rb"[^\r\n{]{1,80}")


def _with_above(text: bytes, last: Last, ahead: int = 0) -> Last:
    """The same boundaries, each before the comments and decorators right above it, which may be the end of a window."""
    before = lines(text)

    def climbed(low: int, start: int) -> int:
        while start > low:
            above = before(max(start - 2000, 0), start - 1)
            if above >= start or not ABOVE.match(text, above):
                break
            start = max(above, low)
        return start

    def begin(low: int, high: int) -> int:
        limit = high + ahead
        while limit > low and (found := last(low, limit)) > low:
            start = climbed(low, found)
            if start <= high:
                return start
            limit = found - 1
        return low

    return begin


def marks(text: bytes) -> Marks:
    """Definitions stay whole while they fit."""
    top = _with_above(text, matched(text, TOP), COMMENT)
    inner = _with_above(text, matched(text, INNER), COMMENT)
    blank = paragraphs(text)
    outermost, latest = indented(text, STATEMENT)
    levels = (
        (Rank("definition", 0.3, top),),
        (Rank("definition", 0.4, inner),),
        (Rank("line", 0.5, blank), Rank("line", 0.5, _with_above(text, outermost)), Rank("line", 0.0, latest)),
    )
    return Marks((*levels, *finer(text)), {}, _definition(text))


def _definition(text: bytes) -> Heading:
    """The top-level definition a chunk goes on with, where it does not begin one."""
    last = matched(text, TOP)

    def heading(start: int, end: int) -> str:
        if text[start : start + 1] not in (b" ", b"\t"):
            return ""
        low = max(start - REACH, -1)
        top = last(low, start)
        known = top > low or (low < 0 and TOP.match(b"\n" + text[:400]))
        name = NAME.match(text, max(top, 0)) if known else None
        return name[0].decode("utf-8", "ignore").strip() if name else ""

    return heading
