"""Python reprs and almost-JSON: both quotes, None and NaN, tuples, calls, comments, trailing commas, a cut-off end."""

import re
from typing import Any

from service.core.forms.calls import called, key_text
from service.core.forms.depth import DEPTH
from service.core.forms.scalars import number, scalar, unescaped

# One token and the sign behind it. Possessive quantifiers: an unclosed quote costs one pass and never a backtrack.
_TOKEN = re.compile(
    r"""(?:\s++|//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+\*/|\#[^\n]*+)*+
    (?: (?: ([bBuU]?(?:'[^'\\]*+(?:\\(?s:.)[^'\\]*+)*+'|"[^"\\]*+(?:\\(?s:.)[^"\\]*+)*+"
             |`[^`\\]*+(?:\\(?s:.)[^`\\]*+)*+`))
          | ([-+]?(?:\d[\d_]*+(?:\.\d*+)?|\.\d++)(?:[eE][-+]?\d++)?(?![\w.-])|[-+]?\d++n?(?![\w.-]))
          | (-?[A-Za-z_$@][\w.$]*+(?!\s?[({])|:[A-Za-z_]\w*+[?!]?|\d{4}-\d\d-\d\dT[\d:.+Z-]++|0[xX][\da-fA-F]++
             |<[^<>\n]{0,300}+(?:<[^<>\n]{0,300}+>[^<>\n]{0,300}+)*+>|\.\.\.(?:[ ]\d++[ ]more[ ]\w++)?
             |\[(?:Object|Array|Circular|Function|AsyncFunction|Getter|Setter|class)\b[^\]\n]{0,100}+\])
          | ([\])}])
        ) \s*+(=>|[:,=]?)
      | ([A-Za-z_][\w.]*+(?:\(\d++\))?\s?)?([\[({]))""",
    re.X,
).match
_BARE = re.compile(r"[^\s'\"\[{(,}\])][^,{}\[\]\n]{0,200}")  # what Java prints without quotes
_WORDS: dict[str, Any] = {"None": None, "null": None, "undefined": None, "True": True, "true": True, "False": False}
_WORDS |= {
    "false": False,
    "nil": None,
    "NULL": None,
    "nan": "NaN",
    "NaN": "NaN",
    "inf": "Infinity",
    "-inf": "-Infinity",
}
_WORDS |= {"Infinity": "Infinity", "-Infinity": "-Infinity"}
_PYTHON = frozenset(("None", "True", "False", "nan", "inf", "-inf"))
_SCRIPT = frozenset(("null", "nil", "true", "false", "undefined", "Infinity", "NaN"))
_CLOSES = {"[": "]", "(": ")", "{": "}"}


class _Refused(ValueError):
    pass


class Open:
    """An open bracket: what stands in it so far. The outermost one has no sign and holds the result."""

    __slots__ = ("comma", "full", "items", "key", "keyed", "keys", "name", "opener")

    def __init__(self, opener: str, name: str) -> None:
        """Nothing stands in it yet."""
        self.opener, self.name = opener, name
        self.items: list[Any] = []  # values without a key
        self.keys: dict[str, Any] | None = None  # values with one
        self.key: str | None = None  # the key whose value comes next
        self.full = False  # a value is complete: a separator or the closing bracket must follow
        self.comma = False
        self.keyed = False  # keys may stand here though the bracket is not a brace


class Literal:
    """A literal: its value, where it ends, what was still open there, and whose spelling it is."""

    __slots__ = ("end", "python", "script", "stack")

    def __init__(self) -> None:
        """Nothing is open but the place for the result."""
        self.stack = [Open("", "")]
        self.python = False  # spelled as Python does
        self.script = False  # spelled as JSON or JavaScript does
        self.end = 0

    @property
    def value(self) -> Any:
        """The value, brackets that were never closed taken as closed here; raises ValueError when they cannot be."""
        while len(self.stack) > 1:
            _closed(self.stack)
        return self.stack[0].items[0]


def literal(text: str, at: int = 0) -> Literal | None:
    """The literal that begins here, as far as it can be read; None when nothing can."""
    found, result, end = _TOKEN(text, at), Literal(), at
    try:
        while found and _step(result, found):
            end = found.end()
            if len(result.stack) == 1 and result.stack[0].full:
                break
            end = _bare(result, text, end) if text[end - 1] == "=" else end
            found = _TOKEN(text, end)
    except ValueError:
        return None
    result.end = end
    return result if result.stack[0].full or len(result.stack) > 1 else None


