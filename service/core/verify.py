"""Verify: what a policy says must be kept stands in the answer, or the answer says that it does not."""

from typing import Any

from service.core import values
from service.core.paths import EACH, is_index, parse
from service.core.plan import Plan


def missing(body: str, value: Any, plan: Plan) -> tuple[str, ...]:
    """The `must_keep` paths whose values a body does not show; paths into lists and with stars are the ranking's."""
    return tuple(path for path in plan.policy.must_keep if not _stands(body, value, parse(path)))


def _stands(body: str, value: Any, steps: tuple[str, ...]) -> bool:
    for step in steps:
        if not isinstance(value, dict) or step not in value or "*" in step or step == EACH or is_index(step):
            return True
        value = value[step]
    if isinstance(value, dict | list) or value is None:
        return True
    said = value if isinstance(value, str) else values.encode(value).decode()
    return said in body or values.encode(said).decode()[1:-1] in body
