"""How a request becomes a job: by its payload, or by the walk that its cursor goes on with."""

import hashlib
from functools import lru_cache

import msgspec
from msgspec import UNSET

from schemas.api import Ask
from schemas.policy import Policy
from schemas.tape import View
from service.core import tape
from service.core.cursor import Kind
from service.core.payload import Payload
from service.core.plan import Plan, compile_plan
from service.job import Deps, Job
from service.store import Window

_TOUCH = 1.0  # the view says how long a cursor lives; until it is read, no life is made longer
_view = msgspec.msgpack.Decoder(View).decode
_policy = msgspec.msgpack.Encoder().encode


def sided(policy: str, payload: Payload, percent: int) -> bool:
    """Whether a canary treats this payload: always the same answer for the same policy and payload."""
    digest = hashlib.sha256(policy.encode() + b"\0" + payload.data).digest()
    return int.from_bytes(digest[:8], "big") % 100 < percent


@lru_cache(maxsize=256)
def _frozen_plan(name: str, policy: bytes) -> Plan:
    return compile_plan(name, msgspec.msgpack.decode(policy, type=Policy))


async def begin(
    deps: Deps, endpoint: str, ask: Ask, tenant: str, payload: Payload | None, notes: tuple[str, ...]
) -> Job:
    """The job of a request with a payload, or of one that goes on from a cursor."""
    if ask.cursor is UNSET:
        plan = deps.policies.plan(ask.policy or None, ask.source or None)
        job = Job(deps, tenant, endpoint, ask, plan, list(notes))
        if payload is not None:
            job.take(payload)
        return job
    cursor = deps.snapshots.open(ask.cursor, tenant)
    name = f"{cursor.view.hex()}:"
    wanted = [Window(name + "view")]
    if cursor.kind in _RECORD:  # the next step will need these cut points: one round trip for both
        size, count = _RECORD[cursor.kind]
        wanted.append(Window(name + "cuts", cursor.position * size, (cursor.position + count) * size))
    found = await deps.snapshots.windows(tenant, cursor.snapshot, wanted, _TOUCH, local=cursor.local)
    view = _view(found[0])
    if ask.policy is not UNSET:
        plan = deps.policies.plan(ask.policy, None)
    else:
        plan = _frozen_plan(view.policy_name, _policy(view.policy))
    job = Job(deps, tenant, endpoint, ask, plan, list(notes), cursor=cursor, view=view, snapshot=cursor.snapshot)
    job.original = view.original_tokens
    job.seen["cuts"] = found[-1] if len(found) > 1 else b""
    return job


_RECORD = {Kind.page: (tape.ITEM.size, 202), Kind.chunk: (tape.CHUNK.size, 1)}
