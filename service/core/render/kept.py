"""What of a container is shown at a price: nothing hides behind a marker that is longer than it."""

from collections.abc import Collection
from itertools import groupby

from service.core.rank.nodes import Arr, Leaf, Node, Obj

MARKER = 7.0  # tokens of a marker


def hidden_fields(node: Obj, level: float) -> dict[str, Node]:
    """The fields that are left out."""
    hidden = {name: kid for name, kid in node.kids.items() if kid.price < level}
    return {} if hidden and _shorter(hidden.values()) else hidden


def kept_items(node: Arr, level: float) -> list[bool]:
    """Whether each item is shown."""
    kept = [kid.price >= level for kid in node.kids]
    if all(kept):
        return kept
    at = 0
    for shown, run in groupby(list(kept)):
        count = len(list(run))
        if not shown and _shorter(node.kids[at : at + count]):
            kept[at : at + count] = [True] * count
        at += count
    return kept


def _shorter(hidden: Collection[Node]) -> bool:
    """Whether what is hidden is shorter than the words that say so."""
    total = 0.0
    for kid in hidden:
        total += kid.cost
        if total > MARKER or not isinstance(kid, Leaf):
            return False
    return True
