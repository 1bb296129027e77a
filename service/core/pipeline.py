"""The engine: a payload and a wish in, the best body that fits out. The order of everything is here.

(a) steps that somebody wished for run always; (b) what then fits goes out as it is; (c) the rest is compacted: densest
lossless notation first, then ranked and cut at one price. A rung that fails falls to the next safer one.
"""

from collections.abc import Callable
from typing import Any

from service.core import markers, values
from service.core.fit import Limits, fit, never
from service.core.ledger import brief, total_fields
from service.core.payload import Compacted, Payload, Wish
from service.core.rank import lens, rank
from service.core.render import json as as_json
from service.core.tokens import estimate


def compact(payload: Payload, plan: Any, wish: Wish, expired: Callable[[], bool] = never) -> Compacted:
    """The answer to one /compact, without its envelope."""
    limits = Limits(wish.budget, wish.byte_cap, wish.family)
    original = estimate(payload.data, wish.family)
    if limits.hold(payload.data):
        form = "json" if payload.form == "json" else "text"
        return Compacted(payload.data, form, payload.content_type or form, original, original, False, True)
    if payload.form == "json":
        small = values.minify(payload.data)
        if limits.hold(small):
            return Compacted(small, "json", "json", estimate(small, wish.family), original, False, True)
        value = values.decode(payload.data)
    else:
        value = payload.data.decode()
    tree = rank(value, lens(wish.query, plan.policy, payload.data.decode()))
    fitted = fit(lambda level, ledger: as_json.render(tree, level, ledger), limits, expired)
    body = fitted.body if fitted else values.encode(markers.stand_in(value))
    omitted = fitted.ledger.entries() if fitted else ()
    return Compacted(
        body, "json", payload.content_type or "json", estimate(body, wish.family), original, True, False,
        brief(omitted), total_fields(value),
    )  # fmt: skip
