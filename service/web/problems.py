"""Every failure as application/problem+json (RFC 9457): code, hint, request id."""

import msgspec
from aiohttp import web
from msgspec import UNSET

from schemas.problem import Problem
from service import errors
from service.errors import Refusal

MEDIA_TYPE = "application/problem+json"
_encode = msgspec.json.Encoder().encode

HINTS = {
    "request_invalid": "Correct the request and send it again.",
    "payload_malformed": "Send valid JSON, or send text as text/plain.",
    "cursor_malformed": "Copy the cursor exactly as the answer gave it, or call the original tool again without one.",
    "cursor_invalid": "Copy the cursor exactly as the answer gave it, or call the original tool again without one.",
    "cursor_expired": "Call the original tool again without a cursor. Do not retry this one.",
    "limit_exceeds_maximum": "Ask for fewer items and go on with nextCursor.",
    "unauthenticated": "Send `Authorization: Bearer <token>` with a token that this service knows.",
    "host_refused": "Call the service as localhost or by its address, or configure tokens.",
    "not_found": "POST /compact, /paginate, /chunk or /more; GET /openapi.json describes them.",
    "rate_limited": "Wait for the seconds in retryAfter, then send the request again.",
    "busy": "Wait for the seconds in retryAfter, then send the request again.",
    "shutting_down": "Send the request again: another instance will take it.",
    "store_unavailable": "Try again in a few seconds; if that fails too, call the original tool without a cursor.",
    "internal": "Try again; if it happens again, report the request id.",
}


def problem(refusal: Refusal, request_id: str) -> web.Response:
    """The response that tells a refusal."""
    body = Problem(
        type=f"urn:decant:problem:{refusal.code}",
        title=refusal.title,
        status=refusal.status,
        detail=refusal.detail,
        code=refusal.code,
        hint=refusal.hint or HINTS.get(refusal.code, HINTS["request_invalid"]),
        request_id=request_id,
        errors=refusal.errors or UNSET,
        retry_after=UNSET if refusal.retry_after is None else refusal.retry_after,
        limit=UNSET if refusal.limit is None else refusal.limit,
        window=UNSET if refusal.window is None else refusal.window,
    )
    response = web.Response(body=_encode(body), status=refusal.status, content_type=MEDIA_TYPE)
    if refusal.retry_after is not None:
        response.headers["Retry-After"] = str(refusal.retry_after)
    if refusal.status == 401:
        response.headers["WWW-Authenticate"] = 'Bearer realm="decant"'
    return response


def internal(request_id: str) -> web.Response:
    """What a caller sees of a defect."""
    return problem(errors.Internal(f"Something went wrong in the service; request {request_id}."), request_id)


def of_http(error: web.HTTPException, path: str, request_id: str) -> web.Response:
    """The problem for one of aiohttp's own failures."""
    if isinstance(error, web.HTTPNotFound):
        return problem(errors.NotFound(f"There is nothing at {path[:80]}."), request_id)
    if isinstance(error, web.HTTPMethodNotAllowed):
        allowed = ", ".join(sorted(error.allowed_methods))
        refusal = errors.MethodNotAllowed(f"{error.method[:20]} is not allowed here.", f"Use {allowed}.")
        response = problem(refusal, request_id)
        response.headers["Allow"] = allowed
        return response
    if isinstance(error, web.HTTPRequestEntityTooLarge):
        return problem(errors.PayloadTooLarge("The body is too large."), request_id)
    if error.status >= 500:
        return internal(request_id)
    return problem(errors.RequestInvalid(f"The request cannot be read: {error.reason}."), request_id)
