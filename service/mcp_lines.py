"""What a result prints for the model to go on with: a line of text, members of `structuredContent`; whether it fits."""

from typing import Any

from msgspec import UNSET, UnsetType

from schemas.api import Details
from service import envelopes
from service.core import going_on, mcp, tokens
from service.job import Job


def line(job: Job, cursor: str, budget: int, shown: str = "", opens: str = "") -> str:
    """The line that ends a text; short where the budget is small."""
    tool, until = job.plan.policy.fetch_more, envelopes.stamp(job.expires or 0)
    said = going_on.line(tool, cursor, until, shown, opens, brief=budget < going_on.ROOMY)
    first = job.cursor is None and budget >= going_on.ROOMY
    return said + going_on.parts(tool) if first else said


def preview(whole: int) -> str:
    """What a preview is."""
    return f"a preview; the whole has about {whole} tokens"


def named(job: Job, cursor: str | None) -> dict[str, Any]:
    """The same as members of an object."""
    if cursor is None:
        return {}
    tool, until = job.plan.policy.fetch_more, envelopes.stamp(job.expires or 0)
    return {"cursor": cursor, "expiresAt": until, "more": f"call {tool} with this cursor"}


def shaped(details: Details | UnsetType) -> Details | UnsetType:
    """A request for what was left out, its paths counted as here."""
    if details is UNSET:
        return UNSET
    return Details(endpoint=details.endpoint, parameters={**details.parameters, "shape": "mcp"})


def fits(job: Job, body: bytes, cursor: str | None, most: int, byte_cap: int) -> bool:
    """Whether what the model sees fits, really and with a constant for the cursor: its letters never decide."""
    seen = mcp.opened(body).visible()
    if len(seen) > byte_cap or tokens.estimate(seen, job.family) > most:
        return False
    printed = seen.count(cursor.encode()) if cursor else 0
    if not cursor or not printed:
        return True
    return tokens.estimate(seen.replace(cursor.encode(), b""), job.family) + printed * going_on.CURSOR <= most
