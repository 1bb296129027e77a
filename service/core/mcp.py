"""MCP's CallToolResult: what a model sees of one, and one that says the same within a budget.

A result shows its model every text block, the text of embedded resources and `structuredContent`. Everything else
(images, audio, links, annotations, `_meta`, the order of blocks) passes through as it was written.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec import Raw

from service.core import slices, values
from service.core.payload import Payload
from service.errors import RequestInvalid

_HINT = 'With shape "mcp" the payload is a whole CallToolResult: {"content": [{"type": "text", "text": ...}]}.'


@dataclass(frozen=True, slots=True)
class Text:
    """A text that the model sees: block number, the text, and whether it is that of an embedded resource."""

    block: int
    text: str
    resource: bool


@dataclass(frozen=True, slots=True)
class Result:
    """A CallToolResult, its blocks undecoded."""

    members: Mapping[str, Raw]
    blocks: Sequence[Raw]
    texts: tuple[Text, ...]
    structured: bytes | None
    is_error: bool
    uncounted: int  # bytes of blocks that the model does not see as text

    def visible(self) -> bytes:
        """All that the model sees, one after the other."""
        return "".join(part.text for part in self.texts).encode() + (self.structured or b"")


def opened(data: bytes) -> Result:
    """A CallToolResult from its JSON."""
    if not slices.is_object(data):
        raise RequestInvalid("The payload is not an object.", _HINT)
    members = slices.members(data)
    content = members.get("content", Raw(b"[]"))
    if not slices.is_list(content) or not {"content", "structuredContent"} & set(members):
        raise RequestInvalid("The payload has no `content` list.", _HINT)
    blocks = slices.elements(content)
    found = [_text(number, block) for number, block in enumerate(blocks)]
    structured = members.get("structuredContent")
    return Result(
        members=members,
        blocks=blocks,
        texts=tuple(text for text in found if text),
        structured=None if structured is None or slices.first_byte(structured) == b"n" else bytes(structured),
        is_error=bytes(members.get("isError", Raw(b"false"))) == b"true",
        uncounted=sum(len(block) for block, text in zip(blocks, found, strict=True) if text is None),
    )


def _text(number: int, block: Raw) -> Text | None:
    """The text of a block that has one."""
    if not slices.is_object(block):
        raise RequestInvalid(f"content[{number}] is not an object.", _HINT)
    parts = slices.members(block)
    kind = _string(parts.get("type"))
    if kind == "text" and (text := _string(parts.get("text"))) is not None:
        return Text(number, text, resource=False)
    if kind == "resource" and "resource" in parts and slices.is_object(parts["resource"]):
        inner = _string(slices.members(parts["resource"]).get("text"))
        return None if inner is None else Text(number, inner, resource=True)
    return None


def _string(raw: Raw | None) -> str | None:
    if raw is None or slices.first_byte(raw) != b'"':
        return None
    return str(msgspec.json.decode(raw))


def root(data: bytes) -> Payload:
    """What paths count from: the value of the only text, else the blocks as `content.N`."""
    result = opened(data)
    if len(result.texts) == 1:
        return Payload(result.texts[0].text.encode(), "text")
    if not result.texts and result.structured is not None:
        return Payload(result.structured, "json")
    texts = {part.block: part.text for part in result.texts}
    shown = [Raw(values.encode(texts[n])) if n in texts else block for n, block in enumerate(result.blocks)]
    return Payload(msgspec.json.encode({"content": shown}), "json")


def dressed(
    result: Result, texts: Mapping[int, str], structured: bytes | None, tail: str, *, kept: bool = True
) -> bytes:
    """A CallToolResult with other texts and structuredContent; `tail` ends the last text, or is a block of its own."""
    last = max(texts, default=-1)
    blocks: list[Any] = []
    for number, block in enumerate(result.blocks):
        text = texts.get(number)
        if text is not None:
            blocks.append(_with_text(block, text + (tail if number == last else "")))
        elif kept and not any(part.block == number for part in result.texts):
            blocks.append(block)
    if tail and last < 0:
        blocks.append({"type": "text", "text": tail.lstrip("\n")})
    members: dict[str, Any] = {}
    for name, value in result.members.items():
        if name == "structuredContent":
            if structured is not None:
                members[name] = Raw(structured)
        else:
            members[name] = blocks if name == "content" else value
    members.setdefault("content", blocks)
    return msgspec.json.encode(members)


def _with_text(block: Raw, text: str) -> dict[str, Any]:
    parts: dict[str, Any] = dict(slices.members(block))
    if "text" in parts:
        parts["text"] = text
    else:
        resource: dict[str, Any] = dict(slices.members(parts["resource"]))
        parts["resource"] = {**resource, "text": text}
    return parts


def message(text: str, *, error: bool) -> bytes:
    """A result of one text block."""
    body: dict[str, Any] = {"content": [{"type": "text", "text": text}]}
    return msgspec.json.encode({**body, "isError": True} if error else body)


def shares(costs: Sequence[int], budget: int) -> list[int]:
    """A budget dealt out: small parts get what they need, large ones the same share of the rest."""
    dealt = [0] * len(costs)
    left, waiting = budget, sorted(range(len(costs)), key=lambda i: costs[i])
    while waiting:
        each = left // len(waiting)
        index = waiting.pop(0)
        dealt[index] = min(costs[index], each) if waiting else left
        left -= dealt[index]
    return dealt