def _bare(result: Literal, text: str, at: int) -> int:
    """Take a text without quotes behind `name=` in braces, up to the comma or the bracket that ends it."""
    frame = result.stack[-1]
    if frame.opener != "{" or frame.full or frame.key is None:
        return at
    found = _BARE.match(text, at)
    if not found:
        return at
    bare = found[0].strip()
    result.script = True
    _put(frame, _WORDS.get(bare, scalar(bare)), sign := text[found.end() : found.end() + 1].strip("}]"))
    return found.end() + len(sign)


def _step(result: Literal, found: re.Match[str]) -> bool:
    """Take one token; False when it does not belong here."""
    string, digits, word, close, sign, name, opener = found.groups()
    frame = result.stack[-1]
    if sign == "=" and frame.opener == "{" and found.string[found.end() - 2].isspace():
        return False  # an assignment
    if sign == "=>":  # of Ruby and PHP, where lists have keys too
        sign, frame.keyed = ":", True
    if close:
        if _CLOSES.get(frame.opener) != close or (frame.key is not None and not frame.full):
            return False
        _closed(result.stack)
        return _follow(result.stack[-1], sign)
    if frame.full:
        return False
    if opener:
        if len(result.stack) > DEPTH or (name and opener == "["):
            raise _Refused
        result.python |= opener == "("
        result.stack.append(Open(opener, (name or "").strip()))
        return True
    if string:
        result.python |= string[0] not in '"`'
        value: Any = string[1:-1] if string[0] in "'\"`" else string[2:-1]
        return _put(frame, unescaped(value) if "\\" in value else value, sign)
    if digits:
        return _put(frame, number(digits), sign)
    return _word(result, frame, word, sign)


def _word(result: Literal, frame: Open, word: str, sign: str) -> bool:
    """A bare word: a constant, a key, or something that prints itself without quotes."""
    if sign != "=" and word in _WORDS:
        result.python |= word in _PYTHON
        result.script |= word in _SCRIPT
        return _put(frame, _WORDS[word], sign)
    if (sign in (":", "=") and sign) or word[0] in "<[:.0123456789" or "." in word or frame.name:
        word = word[1:] if word[0] == ":" and sign == ":" else word
        result.script |= sign == ":"
        return bool(frame.opener) and _put(frame, word, sign)
    return False


def _put(frame: Open, value: Any, sign: str) -> bool:
    """Add a value, or a key when a colon (an equals sign in a call) follows."""
    if sign == ":" or sign == "=":
        fits = frame.keyed or frame.opener == "{" or (sign == "=" and frame.opener == "(")
        if frame.key is not None or not fits:
            return False
        frame.key = value if isinstance(value, str) else key_text(value)
        return True
    _add(frame, value)
    return _follow(frame, sign)


def _add(frame: Open, value: Any) -> None:
    if frame.key is not None:
        if frame.keys is None:
            frame.keys = {}
        frame.keys[frame.key] = value
    else:
        frame.items.append(value)
    frame.full = True


def _follow(frame: Open, sign: str) -> bool:
    """What a complete value is followed by: a comma makes room for the next one."""
    if sign == "," and frame.opener:
        frame.full, frame.key, frame.comma = False, None, True
    elif sign == ":":  # a tuple as a key
        if not (frame.keyed or frame.opener == "{") or frame.key is not None or not frame.items:
            return False
        frame.key, frame.full = key_text(frame.items.pop()), False
    return sign != "="


def _closed(stack: list[Open]) -> None:
    """Turn the innermost bracket into the value it means."""
    done = stack.pop()
    if done.keys is not None and done.items and done.opener == "{":
        raise _Refused
    if done.keyed and done.keys is not None and not done.name.endswith(")"):
        done.opener, done.name = "{", done.name if done.name not in ("array", "Array") else ""
    if done.name:
        value: Any = called(done.name, done.items, done.keys or {})
    elif done.opener == "{":
        value = done.items if done.items else done.keys or {}
    elif done.opener == "(" and len(done.items) == 1 and not done.comma:
        value = done.items[0]
    else:
        value = done.items
    _add(stack[-1], value)
