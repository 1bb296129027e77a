"""The wire contract of /compact, /paginate, /chunk and /more: what is asked and what is answered."""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta as Bound, Raw, UnsetType

from schemas.base import Answering, Wire

Format = Literal["auto", "json", "table", "lines", "kv", "template"]
ContentType = Literal["json", "jsonl", "repr", "csv", "tsv", "log", "diff", "markdown", "rst", "html", "code", "prose"]
Shape = Literal["plain", "mcp"]
Tokenizer = Literal["claude", "claude3", "o200k", "gemma3", "llama3", "qwen3", "deepseek", "tekken", "cl100k", "chars4"]
LimitedBy = Literal["limit", "budget", "end"]
Kind = Literal["full", "preview", "page", "chunk", "hits"]


class Ask(Wire, frozen=True, kw_only=True):
    """Every option of every endpoint; OPTIONS says which endpoint takes which. Exactly one of payload, text, cursor."""

    payload: Raw = Raw()
    text: str | UnsetType = UNSET
    cursor: str | UnsetType = UNSET
    policy: str | UnsetType = UNSET
    source: str | UnsetType = UNSET
    budget: Annotated[int, Bound(ge=64)] | UnsetType = UNSET
    tokenizer: Tokenizer | UnsetType = UNSET
    path: str | UnsetType = UNSET
    content_type: ContentType | UnsetType = UNSET
    encoding: str | UnsetType = UNSET
    shape: Shape | UnsetType = UNSET
    explain: bool | UnsetType = UNSET
    fields: list[str] | str | UnsetType = UNSET
    query: str | UnsetType = UNSET
    format: Format | UnsetType = UNSET
    as_of: str | UnsetType = UNSET
    limit: Annotated[int, Bound(ge=1)] | UnsetType = UNSET
    offset: Annotated[int, Bound(ge=0)] | UnsetType = UNSET
    sort: str | UnsetType = UNSET
    start_line: Annotated[int, Bound(ge=1)] | UnsetType = UNSET
    end_line: Annotated[int, Bound(ge=1)] | UnsetType = UNSET
    find: Annotated[str, Bound(min_length=1)] | UnsetType = UNSET


EVERYWHERE = frozenset(
    "payload text cursor policy source budget tokenizer path content_type encoding shape explain".split()
)
OPTIONS: dict[str, frozenset[str]] = {
    "/compact": EVERYWHERE | {"fields", "query", "format", "as_of"},
    "/paginate": EVERYWHERE | {"fields", "limit", "offset", "sort", "find"},
    "/chunk": EVERYWHERE | {"start_line", "end_line", "find"},
}
OPTIONS["/more"] = (OPTIONS["/compact"] | OPTIONS["/paginate"] | OPTIONS["/chunk"]) - {"payload", "text"}


class Omitted(Answering, frozen=True, kw_only=True):
    """One ledger entry: kept + omitted = total. Array positions in `path` are written []."""

    path: str
    unit: Literal["items", "fields", "text"] | UnsetType = UNSET
    by: Literal["policy", "request", "fit"] | UnsetType = UNSET
    kept: int | UnsetType = UNSET
    total: int | UnsetType = UNSET
    tokens: int
    paths: int | UnsetType = UNSET


class Details(Answering, frozen=True, kw_only=True):
    """A complete request, ready to send, that leads to what this answer left out."""

    endpoint: Literal["/compact", "/paginate", "/chunk"]
    parameters: dict[str, Any]


class Shadow(Answering, frozen=True, kw_only=True):
    """What a policy in shadow mode would have answered."""

    would_be_tokens: int
    outcome: str


class Step(Answering, frozen=True, kw_only=True):
    """Tokens after one step, when `explain` asks for it."""

    step: str
    tokens: int


class Meta(Answering, frozen=True, kw_only=True):
    """What an answer says of itself."""

    kind: Kind
    policy: str
    format: str
    content_type: str
    complete: bool
    original_tokens: int
    estimated_tokens: int
    budget: int
    budget_used: float
    budget_remaining: int
    tokenizer: str
    expires_at: str | UnsetType = UNSET
    path: str | UnsetType = UNSET
    total_count: int | UnsetType = UNSET
    page_size: int | UnsetType = UNSET
    limit: int | UnsetType = UNSET
    offset: int | UnsetType = UNSET
    has_more: bool | UnsetType = UNSET
    limited_by: LimitedBy | UnsetType = UNSET
    chunk_index: int | UnsetType = UNSET
    total_chunks: int | UnsetType = UNSET
    start_line: int | UnsetType = UNSET
    end_line: int | UnsetType = UNSET
    total_lines: int | UnsetType = UNSET
    boundary: str | UnsetType = UNSET
    heading: str | UnsetType = UNSET
    total_hits: int | UnsetType = UNSET
    hits: list[int] | UnsetType = UNSET
    total_fields: int | UnsetType = UNSET
    projected_fields: list[str] | UnsetType = UNSET
    missing_fields: list[str] | UnsetType = UNSET
    omitted: list[Omitted] | UnsetType = UNSET
    details_available: Details | UnsetType = UNSET
    fallback: bool | UnsetType = UNSET
    fallback_reason: str | UnsetType = UNSET
    degraded: str | UnsetType = UNSET
    shadow: Shadow | UnsetType = UNSET
    steps: list[Step] | UnsetType = UNSET
    notes: list[str] | UnsetType = UNSET


class Answer(Answering, frozen=True, kw_only=True):
    """The envelope; exactly the body fields of the endpoint are set, as JSON bytes copied through."""

    items: Raw | UnsetType = UNSET
    around: Raw | UnsetType = UNSET
    text: str | UnsetType = UNSET
    data: Raw | UnsetType = UNSET
    summary: Raw | UnsetType = UNSET
    result: Raw | UnsetType = UNSET
    next_cursor: str | UnsetType = UNSET
    meta: Meta
