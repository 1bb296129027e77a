"""Options of a request, from the query string or a request object, checked against the endpoint that got them."""

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from difflib import get_close_matches
from typing import Any, Literal, NoReturn, get_args, get_origin, get_type_hints

import msgspec
from msgspec import UNSET

from schemas.api import OPTIONS, Ask
from schemas.problem import FieldError
from service.errors import PayloadMalformed, PayloadTooDeep, Refusal, RequestInvalid

WIRE = dict(zip(Ask.__struct_fields__, Ask.__struct_encode_fields__, strict=True))
FIELDS = {wire: field for field, wire in WIRE.items()}
Maximum = Callable[[str], int]  # the largest page of a policy, by its name; of `default` when there is none
EITHER = "payload", "text", "cursor"
RAW_BODY = "To send the body itself as the payload, put an option in the URL, for example ?policy=default"
_BOOLEANS = {"true": True, "false": False, "": True}
_IS_BOOLEAN = frozenset({"explain"})
_DECODER = msgspec.json.Decoder(Ask)
_LOOSE = msgspec.json.Decoder(dict[str, msgspec.Raw])
# What an endpoint has no use for, so that a request pays for a handful of look-ups only.
_USELESS = {
    endpoint: tuple(field for field in Ask.__struct_fields__ if field not in known)
    for endpoint, known in OPTIONS.items()
}
_ODD = re.compile(rb"\\u[dD][89a-fA-F][0-9a-fA-F]{2}|NaN|Infinity")
_IN_RESULT = re.compile(rb'"shape"\s*:\s*"mcp"')  # in a body that cannot be read as options
_UNKNOWN = re.compile(r"unknown field `(.*)`", re.DOTALL)
_BYTE = re.compile(r"\(byte (\d+)\)")


def _words(hint: Any) -> list[str]:
    if get_origin(hint) is Literal:
        return [str(word) for word in get_args(hint)]
    return [word for part in get_args(hint) for word in _words(part)]


WORDS = {WIRE[field]: words for field, hint in get_type_hints(Ask).items() if (words := _words(hint))}


def from_object(data: bytes, endpoint: str, maximum: Maximum) -> tuple[Ask, bool]:
    """The Ask that a JSON request object spells, and whether its payload is what only Python's json reads."""
    try:
        return _from_object(data, endpoint, maximum)
    except Refusal as refusal:
        refusal.in_result = endpoint == "/more" and bool(_IN_RESULT.search(data))
        raise


def _from_object(data: bytes, endpoint: str, maximum: Maximum) -> tuple[Ask, bool]:
    try:
        ask = _DECODER.decode(data)
    except msgspec.ValidationError as error:
        if endpoint != "/more" and not _says_what(data):
            _no_request_object(error, endpoint)
        refuse(error, endpoint, maximum, lambda name: _given(data, name))
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        odd = masked(data)
        if odd == data:
            raise malformed(error, data) from error
        return _unmasked(data, odd, _from_object(odd, endpoint, maximum)[0], error), True
    return check(ask, endpoint), False


def masked(data: bytes) -> bytes:
    """The same JSON, byte for byte as long, without what only Python's json reads: lone surrogates, NaN, Infinity."""
    return _ODD.sub(lambda found: b"\\u0041" if found[0][:1] == b"\\" else b"1".ljust(len(found[0]), b"0"), data)


def _unmasked(data: bytes, odd: bytes, ask: Ask, error: Exception) -> Ask:
    payload = bytes(ask.payload)
    at = odd.find(payload) if payload else -1
    if at < 0:
        raise malformed(error, data) from error
    return msgspec.structs.replace(ask, payload=msgspec.Raw(data[at : at + len(payload)]))


def from_query(query: Mapping[str, str], endpoint: str, maximum: Maximum) -> Ask:
    """The Ask that a query string spells."""
    try:
        return _from_query(query, endpoint, maximum)
    except Refusal as refusal:
        refusal.in_result = endpoint == "/more" and query.get("shape") == "mcp"
        raise


def _from_query(query: Mapping[str, str], endpoint: str, maximum: Maximum) -> Ask:
    options: dict[str, Any] = {}
    for name, value in query.items():
        if name in options:
            raise _invalid(name, f"{name} is there more than once.", "Give every query parameter once.")
        if name in ("payload", "text"):
            raise _invalid(name, f"{name} does not go into the URL.", "Send the payload as the body.")
        if name not in FIELDS:
            raise _unknown(name, endpoint)
        options[name] = _BOOLEANS.get(value.lower(), value) if name in _IS_BOOLEAN else value
    try:
        ask = msgspec.convert(options, Ask, strict=False)
    except msgspec.ValidationError as error:
        refuse(error, endpoint, maximum, lambda name: query.get(name, ""))
    return check(ask, endpoint)


def check(ask: Ask, endpoint: str) -> Ask:
    """The same Ask, when the endpoint takes every option in it."""
    for field in _USELESS[endpoint]:
        given = getattr(ask, field)
        if given is not UNSET and (field != "payload" or given):
            raise _useless(field, endpoint)
    if ask.as_of:
        _check_time(ask.as_of)
    return ask


def _check_time(text: str) -> None:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        wanted = "asOf must be an ISO 8601 time such as 2026-01-18T12:00:00Z"
        raise _invalid("asOf", f"{wanted}, got {text[:60]}.") from None


