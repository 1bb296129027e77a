"""What crosses between the actions and the engine: plain frozen values that also cross into the process pool."""

from dataclasses import dataclass, field
from typing import Literal

from schemas.api import Omitted, Step


@dataclass(frozen=True, slots=True)
class Payload:
    """A received payload: JSON bytes that are known to be JSON, or text (UTF-8) still to be recognised."""

    data: bytes
    form: Literal["json", "text"]
    content_type: str | None = None


@dataclass(frozen=True, slots=True)
class Wish:
    """What one request asks of the engine, defaults filled in."""

    budget: int
    byte_cap: int
    family: str = "claude"
    path: str = ""
    fields: tuple[str, ...] | None = None
    verbatim: bool = False  # fields: "all"
    query: str = ""
    format: str = "auto"
    as_of: str | None = None
    explain: bool = False


@dataclass(frozen=True, slots=True)
class Compacted:
    """What the engine made of a payload: the body as it will be sent, and everything `meta` says about it."""

    body: bytes  # JSON when `format` is json, else UTF-8 text in that notation
    format: str
    content_type: str
    tokens: int  # estimate of exactly `body`
    original_tokens: int
    cut: bool  # something was left out to fit: kind preview, else kind full
    complete: bool  # nothing at all is missing
    omitted: tuple[Omitted, ...] = ()
    total_fields: int = 0
    projected_fields: tuple[str, ...] = ()
    missing_fields: tuple[str, ...] = ()
    fallback_reason: str = ""
    steps: tuple[Step, ...] = ()
    notes: tuple[str, ...] = field(default=())
