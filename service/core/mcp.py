"""MCP's CallToolResult: what a model sees of one, and one that says the same within a budget.

A result shows its model every text block, the text of embedded resources and `structuredContent`. Everything else
(images, audio, links, annotations, `_meta`, the order of blocks) passes through as it was written. Both protocol eras
are read: `structuredContent` may be any JSON value, members that nobody here knows stay.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import msgspec
from msgspec import Raw

from service.core import paths, slices, values
from service.core.payload import Payload
from service.errors import RequestInvalid

MANY = 6  # so many plain text blocks in a row are the items of one list
_PLAIN = {"type", "text"}
_OPENS = ("content", "structuredContent")
_HINT = 'With shape "mcp" the payload is a whole CallToolResult: {"content": [{"type": "text", "text": ...}]}.'


@dataclass(frozen=True, slots=True)
class Text:
    """A text that the model sees: block number, the text, whether an embedded resource's, whether nothing else."""

    block: int
    text: str
    resource: bool
    plain: bool


@dataclass(frozen=True, slots=True)
class Result:
    """A CallToolResult, its blocks undecoded."""

    members: Mapping[str, Raw]
    blocks: Sequence[Raw]
    texts: tuple[Text, ...]
    structured: bytes | None
    is_error: bool
    uncounted: int  # bytes of blocks that the model does not see as text

    @property
    def enveloped(self) -> bool:
        """Whether structuredContent may become an envelope: that of an error must match its schema or go."""
        return self.structured is not None and not self.is_error

    def visible(self) -> bytes:
        """All that the model sees, one after the other."""
        return "".join(part.text for part in self.texts).encode() + (self.structured or b"")


@dataclass(frozen=True, slots=True)
class Part:
    """What is compacted as one: a text, or the texts of a list's items; `path` is where it stands."""

    blocks: tuple[int, ...]
    path: str
    data: bytes
    form: Literal["json", "text"]


def opened(data: bytes) -> Result:
    """A CallToolResult from its JSON."""
    try:
        return _opened(data)
    except (ValueError, RecursionError) as error:
        if b"\\ud" in data.lower() and (mended := _mended(data)) != data:
            return opened(mended)
        raise RequestInvalid(f"The payload cannot be read as JSON: {error}.", _HINT) from error


def _mended(data: bytes) -> bytes:
    """The same JSON with ? for half of a surrogate pair, which servers leave where they cut a text."""
    try:
        whole: bytes = json.dumps(json.loads(data), ensure_ascii=False).encode("utf-8", "replace")
    except (ValueError, RecursionError):
        return data
    return whole


def _opened(data: bytes) -> Result:
    if not slices.is_object(data):
        raise RequestInvalid("The payload is not an object.", _HINT)
    members = slices.members(data)
    content = members.get("content", Raw(b"[]"))
    if not slices.is_list(content) or not {*_OPENS, "resultType"} & set(members):  # one that asks for input has neither
        raise RequestInvalid("The payload has no `content` list.", _HINT)
    blocks = slices.elements(content)
    found = [_text(number, block) for number, block in enumerate(blocks)]
    structured = members.get("structuredContent")
    return Result(
        members=members,
        blocks=blocks,
        texts=tuple(text for text in found if text),
        structured=None if structured is None or slices.first_byte(structured) == b"n" else bytes(structured),
        is_error=bytes(members.get("isError", Raw(b"false"))).strip() == b"true",
        uncounted=sum(len(block) for block, text in zip(blocks, found, strict=True) if text is None),
    )


def _text(number: int, block: Raw) -> Text | None:
    """The text of a block that has one."""
    if not slices.is_object(block):
        raise RequestInvalid(f"content[{number}] is not an object.", _HINT)
    parts = slices.members(block)
    kind = _string(parts.get("type"))
    if kind == "text" and (text := _string(parts.get("text"))) is not None:
        return Text(number, text, resource=False, plain=set(parts) == _PLAIN)
    if kind == "resource" and "resource" in parts and slices.is_object(parts["resource"]):
        inner = _string(slices.members(parts["resource"]).get("text"))
        return None if inner is None else Text(number, inner, resource=True, plain=False)
    return None


def _string(raw: Raw | None) -> str | None:
    if raw is None or slices.first_byte(raw) != b'"':
        return None
    return str(msgspec.json.decode(raw))


def parts(result: Result) -> Iterator[Part]:
    """The texts of a result; many plain ones in a row, as a server answers a list with, are the items of one."""
    row: list[Text] = []
    for text in (*result.texts, None):
        if text and text.plain and (not row or text.block == row[-1].block + 1):
            row.append(text)
            continue
        yield from _row(row, only=len(row) == len(result.texts))
        row = [text] if text and text.plain else []
        if text and not text.plain:
            yield _single(text, only=len(result.texts) == 1)


