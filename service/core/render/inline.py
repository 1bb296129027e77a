"""A ranked tree on one line: JSON with few quotes, cut at one price."""

from collections.abc import Iterable
from itertools import islice

from service.core import markers
from service.core.ledger import Ledger
from service.core.paths import EACH
from service.core.rank.nodes import Arr, Leaf, Node, Obj
from service.core.render.kept import hidden_fields, kept_items
from service.core.render.spelling import cell, key

NAMED = 2  # fields that are named where an object lost some: those around it name more


def inline(node: Node, level: float, path: tuple[str, ...], ledger: Ledger) -> str:
    """What is worth its price, with markers for the rest."""
    if node.price < level:
        return markers.stand_in(node.value)
    return _inline(node, level, path, ledger)


def _inline(node: Node, level: float, path: tuple[str, ...], ledger: Ledger) -> str:
    if isinstance(node, Leaf):
        if node.spelled is None:
            node.spelled = cell(node.value)
        return node.spelled
    if isinstance(node, Obj):
        return _object(node, level, path, ledger)
    if isinstance(node, Arr):
        return _array(node, level, path, ledger)
    return cell(node.value)  # fits_line lets nothing else on a line


def fits_line(node: Node, level: float, room: float) -> bool:
    """Whether a tree is small enough, and plain enough, for one line."""
    if isinstance(node, Leaf):
        return not (isinstance(node.value, str) and len(node.value) > 200)
    if isinstance(node, Obj) or (isinstance(node, Arr) and node.cost <= room):
        kids = node.kids.values() if isinstance(node, Obj) else node.kids
        shown = [kid for kid in kids if kid.price >= level]
        if _shown_cost(shown, level, room) <= room and all(fits_line(kid, level, room) for kid in shown):
            return True
    return isinstance(node, Arr) and all(isinstance(kid, Leaf) for kid in node.kids)


def _shown_cost(shown: Iterable[Node], level: float, room: float) -> float:
    """Tokens of what is shown of these trees, roughly, counted until there is no room for more."""
    total = 0.0
    for node in shown:
        if isinstance(node, Obj):
            kids = [kid for kid in node.kids.values() if kid.price >= level]
            total += _shown_cost(kids, level, room) + 4
        else:
            total += node.cost
        if total > room:
            break
    return total


def _object(node: Obj, level: float, path: tuple[str, ...], ledger: Ledger) -> str:
    hidden = hidden_fields(node, level)
    shown = [
        f"{key(name)}: {_inline(kid, level, (*path, name), ledger)}"
        for name, kid in node.kids.items()
        if name not in hidden
    ]
    if hidden:
        shown.append(f"{markers.MARK} {markers.object_gap(islice(hidden, NAMED), len(hidden))}")
        lost = sum([kid.cost for kid in hidden.values()])
        ledger.add(path, "fields", "fit", len(node.kids) - len(hidden), len(node.kids), lost)
    return "{" + ", ".join(shown) + "}"


def _array(node: Arr, level: float, path: tuple[str, ...], ledger: Ledger) -> str:
    shown: list[str] = []
    gap, kept, lost = 0, 0, 0.0
    for at, (kid, here) in enumerate(zip(node.kids, kept_items(node, level), strict=True)):
        if not here:
            gap, lost = gap + 1, lost + kid.cost
            continue
        if gap:
            shown.append(markers.array_gap(gap, at - gap, at - 1))
        shown.append(_inline(kid, level, (*path, EACH), ledger))
        gap, kept = 0, kept + 1
    if gap:
        shown.append(markers.array_gap(gap, len(node.kids) - gap, len(node.kids) - 1))
    if kept < len(node.kids):
        ledger.add(path, "items", "fit", kept, len(node.kids), lost)
    return "[" + ", ".join(shown) + "]"
