"""Prose: paragraphs, then sentences."""

from re import compile as regex

from service.core.chunk.graphemes import breaks
from service.core.chunk.marks import NEWLINE, Last, Marks, Rank, finer, matched

PARAGRAPH = regex(NEWLINE + rb"(?:[ \t]*" + NEWLINE + rb")+")
NEAR = 512  # sentences are looked for backwards from the end of the window: this far at first
NEWLINES = regex(rb"[\r\n]")
ENDS = tuple(sign.encode() for sign in ".!?;,\"'”’»)…。！？」』）`|>")
PLAIN_PARAGRAPH = regex(rb"\n(?:[ \t]*\n)+")  # the same where there is no CR, and faster
_CLOSERS = rb"(?:[\"')\]*_`]|\xe2\x80[\x99\x9d]|\xc2\xbb|\xe3\x80[\x8d\x8f]|\xef\xbc\x89)*"
_WIDE = rb"\xe3\x80\x82|\xef\xbc\x81|\xef\xbc\x9f|\xef\xbd\xa1"  # 。！？｡
SENTENCE = regex(
    rb"(?:(?<![.!?])(?:[.!?]|\xe2\x80\xa6|\xd8\x9f|\xe0\xa5[\xa4\xa5])+" + _CLOSERS + rb"[ \t\r\n][ \t\r\n]*"
    rb"|(?:" + _WIDE + rb")+" + _CLOSERS + rb"[ \t\r\n]*)"
)
ABBREVIATION = regex(
    rb"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|vs|etc|cf|al|[Ff]ig|[Nn]o|Nr|Vol|pp|ca|approx|Inc|Ltd|Co|Corp|Gen|Col|Sen|Rep|Rev"
    rb"|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|bzw|usw|Abs|Hr|vgl|evtl|ggf|inkl|resp|dept|est|Mme|Mlle|MM"
    rb"|e\.g|i\.e|z\.B|d\.h|u\.a|a\.m|p\.m|U\.S|[A-Z])|^\s*[\d.]+)\.\Z"
)


def paragraphs(text: bytes) -> Last:
    """Behind blank lines."""
    return matched(text, PARAGRAPH if b"\r" in text else PLAIN_PARAGRAPH)


def sentences(text: bytes) -> Last:
    """Ends of sentences, spaces included; an abbreviation, an initial or the number of an item ends none."""

    def ends(stop: int, end: int) -> bool:
        if text[stop] != 46:
            return breaks(text, end)
        line = text[max(stop - 40, 0) : stop + 1].rsplit(b"\n", 1)[-1]
        return (
            line[-2:-1] not in b" \t"
            and not ABBREVIATION.search(line)
            and not text[end : end + 1].islower()
            and breaks(text, end)
        )

    def within(low: int, high: int) -> int:
        cut = low
        for match in SENTENCE.finditer(text, low, min(high + 1, len(text))):
            if low < match.end() <= high and ends(match.start(), match.end()):
                cut = match.end()
        return cut

    def last(low: int, high: int) -> int:
        near = high - NEAR
        return cut if near > low and (cut := within(near, high)) > near else within(low, high)

    return last


def set_apart(text: bytes, last: Last) -> Last:
    """Without the boundaries that part a block from the title or the line with a colon that introduces it."""

    def introduces(cut: int) -> bool:
        above = text[max(cut - 400, 0) : cut].rstrip()
        block = PARAGRAPH.split(above)[-1].strip()
        if block.endswith((b":", "：".encode())):
            return True
        title = len(block) < 80 and not NEWLINES.search(block) and len(block) < len(above)
        return title and (not block.endswith(ENDS) or block.isupper())

    def apart(low: int, high: int) -> int:
        while high > low and (cut := last(low, high)) > low:
            if not introduces(cut):
                return cut
            high = cut - 1
        return low

    return apart


def marks(text: bytes) -> Marks:
    """Paragraphs are set apart by blank lines."""
    blocks = paragraphs(text)
    ranks = (
        Rank("paragraph", 0.6, set_apart(text, blocks)),
        Rank("paragraph", 0.0, blocks),
        Rank("sentence", 0.0, sentences(text)),
    )
    return Marks((ranks, *finer(text)))
