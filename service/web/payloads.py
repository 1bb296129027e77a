"""What a body says: JSON or text, options beside a payload or a payload alone.

No aiohttp here: what is large is read in another process.
"""

import codecs
import re
from functools import lru_cache
from typing import NamedTuple

import msgspec

from schemas.api import Ask
from service.core.payload import Payload
from service.errors import PayloadTooDeep, Refusal, RequestInvalid, UnsupportedEncoding
from service.web import options
from service.web.depth import looking

CONTENT_TYPES = {
    "text/csv": "csv",
    "application/csv": "csv",
    "text/tab-separated-values": "tsv",
    "text/markdown": "markdown",
    "text/x-markdown": "markdown",
    "text/html": "html",
    "application/xhtml+xml": "html",
    "text/x-rst": "rst",
    "text/x-diff": "diff",
    "text/x-patch": "diff",
    "text/x-log": "log",
    "text/json": "json",
    "text/javascript": "code",
    "application/javascript": "code",
    "text/x-python": "code",
    "text/x-c": "code",
    "text/x-java-source": "code",
    "text/x-go": "code",
    "text/x-rust": "code",
    "text/x-sh": "code",
    "application/x-sh": "code",
    "application/x-ndjson": "jsonl",
    "application/ndjson": "jsonl",
    "application/jsonl": "jsonl",
    "application/x-jsonlines": "jsonl",
    "application/jsonlines": "jsonl",
}
LOOKS_LIKE_OBJECT = (
    "The body looks like a request object but was taken as the payload, because its type is not application/json"
    " or because there are options in the URL."
)
NOT_STRICT = "The JSON holds a lone surrogate, NaN or Infinity, which JSON does not know: it is treated as text."
DIGITS, STRIDE = 4300, 100  # the longest integer that Python reads; one sample in so many bytes finds a longer one
TOO_LONG = f"The JSON holds an integer of more than {DIGITS} digits: it is treated as text."
_ALL_DIGITS = re.compile(rb"\d{%d}" % (DIGITS // STRIDE))
_VALUES = msgspec.json.Decoder(float_hook=str)
NONE = msgspec.Raw()
PIECE = 1 << 20
_ANY = msgspec.json.Decoder(msgspec.Raw)
_STRING = msgspec.json.Decoder(str)
# Codecs that are no character sets, or that take more than linear time.
_NO_CHARSET = frozenset("idna punycode raw_unicode_escape unicode_escape undefined".split())


class Received(NamedTuple):
    """A request, read: options, payload (none with a cursor), what the answer's notes shall say about it."""

    ask: Ask
    payload: Payload | None
    notes: tuple[str, ...] = ()


class Judged(NamedTuple):
    """What a body is that came with its options in the URL."""

    payload: Payload
    notes: tuple[str, ...] = ()


def request_object(data: bytes, endpoint: str, maximum: options.Maximum) -> Received:
    """Options and payload side by side in one JSON object."""
    data = data.removeprefix(codecs.BOM_UTF8)
    ask, odd = options.from_object(data, endpoint, maximum)
    options.exactly_one(ask, endpoint)
    if ask.cursor is not msgspec.UNSET:
        return Received(ask, None)
    content_type = ask.content_type or None
    if isinstance(ask.text, str):
        return Received(ask, Payload(ask.text.encode(), "text", content_type))
    payload, notes = of_value(bytes(ask.payload), content_type, odd)
    if len(data) > PIECE:  # the Raw would keep the whole body alive beside its copy
        ask = msgspec.structs.replace(ask, payload=NONE)
    return Received(ask, payload, notes)


def raw_body(data: bytes, kind: str, charset: str | None, ask: Ask) -> Judged:
    """A body that is the payload, in UTF-8."""
    data = utf8(data, charset, ask.encoding or "")
    payload, notes = form_of(data, kind, ask.content_type or CONTENT_TYPES.get(kind))
    if payload.form == "json" and data.lstrip()[:1] == b"{" and options.looks_like_object(data):
        notes += (LOOKS_LIKE_OBJECT,)
    return Judged(payload, notes)


def object_apart(data: bytes, charset: str | None, endpoint: str, depth: int) -> Received | None:
    """A request object with its depth checked, its payload or text only once; None when anything is wrong with it."""
    try:
        data = utf8(data, charset, "")
        refuse_deep(data, depth, 1)
        received = request_object(data, endpoint, lambda _: 0)
    except Refusal:
        return None  # whoever asked finds out what, and says so
    text = msgspec.UNSET if received.ask.text is msgspec.UNSET else ""
    return received._replace(ask=msgspec.structs.replace(received.ask, payload=NONE, text=text))


def body_apart(data: bytes, kind: str, charset: str | None, ask: Ask, depth: int) -> Judged | None:
    """The same for a body that is the payload; its bytes do not come back when they are those that went out."""
    try:
        judged = raw_body(data, kind, charset, ask)
        if judged.payload.form == "json":
            refuse_deep(judged.payload.data, depth)
    except Refusal:
        return None
    payload = judged.payload
    return judged._replace(payload=Payload(b"", payload.form, payload.content_type)) if payload.data is data else judged


def refuse_deep(data: bytes, limit: int, more: int = 0) -> None:
    """Refuses JSON that is nested deeper than the limit, and than what its envelope adds to it."""
    if any(looking(data, limit + more)):
        raise too_deep(limit)


def too_deep(limit: int) -> PayloadTooDeep:
    """The refusal."""
    return PayloadTooDeep(
        f"The JSON is nested deeper than {limit} levels.",
        "Flatten it, send it as text/plain, or let the operator raise DECANT_MAX_DEPTH.",
        limit=limit,
    )


def form_of(data: bytes, kind: str, content_type: str | None) -> tuple[Payload, tuple[str, ...]]:
    """JSON or text, by the body's media type; what no type tells is JSON when it parses."""
    if is_json(kind):
        try:
            _ANY.decode(data)
        except (ValueError, RecursionError) as error:
            return odd_json(data, content_type, error)
        return of_json(data, content_type)
    if not kind.startswith("text/") and kind not in CONTENT_TYPES and parses(data):
        return of_json(data, content_type)
    return Payload(data, "text", content_type), ()


@lru_cache(maxsize=256)
def media_type(header: str) -> tuple[str, str | None, bool]:
    """Type, charset, and whether it is JSON, of a Content-Type header."""
    kind, _, parameters = header.partition(";")
    charset = re.search(r"charset\s*=\s*[\"']?([^\s\"';]+)", parameters, re.IGNORECASE)
    kind = kind.strip().lower()
    return kind, charset[1] if charset else None, is_json(kind)


def is_json(kind: str) -> bool:
    """Whether a media type says JSON."""
    return kind == "application/json" or kind.endswith("+json")


def parses(data: bytes) -> bool:
    """Whether bytes are JSON."""
    try:
        _ANY.decode(data)
    except (ValueError, RecursionError):
        return False
    return True


def of_value(data: bytes, content_type: str | None, odd: bool) -> tuple[Payload, tuple[str, ...]]:
    """The payload of a JSON value beside options: a string is the text it spells."""
    if odd:
        return Payload(data, "text", content_type), (NOT_STRICT,)
    if data[:1] == b'"':
        return Payload(_STRING.decode(data).encode(), "text", content_type), ()
    return of_json(data, content_type)


def of_json(data: bytes, content_type: str | None) -> tuple[Payload, tuple[str, ...]]:
    """The payload of valid JSON; one with a number that nobody can hold is text."""
    if len(data) > DIGITS and _ALL_DIGITS.search(data[::STRIDE]) and not decodes(data):
        return Payload(data, "text", content_type), (TOO_LONG,)
    return Payload(data, "json", content_type), ()


def decodes(data: bytes) -> bool:
    """Whether every value in JSON can be held."""
    try:
        _VALUES.decode(data)
    except ValueError:
        return False
    return True


def odd_json(data: bytes, content_type: str | None, error: Exception) -> tuple[Payload, tuple[str, ...]]:
    """JSON by its type that is none by the book: what Python's json writes is text, everything else is refused."""
    if data.startswith(codecs.BOM_UTF8) and parses(data.removeprefix(codecs.BOM_UTF8)):
        return Payload(data, "text", content_type), ()
    odd = options.masked(data)
    if odd != data and parses(odd):
        return Payload(data, "text", content_type), (NOT_STRICT,)
    raise options.malformed(error, data) from error


def utf8(data: bytes, charset: str | None, encoding: str) -> bytes:
    """The same characters as UTF-8, checked; the option `encoding` beats the type's charset."""
    name = encoding or charset or "utf-8"
    if name.lower() in ("utf-8", "utf8", "ascii", "us-ascii"):
        if not data.isascii():
            check_utf8(data)
        return data
    try:
        return data.decode(_codec(name, bool(encoding))).encode()
    except UnicodeDecodeError as error:
        raise options.not_utf8(error) from error
    except UnicodeError as error:
        raise RequestInvalid(f"The body is not {name[:40]}.", "Name the encoding it has.") from error


def check_utf8(data: bytes) -> None:
    """Refuses what is not UTF-8, with the byte; in pieces, because the characters may take four times the bytes."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    for at in range(0, len(data), PIECE):
        pending = len(decoder.getstate()[0])
        try:
            decoder.decode(data[at : at + PIECE], at + PIECE >= len(data))
        except UnicodeDecodeError as error:
            error.start += at - pending
            raise options.not_utf8(error) from error


def _codec(name: str, asked: bool) -> str:
    try:
        codec = codecs.lookup(name).name
        "".encode(codec)  # refuses what is no character set: hex, zlib ...
    except (LookupError, ValueError):
        codec = ""
    if codec and codec.replace("-", "_") not in _NO_CHARSET:
        return codec
    if asked:
        raise RequestInvalid(f"encoding {name[:40]!r} is not known.", "Name a character set, for example latin-1.")
    raise UnsupportedEncoding(f"charset {name[:40]!r} is not known.", "Send UTF-8, or name a character set.")
