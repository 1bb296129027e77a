"""A policy: every key a policy file may set, typed and range-checked."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta as Bound, Struct, UnsetType

from schemas.api import Format, Tokenizer

Tokens = Annotated[int, Bound(ge=64)]
Positive = Annotated[int, Bound(ge=1)]
Page = Annotated[int, Bound(ge=1, le=200)]
Percent = Annotated[int, Bound(ge=0, le=100)]


class Strip(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Values that carry nothing."""

    nulls: bool = False
    empties: bool = False


class Shorten(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Opt-in short forms: the last characters of long ids, relative times."""

    ids: bool = False
    times: bool = False


class Truncate(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Long strings are cut to so many characters, the marker included."""

    chars: Annotated[int, Bound(ge=16)]


class Summarise(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Long prose is reduced to its most telling sentences."""

    chars: Annotated[int, Bound(ge=16)]
    sentences: Positive = 3


class Template(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Wording of a list or of one object: {field} and {a.b} are values, {n}, {count}, {query} and {more} are known."""

    item: str | tuple[str, ...]  # one row; of several the first that finds all its values
    header: str = ""
    empty: str = ""
    more: str = ""  # after the last row when there are {more}
    items: str = ""  # where the list is; default: items_path, the payload itself, its only list
    when: tuple[str, ...] = ()  # only for an object with these fields: `a`, `a,b` (one of them), `!a`, `a=true`
    limit: Positive | UnsetType = UNSET  # rows shown at most


class Policy(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The effective values of one policy; the defaults are those of the policy `default`."""

    output_token_threshold: Tokens = 4000
    hard_output_token_cap: Tokens = 12000
    hard_byte_cap: Annotated[int, Bound(ge=512)] = 96000
    default_page_size: Page = 50
    max_page_size: Page = 200
    chunk_tokens: Tokens = 2000
    chunk_lines: Positive = 200
    enable_summarization: bool = True
    enable_pagination: bool = True
    enable_chunking: bool = True
    match: tuple[str, ...] = ()
    mode: Literal["on", "off", "shadow", "ab"] = "on"
    percent: Percent = 100
    keep: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    strip: Strip | UnsetType = UNSET
    condense: dict[str, str] = {}
    identity: tuple[str, ...] = ()
    must_keep: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    shorten: Shorten | UnsetType = UNSET
    truncate: Truncate | UnsetType = UNSET
    summarise: Summarise | UnsetType = UNSET
    fold_logs: bool | UnsetType = UNSET
    format: Format | UnsetType = UNSET
    template: Template | tuple[Template, ...] | UnsetType = UNSET
    sort: str | UnsetType = UNSET
    items_path: str | UnsetType = UNSET
    structured: Literal["drop", "envelope", "keep"] = "envelope"
    fetch_more: str = "fetch_more"
    tokenizer: Tokenizer = "claude"
    cursor_ttl: Annotated[float, Bound(gt=0)] = 600
    slow_ms: Annotated[float, Bound(ge=0)] = 50
    deadline_ms: Annotated[float, Bound(gt=0)] = 2000
    unbounded: bool = False