def _row(row: Sequence[Text], only: bool) -> Iterator[Part]:
    if len(row) < MANY:
        yield from (_single(text, only=only and len(row) == 1) for text in row)
        return
    items = [_item(text.text) for text in row]
    yield Part(tuple(text.block for text in row), "content", b"[" + b",".join(items) + b"]", "json")


def _single(text: Text, only: bool) -> Part:
    return Part((text.block,), "" if only else f"content.{text.block}", text.text.encode(), "text")


def _item(text: str) -> bytes:
    """A text as an item of a list: the JSON object it is, else a string."""
    data = text.encode()
    return bytes(data) if slices.is_object(data) and _parses(data) else values.encode(text)


def _parses(data: bytes) -> bool:
    try:
        msgspec.json.decode(data, type=Raw)
    except (ValueError, RecursionError):
        return False
    return True


def same(result: Result) -> bool:
    """Whether structuredContent says nothing that the texts do not say."""
    if result.structured is None or not result.texts:
        return result.structured is None
    texts = [text.text for text in result.texts]
    known = _read(result.structured.decode())
    inner = known["result"] if isinstance(known, dict) and list(known) == ["result"] else known
    said = [_read(text) for text in texts]
    return any(_equal(inner, one) for one in (said, texts, *((said[0], texts[0], [said[0]]) if len(said) == 1 else ())))


def _equal(one: Any, other: Any) -> bool:
    """Equality in which true is not 1."""
    return type(one) is type(other) and bool(one == other) and values.encode(one) == values.encode(other)


def _read(text: str) -> Any:
    try:
        return values.decode(text)
    except (ValueError, RecursionError):
        return text


def beyond(path: str) -> bool:
    """Whether a path counts from the result, not from its only text."""
    return paths.parse(path)[:1] in {(name,) for name in _OPENS}


def root(data: bytes, path: str = "", *, all_of_it: bool = False) -> Payload:
    """What paths count from: the value of the only text, else the result with its texts as `content.N`.

    `structuredContent` and `content` lead there from the only text too, when it has no such names itself.
    """
    result, first = opened(data), paths.parse(path)[:1]
    if not all_of_it and len(result.texts) == 1:
        text = result.texts[0].text.encode()
        if not first or first[0] not in _OPENS or slices.at_path(text, first) is not None:
            return Payload(text, "text")
    if not result.texts and result.structured is not None and first[:1] != _OPENS[1:]:
        return Payload(result.structured, "json")
    texts = {part.block: part.text for part in result.texts}
    shown = [Raw(values.encode(texts[n])) if n in texts else block for n, block in enumerate(result.blocks)]
    known = {"content": shown} | ({"structuredContent": Raw(result.structured)} if result.structured else {})
    return Payload(msgspec.json.encode(known), "json")


def dressed(result: Result, texts: Mapping[int, str], structured: bytes | None, line: str) -> bytes:
    """The result with other texts (those not named go) and structuredContent; `line` ends the last text block."""
    seen = {part.block: part.resource for part in result.texts}
    last = max((number for number in texts if not seen.get(number)), default=-1)
    blocks: list[Any] = []
    for number, block in enumerate(result.blocks):
        if number in texts:
            blocks.append(_with_text(block, texts[number] + (line if number == last else "")))
        elif number not in seen:
            blocks.append(block)
    if line and last < 0:
        blocks.append({"type": "text", "text": line.lstrip("\n")})
    members: dict[str, Any] = {**result.members, "content": blocks}
    if structured is None:
        members.pop("structuredContent", None)
    else:
        members["structuredContent"] = Raw(structured)
    return msgspec.json.encode(members)


def _with_text(block: Raw, text: str) -> dict[str, Any]:
    members: dict[str, Any] = dict(slices.members(block))
    if "resource" not in members or _string(members.get("type")) == "text":
        return {**members, "text": text}
    resource: dict[str, Any] = dict(slices.members(members["resource"]))
    return {**members, "resource": {**resource, "text": text}}


def message(text: str, *, error: bool = False) -> bytes:
    """A result of one text block."""
    body: dict[str, Any] = {"content": [{"type": "text", "text": text}]}
    return msgspec.json.encode({**body, "isError": True} if error else body)


def shares(costs: Sequence[int], budget: int, least: int) -> list[int]:
    """A budget dealt out: small parts get what they need, large ones the same share of the rest.

    Where that would be next to nothing for some, the first parts get something and the others nothing.
    """
    dealt = _even(costs, budget)
    if all(share >= min(cost, least) for share, cost in zip(dealt, costs, strict=True)):
        return dealt
    served = max(1, budget // least)
    return [*_even(costs[:served], budget), *([0] * (len(costs) - served))]


def _even(costs: Sequence[int], budget: int) -> list[int]:
    dealt, left = [0] * len(costs), budget
    order = sorted(range(len(costs)), key=lambda index: (costs[index], index))
    for waiting, index in zip(range(len(costs), 0, -1), order, strict=True):
        dealt[index] = left if waiting == 1 else min(costs[index], left // waiting)
        left -= dealt[index]
    return dealt
