"""RFC 9457 problems: the body of every failure."""

from msgspec import UNSET, UnsetType

from schemas.base import Answering


class FieldError(Answering, frozen=True, kw_only=True):
    """One thing that is wrong with a request, and where."""

    path: str
    message: str


class Problem(Answering, frozen=True, kw_only=True):
    """application/problem+json."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    hint: str
    request_id: str
    errors: list[FieldError] | UnsetType = UNSET
    retry_after: int | UnsetType = UNSET
    limit: int | UnsetType = UNSET
    window: int | UnsetType = UNSET
