"""What a snapshot and its walks remember; MessagePack, never shown to anybody."""

from typing import Literal

from msgspec import Struct

from schemas.policy import Policy


class Head(Struct, frozen=True, kw_only=True, array_like=True):
    """What is known of a snapshot's payload."""

    form: Literal["json", "text"]
    content_type: str | None
    size: int
    original_tokens: int


class View(Struct, frozen=True, kw_only=True, array_like=True):
    """One walk over a snapshot: how it was asked, and where its cut points and its tape are."""

    kind: Literal["page", "chunk", "hits", "preview"]
    endpoint: Literal["/compact", "/paginate", "/chunk"]
    policy_name: str
    policy: Policy
    budget: int
    byte_cap: int
    tokenizer: str
    shape: Literal["plain", "mcp"]
    content_type: str
    original_tokens: int
    tape: str = "tape"
    path: str = ""
    asked_path: str = ""
    fields: tuple[str, ...] | None = None
    verbatim: bool = False
    find: str = ""
    limit: int = 0
    count: int = 0
    total: int = 0
    total_lines: int = 0
    origin: str = ""  # the endpoint that began it, where that is another one: it goes on there as well
