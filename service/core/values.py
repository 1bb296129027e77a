"""JSON as Python values without losing a digit: a number that Python would rewrite keeps its own spelling."""

import json
from typing import Any

import msgspec

_DIGITS = 4000  # Python refuses to convert much longer ones


class Number(float):
    """A JSON number with a fraction or exponent: its value, and the text it came as."""

    __slots__ = ("text",)
    text: str

    def __new__(cls, text: str) -> "Number":
        number = super().__new__(cls, text)
        number.text = text
        return number

    def __reduce__(self) -> tuple[type["Number"], tuple[str]]:
        return Number, (self.text,)


def _as_written(value: Any) -> msgspec.Raw:
    if isinstance(value, Number):
        return msgspec.Raw(value.text.encode())
    raise TypeError(f"{type(value).__name__} is not a JSON value")


_DECODER = msgspec.json.Decoder(float_hook=Number)
_ENCODER = msgspec.json.Encoder(enc_hook=_as_written)


def decode(data: bytes | str) -> Any:
    """The value of a JSON text; raises ValueError on everything that is not one (or is nested too deep)."""
    try:
        return _DECODER.decode(data)
    except RecursionError as error:
        raise ValueError("JSON is nested too deep") from error
    except msgspec.ValidationError:  # an integer that is longer than Python reads
        return json.loads(data, parse_float=Number, parse_int=_integer)


def _integer(text: str) -> int | Number:
    return int(text) if len(text) < _DIGITS else Number(text)


def encode(value: Any) -> bytes:
    """Compact JSON, UTF-8 unescaped, numbers as they were written."""
    return _ENCODER.encode(value)


def minify(data: bytes) -> bytes:
    """The same JSON without the spaces between tokens; escapes, key order and duplicate keys stay."""
    return msgspec.json.format(data, indent=-1)
