"""Prose: paragraphs, then sentences."""

from re import compile as regex

from service.core.chunk.graphemes import breaks
from service.core.chunk.marks import Last, Marks, Rank, finer, matched

PARAGRAPH = regex(rb"(?:\r\n|\r|\n)[ \t]*(?:(?:\r\n|\r(?!\n)|\n)[ \t]*)*(?:\r\n|\r(?!\n)|\n)")
_CLOSERS = rb"(?:[\"')\]*_`]|\xe2\x80[\x99\x9d]|\xc2\xbb|\xe3\x80[\x8d\x8f]|\xef\xbc\x89)*"
_WIDE = rb"\xe3\x80\x82|\xef\xbc\x81|\xef\xbc\x9f|\xef\xbd\xa1"  # 。！？｡
SENTENCE = regex(
    rb"(?:(?:[.!?]|\xe2\x80\xa6|\xd8\x9f|\xe0\xa5[\xa4\xa5])+" + _CLOSERS + rb"[ \t]*(?:[ \t]|\r\n|\r|\n)[ \t\r\n]*"
    rb"|(?:" + _WIDE + rb")+" + _CLOSERS + rb"[ \t\r\n]*)"
)
ABBREVIATION = regex(
    rb"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|vs|etc|cf|al|Fig|fig|No|no|Nr|Vol|pp|ca|approx|Inc|Ltd|Co|Corp|Gen|Col|Sen|Rep|Rev"
    rb"|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec|bzw|usw|Abs|Hr|Frau|vgl|evtl|ggf|inkl|resp|dept|est|e\.g|i\.e|z\.B|d\.h|u\.a"
    rb"|a\.m|p\.m|U\.S|[A-Z])|^\s*\d+)\.\Z"
)


def sentences(text: bytes) -> Last:
    """Ends of sentences, the spaces behind them included; an abbreviation or an initial ends none."""

    def ends(start: int, end: int) -> bool:
        body = text[max(start - 24, 0) : start + 1]
        if text[start] == 46 and ABBREVIATION.search(body.rsplit(b"\n", 1)[-1]):
            return False
        return not (text[start] == 46 and text[end : end + 1].islower()) and breaks(text, end)

    def last(low: int, high: int) -> int:
        cut = low
        for match in SENTENCE.finditer(text, low, min(high + 1, len(text))):
            if low < match.end() <= high and ends(match.start(), match.end()):
                cut = match.end()
        return cut

    return last


def marks(text: bytes) -> Marks:
    """Paragraphs are set apart by blank lines."""
    ranks = (Rank("paragraph", 0.5, matched(text, PARAGRAPH)), Rank("sentence", 0.0, sentences(text)))
    return Marks((ranks, *finer(text)))