def exactly_one(ask: Ask, endpoint: str) -> None:
    """Exactly one of payload, text and cursor is there; /more takes a cursor only."""
    if bool(ask.payload) + (ask.text is not UNSET) + (ask.cursor is not UNSET) == 1:
        return
    given = [name for name in EITHER if getattr(ask, name) is not UNSET and (name != "payload" or ask.payload)]
    got = " and ".join(given) or "none of them"
    if endpoint == "/more":
        refusal = _invalid("cursor", "A cursor is needed.", 'Send the cursor of an earlier answer: {"cursor": "..."}.')
        refusal.in_result = ask.shape == "mcp"
        raise refusal
    raise _invalid(given[-1] if given else "", f"Exactly one of payload, text, cursor is needed; got {got}.", RAW_BODY)


def looks_like_object(data: bytes) -> bool:
    """Whether JSON bytes would have been a request object, had they come without options in the URL."""
    try:
        ask = _DECODER.decode(data)
    except (ValueError, RecursionError):
        return False
    return bool(ask.payload) or ask.text is not UNSET or ask.cursor is not UNSET


def malformed(error: Exception, data: bytes) -> PayloadMalformed | PayloadTooDeep:
    """The refusal for JSON that cannot be read, with its position."""
    if isinstance(error, RecursionError):
        return PayloadTooDeep("The JSON is nested too deep.", "Flatten it, or send it as text/plain.")
    if isinstance(error, UnicodeDecodeError):
        return not_utf8(error)
    match = _BYTE.search(str(error))
    at = int(match[1]) if match else len(data)
    line = data.count(b"\n", 0, at) + 1
    column = at - (data.rfind(b"\n", 0, at) + 1) + 1
    what = str(error).removeprefix("JSON is malformed: ").split(" (byte")[0]
    return PayloadMalformed(
        f"The JSON is malformed at byte {at} (line {line}, column {column}): {what}.",
        "Send valid JSON, or send text as text/plain.",
    )


def not_utf8(error: UnicodeDecodeError) -> PayloadMalformed:
    """The refusal for bytes that are not what their charset says."""
    return PayloadMalformed(
        f"The body is not {error.encoding.upper()}: byte {error.start} cannot be read.",
        "Send UTF-8, or name the encoding of a raw text body: ?encoding=latin-1",
    )


def refuse(error: Exception, endpoint: str, maximum: Maximum, given: Callable[[str], str]) -> NoReturn:
    """The refusal of a value that does not fit its option, in words."""
    message, _, path = str(error).partition(" - at `")
    name = path.removesuffix("`").removeprefix("$").removeprefix(".").split(".")[0].split("[")[0]
    unknown = _UNKNOWN.search(message)
    if unknown:
        raise _unknown(unknown[1], endpoint) from error
    if not name:
        raise RequestInvalid(f"A request is a JSON object: {message.lower()}.", RAW_BODY) from error
    expected = _expected(name, message, maximum(given("policy").strip('"')))
    raise _invalid(name, f"{expected}, got {given(name)[:60]}.") from error


def _expected(name: str, message: str, most: int) -> str:
    if name == "limit":
        return f"limit must be a whole number from 1 to {most}"
    if name == "budget":
        return "budget must be a whole number of tokens, at least 64"
    if name in ("offset", "startLine", "endLine"):
        return f"{name} must be a whole number from {int(name != 'offset')}"
    if name in WORDS:
        return f"{name} must be one of {', '.join(WORDS[name])}"
    return f"{name} cannot be read: {message[:1].lower()}{message[1:].split(', got')[0]}"


def _says_what(data: bytes) -> bool:
    """Whether a JSON object, whatever else is wrong with it, has a payload, a text or a cursor; true for no object."""
    try:
        return not _LOOSE.decode(data).keys().isdisjoint(EITHER)
    except msgspec.ValidationError:
        return True


def _no_request_object(error: Exception, endpoint: str) -> None:
    """Refuses what was most likely meant as the payload itself."""
    if unknown := _UNKNOWN.search(str(error)):
        refusal = _unknown(unknown[1], endpoint)
        detail = f"{refusal.detail} Exactly one of payload, text, cursor is needed; got none of them."
        raise RequestInvalid(detail, RAW_BODY, errors=refusal.errors) from error


def _given(data: bytes, name: str) -> str:
    return bytes(_LOOSE.decode(data).get(name, msgspec.Raw(b"something else")))[:240].decode(errors="replace")


def _unknown(name: str, endpoint: str) -> RequestInvalid:
    known = _names(OPTIONS[endpoint])
    near = get_close_matches(name, known, n=1, cutoff=0.5) or get_close_matches(name, FIELDS, n=1, cutoff=0.5)
    hint = f"Did you mean {near[0]}? " if near else ""
    detail = f"{endpoint} knows no option {name[:80]!r}{f': the nearest is {near[0]}' if near else ''}."
    return _invalid(name[:80], detail, f"{hint}It takes: {', '.join(known)}.")


def _useless(field: str, endpoint: str) -> RequestInvalid:
    name = WIRE[field]
    right = [other for other, known in OPTIONS.items() if field in known and other != "/more"]
    where = " or ".join(right)
    return _invalid(name, f"{endpoint} has no use for {name}.", f"Send it to {where}, or leave {name} out.")


def _names(fields: Iterable[str]) -> list[str]:
    return sorted(WIRE[field] for field in fields)


def _invalid(path: str, detail: str, hint: str = "") -> RequestInvalid:
    return RequestInvalid(
        detail, hint or "Correct the option and send the request again.", errors=[FieldError(path=path, message=detail)]
    )
