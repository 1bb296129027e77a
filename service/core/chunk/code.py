"""Source code of any language: definitions at the top level, then those within them, then blank lines.

No parser: a definition is told by the words that begin one, and takes the comments, decorators and annotations above it
along.
"""

from re import compile as regex

from service.core.chunk.marks import Heading, Last, Marks, Rank, finer, lines, matched
from service.core.chunk.prose import PARAGRAPH

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
_MEMBER = (
    rb"(?=[^;\r\n]*\([^;\r\n]*\)[^;\r\n]*\{[ \t]*\r?[\n])"
    rb"(?:[\w<>\[\],?]+[ \t]+){0,4}(?!(?:if|for|while|switch|return|else|catch|do)\b)[\w$#]+[ \t]*\("
)
REACH = 50_000  # how far above a chunk its definition is looked for
TOP = regex(rb"\n(?=" + _BEFORE + rb"(?:" + _WORDS + rb"|" + _ARROW + rb")|(?!return|else|#)" + _C_LIKE + rb")")
INNER = regex(rb"\n(?=(?: {1,8}+|\t{1,2}+)(?:" + _BEFORE + _WORDS + rb"|" + _MEMBER + rb"))")
ABOVE = regex(rb"[ \t]*(?:#(?!include|define|if|endif)|//|/\*|\*|@|--|\"\"\"|\[[A-Z])")
NAME = regex(rb"[^\r\n{]{1,80}")


def _with_above(text: bytes, last: Last) -> Last:
    """The same boundaries, each before the comments and decorators right above it."""
    before = lines(text)

    def start(low: int, high: int) -> int:
        cut = last(low, high)
        while cut > low:
            above = max(before(max(cut - 2000, 0), cut - 1), 0)
            if above >= cut or not ABOVE.match(text, above):
                break
            cut = max(above, low)
        return cut

    return start


def marks(text: bytes) -> Marks:
    """Definitions stay whole while they fit."""
    top = _with_above(text, matched(text, TOP))
    inner = _with_above(text, matched(text, INNER))
    blank = matched(text, PARAGRAPH)
    levels = (
        (Rank("definition", 0.5, top),),
        (Rank("definition", 0.5, inner),),
        (Rank("line", 0.5, blank),),
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
