"""Single values as languages spell them: escapes, and numbers that keep their spelling."""

import re
from typing import Any

from service.core.values import Number

_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{1,3})|(\r?\n)|(.))", re.S)
_NAMED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "a": "\a"}
_NAMED |= {sign: sign for sign in "\\'\"/"}
_INTEGER = re.compile(r"-?(?:0|[1-9]\d{0,17})")
_FLOAT = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+(?:[eE][-+]?\d+)?|[eE][-+]?\d+)")
_HALF = re.compile(r"[\ud800-\udfff]")
_LONGEST = 4000  # digits: Python refuses to print longer integers


def unescaped(text: str) -> str:
    """A string's text with the escapes of Python and JSON resolved; raises ValueError on half a surrogate pair."""
    plain = _ESCAPE.sub(_escape, text)
    if _HALF.search(plain):
        return plain.encode("utf-16", "surrogatepass").decode("utf-16")
    return plain


def _escape(found: re.Match[str]) -> str:
    two, four, eight, octal, newline, other = found.groups()
    if octal:
        return chr(int(octal, 8))
    if newline:
        return ""
    if other:
        return _NAMED.get(other, found.group())
    code = int(two or four or eight, 16)
    return chr(code) if code < 0x110000 else found.group()


def number(text: str) -> Any:
    """The number a literal spells, keeping its spelling where JSON has it too; else the text."""
    plain = text.replace("_", "").removeprefix("+")
    digits = plain.removeprefix("-")
    if digits.isdecimal() and digits.isascii():
        return text if len(digits) > _LONGEST or (digits[0] == "0" and digits != "0") else int(plain)
    if plain.endswith("."):
        plain += "0"
    if plain.startswith((".", "-.")):
        plain = plain.replace(".", "0.", 1)
    return Number(plain) if _FLOAT.fullmatch(plain) else text


def scalar(text: str) -> Any:
    """A number only when it would be printed exactly as it stands here; else the text."""
    if _INTEGER.fullmatch(text):
        return int(text) if text != "-0" else text
    return Number(text) if _FLOAT.fullmatch(text) else text


def is_number(text: str) -> bool:
    """Whether `scalar` makes this a number."""
    return _INTEGER.fullmatch(text) is not None or _FLOAT.fullmatch(text) is not None
