"""A ranked tree as JSON at one price, with markers where something is left out."""

from typing import Any

from service.core import markers, values
from service.core.ledger import Ledger, unit_of
from service.core.paths import EACH
from service.core.rank.nodes import Arr, Leaf, Node, Obj
from service.core.render.kept import hidden_fields, kept_items

CUT = 40  # characters that the marker of a cut string has at most


def render(node: Node, level: float, ledger: Ledger) -> bytes:
    """The JSON bytes of what is worth its price; what is not goes to the ledger."""
    if level > 0 and node.price < level:
        total = len(node.value) if isinstance(node.value, dict | list | str) else 1
        ledger.add("", unit_of(node.value), "fit", 0, total, node.cost)
        return values.encode(markers.stand_in(node.value))
    return values.encode(_show(node, level, (), ledger))


def _show(node: Node, level: float, path: tuple[str, ...], ledger: Ledger) -> Any:
    if isinstance(node, Leaf) and node.full:
        lost = markers.cut_characters(node.value[-CUT:])
        ledger.add(path, "text", "fit", node.full - lost, node.full, lost / 3.4)
        return node.value
    if isinstance(node, Leaf):
        return _escaped(node.value)
    if isinstance(node, Obj):
        return _show_object(node, level, path, ledger)
    if not isinstance(node, Arr):
        return node.value
    return _show_array(node, level, path, ledger)


def _escaped(value: Any) -> Any:
    """A leaf with its strings escaped; one that holds a deep value is walked without recursion limits in mind."""
    if isinstance(value, list) and value and not isinstance(value[0], dict | list):
        return [_escaped(item) for item in value]
    return markers.escape(value) if isinstance(value, str) else value


def _show_object(node: Obj, level: float, path: tuple[str, ...], ledger: Ledger) -> dict[str, Any]:
    hidden = hidden_fields(node, level)
    shown = {
        markers.escape_key(key): _show(kid, level, (*path, key), ledger)
        for key, kid in node.kids.items()
        if key not in hidden
    }
    if hidden:
        shown[markers.MARK] = markers.object_gap(hidden, len(hidden))
        lost = sum(kid.cost for kid in hidden.values())
        ledger.add(path, "fields", "fit", len(node.kids) - len(hidden), len(node.kids), lost)
    return shown


def _show_array(node: Arr, level: float, path: tuple[str, ...], ledger: Ledger) -> list[Any]:
    shown: list[Any] = []
    inner, gap, kept, lost = (*path, EACH), 0, 0, 0.0
    for at, (kid, here) in enumerate(zip(node.kids, kept_items(node, level), strict=True)):
        if not here:
            gap, lost = gap + 1, lost + kid.cost
            continue
        if gap:
            shown.append(markers.array_gap(gap, at - gap, at - 1))
        shown.append(_show(kid, level, inner, ledger))
        gap, kept = 0, kept + 1
    if gap:
        shown.append(markers.array_gap(gap, len(node.kids) - gap, len(node.kids) - 1))
    if kept < len(node.kids):
        ledger.add(path, "items", "fit", kept, len(node.kids), lost)
    return shown
