"""One tree of failures: each knows its status, its stable code and the instruction that fixes it."""

from schemas.problem import FieldError


class Refusal(Exception):
    """A request that cannot be answered; becomes a problem on the wire."""

    status = 500
    code = "internal"
    title = "Internal error"
    in_result = False  # whether whoever asked wants to read it in a result of shape "mcp"

    def __init__(
        self,
        detail: str,
        hint: str = "",
        *,
        errors: list[FieldError] | None = None,
        retry_after: int | None = None,
        limit: int | None = None,
        window: int | None = None,
    ) -> None:
        super().__init__(detail)
        self.detail, self.hint, self.errors = detail, hint, errors or []
        self.retry_after, self.limit, self.window = retry_after, limit, window

    def __reduce__(self) -> tuple[object, ...]:
        """Survives the way back from the process pool."""
        return _rebuild, (type(self), self.__dict__.copy())


def _rebuild(kind: type[Refusal], state: dict[str, object]) -> Refusal:
    refusal = kind("")
    refusal.__dict__.update(state)
    refusal.args = (state["detail"],)
    return refusal


class RequestInvalid(Refusal):
    status, code, title = 400, "request_invalid", "The request is not valid"


class PayloadMalformed(Refusal):
    status, code, title = 400, "payload_malformed", "The payload cannot be read"


class PayloadTooDeep(Refusal):
    status, code, title = 400, "payload_too_deep", "The payload is nested too deep"


class CursorMalformed(Refusal):
    status, code, title = 400, "cursor_malformed", "This is not a cursor"


class CursorInvalid(Refusal):
    status, code, title = 400, "cursor_invalid", "The cursor is not valid"


class LimitExceedsMaximum(Refusal):
    status, code, title = 400, "limit_exceeds_maximum", "The limit is out of range"


class RangeInvalid(Refusal):
    status, code, title = 400, "range_invalid", "The range is not valid"


class PathUnknown(Refusal):
    status, code, title = 400, "path_unknown", "There is nothing at this path"


class PolicyUnknown(Refusal):
    status, code, title = 400, "policy_unknown", "There is no such policy"


class Unauthenticated(Refusal):
    status, code, title = 401, "unauthenticated", "Authentication required"


class HostRefused(Refusal):
    status, code, title = 403, "host_refused", "This host name is not served"


class NotFound(Refusal):
    status, code, title = 404, "not_found", "Not found"


class MethodNotAllowed(Refusal):
    status, code, title = 405, "method_not_allowed", "Method not allowed"


class CursorExpired(Refusal):
    status, code, title = 410, "cursor_expired", "The cursor has expired"


class PayloadTooLarge(Refusal):
    status, code, title = 413, "payload_too_large", "The body is too large"


class PayloadTooLargeDecompressed(Refusal):
    status, code, title = 413, "payload_too_large_decompressed", "The decompressed body is too large"


class UnsupportedMediaType(Refusal):
    status, code, title = 415, "unsupported_media_type", "This media type is not read"


class UnsupportedEncoding(Refusal):
    status, code, title = 415, "unsupported_encoding", "This encoding is not read"


class RateLimited(Refusal):
    status, code, title = 429, "rate_limited", "Too many requests"


class Busy(Refusal):
    status, code, title = 503, "busy", "The service is busy"


class ShuttingDown(Refusal):
    status, code, title = 503, "shutting_down", "The service is shutting down"


class StoreUnavailable(Refusal):
    status, code, title = 503, "store_unavailable", "The store does not answer"


class Internal(Refusal):
    """What the caller sees of a defect: the request id and nothing else."""
