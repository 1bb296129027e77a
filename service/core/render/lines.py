"""Two plain notations of a ranked tree: `lines` has one line an item, `kv` one line a value with its whole path."""

from service.core import markers
from service.core.ledger import Ledger, unit_of
from service.core.paths import EACH
from service.core.rank.nodes import Arr, Node, Obj
from service.core.render.inline import inline
from service.core.render.spelling import key, line


def render_lines(node: Node, level: float, ledger: Ledger) -> bytes:
    """A list as one line for each item, an object as one for each field, its lists spread over lines below."""
    if level > 0 and node.price < level:
        return _nothing(node, ledger)
    out: list[str] = []
    _spread(node, "", (), level, ledger, out)
    return "\n".join(out).encode()


def _spread(node: Node, indent: str, path: tuple[str, ...], level: float, ledger: Ledger, out: list[str]) -> None:
    if isinstance(node, Obj):
        hidden = [name for name, kid in node.kids.items() if kid.price < level]
        for name, kid in node.kids.items():
            if kid.price < level:
                continue
            if isinstance(kid, Arr) and any(isinstance(one, Obj) for one in kid.kids) and not indent:
                out.append(f"{key(name)}[{len(kid.kids)}]:")
                _spread(kid, " ", (*path, name), level, ledger, out)
            else:
                out.append(f"{indent}{key(name)}: {inline(kid, level, (*path, name), ledger)}")
        _note_fields(node, hidden, path, ledger)
        if hidden:
            out.append(f"{indent}{markers.MARK} {markers.object_gap(hidden, len(hidden))}")
    elif isinstance(node, Arr):
        _items(node, indent, path, level, ledger, out)
    else:
        out.append(indent + line(node.value))


def _items(node: Arr, indent: str, path: tuple[str, ...], level: float, ledger: Ledger, out: list[str]) -> None:
    gap, total = 0, len(node.kids)
    for at, kid in enumerate([*node.kids, None]):
        if kid is not None and kid.price < level:
            gap += 1
            continue
        if gap:
            out.append(indent + markers.line_gap(gap, at - gap + 1, at))
        gap = 0
        if kid is not None:
            text = inline(kid, level, (*path, EACH), ledger)
            out.append(indent + (text[1:-1] if isinstance(kid, Obj) else text))
    _note_items(node, level, path, ledger, total)


def render_kv(node: Node, level: float, ledger: Ledger) -> bytes:
    """Every value on its own line, behind its path."""
    if level > 0 and node.price < level:
        return _nothing(node, ledger)
    out: list[str] = []
    _told(node, "", (), level, ledger, out)
    return "\n".join(out).encode()


def _told(node: Node, name: str, path: tuple[str, ...], level: float, ledger: Ledger, out: list[str]) -> None:
    if isinstance(node, Obj):
        hidden = [field for field, kid in node.kids.items() if kid.price < level]
        for field, kid in node.kids.items():
            if kid.price >= level:
                _told(kid, f"{name}.{key(field)}" if name else key(field), (*path, field), level, ledger, out)
        _note_fields(node, hidden, path, ledger)
        if hidden:
            out.append(f"{name}{'.' if name else ''}{markers.MARK}: {markers.object_gap(hidden, len(hidden))}")
    elif isinstance(node, Arr):
        _told_items(node, name, path, level, ledger, out)
        _note_items(node, level, path, ledger, len(node.kids))
    else:
        out.append(f"{name}: {line(node.value)}" if name else line(node.value))


def _told_items(node: Arr, name: str, path: tuple[str, ...], level: float, ledger: Ledger, out: list[str]) -> None:
    gap = 0
    for at, kid in enumerate([*node.kids, None]):
        if kid is not None and kid.price < level:
            gap += 1
            continue
        if gap:
            out.append(f"{name}: {markers.array_gap(gap, at - gap, at - 1)}")
        gap = 0
        if kid is not None:
            _told(kid, f"{name}[{at}]", (*path, EACH), level, ledger, out)


def _note_fields(node: Obj, hidden: list[str], path: tuple[str, ...], ledger: Ledger) -> None:
    if hidden:
        lost = sum(node.kids[field].cost for field in hidden)
        ledger.add(path, "fields", "fit", len(node.kids) - len(hidden), len(node.kids), lost)


def _note_items(node: Arr, level: float, path: tuple[str, ...], ledger: Ledger, total: int) -> None:
    lost = [kid.cost for kid in node.kids if kid.price < level]
    if lost:
        ledger.add(path, "items", "fit", total - len(lost), total, sum(lost))


def _nothing(node: Node, ledger: Ledger) -> bytes:
    total = len(node.value) if isinstance(node.value, dict | list | str) else 1
    ledger.add("", unit_of(node.value), "fit", 0, max(1, total), node.cost)
    return markers.stand_in(node.value).encode()
