"""Where one written character ends and the next begins: the rules of Unicode's UAX 29 that a cut could break.

Written for cuts: where the rules and the tables of this Python disagree, two code points stay together.
"""

from re import compile as regex
from unicodedata import category, combining

CONTEXT = 64  # bytes looked at on either side of a cut; a longer run of flags or marks is counted from there
JOINER = "\u200d"
_EXTEND = regex("[\u200c\u200d\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f\uff9e\uff9f\u0e33\u0eb3]")
_PICTURE = regex("[\u00a9\u00ae\u203c-\u3299\U0001f000-\U0001faff]")
_FLAG = regex("[\U0001f1e6-\U0001f1ff]")
_FLAGS = regex("[\U0001f1e6-\U0001f1ff]*\\Z")
_PREPEND = regex("[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u0d4e\U000110bd\U000110cd\U000111c2\U000111c3]")
_LEADING = regex("[\u1100-\u115f\ua960-\ua97c]")
_VOWEL = regex("[\u1160-\u11a7\ud7b0-\ud7c6]")
_TRAILING = regex("[\u11a8-\u11ff\ud7cb-\ud7fb]")
_SYLLABLE = regex("[\uac00-\ud7a3]")
_VIRAMA = 9  # the canonical combining class of signs that join two consonants


def breaks(text: bytes, offset: int) -> bool:
    """Whether a cut here keeps every written character whole."""
    if not 0 < offset < len(text):
        return True
    before, after = text[offset - 1], text[offset]
    if before < 0x80 and after < 0x80:
        return not (before == 13 and after == 10)
    if after & 0xC0 == 0x80:
        return False
    left = text[max(offset - CONTEXT, 0) : offset].decode("utf-8", "ignore")
    right = text[offset : offset + 4].decode("utf-8", "ignore")
    return not (left and right) or not _together(left, right[0])


def _together(left: str, after: str) -> bool:
    """Whether the code point after a text belongs to the text's last character."""
    before = left[-1]
    if category(before) in ("Cc", "Zl", "Zp") or category(after) in ("Cc", "Zl", "Zp"):
        return False
    if category(after) in ("Mn", "Me", "Mc") or _EXTEND.match(after) or _PREPEND.match(before):
        return True
    if _FLAG.match(after) and (run := _FLAGS.search(left)):
        return len(run[0]) % 2 == 1
    if before == JOINER:
        return bool(_PICTURE.match(after)) or category(after) == "Lo"
    return _syllable(before, after) or (combining(before) == _VIRAMA and category(after) == "Lo")


def _syllable(before: str, after: str) -> bool:
    """Hangul: leading consonants, vowels and trailing consonants of one syllable."""
    if _LEADING.match(before):
        return bool(_LEADING.match(after) or _VOWEL.match(after) or _SYLLABLE.match(after))
    open_syllable = bool(_SYLLABLE.match(before)) and (ord(before) - 0xAC00) % 28 == 0
    if _VOWEL.match(before) or open_syllable:
        return bool(_VOWEL.match(after) or _TRAILING.match(after))
    return bool(_SYLLABLE.match(before) or _TRAILING.match(before)) and bool(_TRAILING.match(after))
