"""Values and plans that the tests of the steps are made of."""

from typing import Any

import msgspec
from hypothesis import strategies as st

from schemas.policy import Policy
from service.core.payload import Wish
from service.core.plan import Plan, compile_plan

keys = st.sampled_from(["id", "name", "status", "a", "b", "user", "x.y", "0", "[]", "", "*", "items", "é"])
leaves = (
    st.none() | st.booleans() | st.integers(-99, 10**18) | st.text(max_size=8) | st.sampled_from(['{"k": [1]}', "[]"])
)
values = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=5), max_leaves=25
)
patterns = st.lists(
    st.sampled_from(["*", "**", "[]", "id", "name", "a*", "user", "0", "items"]), min_size=1, max_size=4
)
paths = patterns.map(".".join)


def plan(**policy: Any) -> Plan:
    """The plan of a policy with these keys."""
    return compile_plan("made", msgspec.convert(policy, Policy))


def wish(**options: Any) -> Wish:
    """A wish with these options."""
    return Wish(**{"budget": 4000, "byte_cap": 96000, **options})
