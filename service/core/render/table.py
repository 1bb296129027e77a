"""The text notation: an outline of `key: value` lines in which arrays of similar objects are tables.

    kind: PodList
    items[3]{metadata.name,status.phase,…}
    # every row: apiVersion=v1
    web-1,Running,10.0.0.1
    … 2 more lines (2-3)

Indentation is one space a level; a table declares its length, so that no value can forge a row.
"""

from service.core import markers
from service.core.ledger import Ledger, unit_of
from service.core.paths import EACH
from service.core.rank.nodes import Arr, Leaf, Node, Obj, Seq, Table, Text
from service.core.render.inline import fits_line, inline
from service.core.render.kept import MARKER, hidden_fields, kept_items
from service.core.render.rows import render_table
from service.core.render.spelling import key, line
from service.core.text import Shown

ROOM = 40.0  # tokens an object may have to stand on one line


def render(node: Node, level: float, ledger: Ledger) -> bytes:
    """The text of what is worth its price; what is not goes to the ledger."""
    out: list[str] = []
    if level > 0 and node.price < level:
        ledger.add(
            "", unit_of(node.value), "fit", 0, len(node.value) if hasattr(node.value, "__len__") else 1, node.cost
        )
        return markers.stand_in(node.value).encode()
    _show(node, "", 0, (), level, ledger, out)
    return "\n".join(out).encode()


def _show(
    node: Node, name: str, depth: int, path: tuple[str, ...], level: float, ledger: Ledger, out: list[str]
) -> None:
    if isinstance(node, Table):
        render_table(node, name, depth, path, level, ledger, out)
    elif isinstance(node, Text):
        _show_text(node, name, depth, path, level, ledger, out)
    elif isinstance(node, Seq):
        _show_all(node, name, depth, path, level, ledger, out)
    elif isinstance(node, Leaf):
        out.append(" " * depth + (f"{name}: " if name else "") + line(node.value))
    elif name and fits_line(node, level, ROOM):
        out.append(f"{' ' * depth}{name}: {inline(node, level, path, ledger)}")
    elif isinstance(node, Obj):
        _show_object(node, name, depth, path, level, ledger, out)
    else:
        _show_array(node, name, depth, path, level, ledger, out)


def _show_object(
    node: Obj, name: str, depth: int, path: tuple[str, ...], level: float, ledger: Ledger, out: list[str]
) -> None:
    alone = name and len(node.kids) == 1
    prefix = f"{name}." if alone else ""
    if name and not alone:
        out.append(f"{' ' * depth}{name}:")
        depth += 1
    hidden = hidden_fields(node, level)
    for field, kid in node.kids.items():
        if field not in hidden:
            _show(kid, prefix + key(field), depth, (*path, field), level, ledger, out)
    if hidden:
        out.append(f"{' ' * depth}{markers.MARK} {markers.object_gap(hidden, len(hidden))}")
        lost = sum(kid.cost for kid in hidden.values())
        ledger.add(path, "fields", "fit", len(node.kids) - len(hidden), len(node.kids), lost)


def _show_array(
    node: Arr, name: str, depth: int, path: tuple[str, ...], level: float, ledger: Ledger, out: list[str]
) -> None:
    if not name and all(isinstance(kid, Leaf) for kid in node.kids):
        out.append(inline(node, level, path, ledger))
        return
    gap, kept, lost, total = 0, 0, 0.0, len(node.kids)
    for at, (kid, here) in enumerate(zip(node.kids, kept_items(node, level), strict=True)):
        if not here:
            gap, lost = gap + 1, lost + kid.cost
            continue
        if gap:
            out.append(" " * depth + markers.array_gap(gap, at - gap, at - 1))
        _show(kid, f"{name}[{at}]", depth, (*path, EACH), level, ledger, out)
        gap, kept = 0, kept + 1
    if gap:
        out.append(" " * depth + markers.array_gap(gap, total - gap, total - 1))
    if kept < total:
        ledger.add(path, "items", "fit", kept, total, lost)


def _lost(node: Text, shown: Shown, path: tuple[str, ...], ledger: Ledger) -> None:
    """What a text left out: lines, or the characters of lines that were cut; lines told by a template count as kept."""
    kept, total = shown.kept, shown.total
    if node.block.reduced:
        kept, total = min(len(shown.text), len(node.value) - 1), len(node.value)
    elif kept == total and not shown.folded and (cut := markers.cut_characters(shown.text)):
        total = len(node.value)
        kept = max(0, total - cut)
    ledger.add(path, "text", "fit", kept, total, node.cost * (1 - kept / max(1, total)))


def _show_text(
    node: Text, name: str, depth: int, path: tuple[str, ...], level: float, ledger: Ledger, out: list[str]
) -> None:
    """A text under its name, a step further in than it, so that no line of it can be taken for ours."""
    shown = node.show(level)
    if not shown.complete:
        _lost(node, shown, path, ledger)
    if not name:
        out.append(shown.text)
    elif "\n" not in shown.text and shown.complete:
        out.append(f"{' ' * depth}{name}: {line(shown.text)}")
    else:
        out.append(f"{' ' * depth}{name} ({shown.total} lines):")
        out.extend(f"{' ' * depth} {one}" for one in shown.text.split("\n"))


def _show_all(
    node: Seq, name: str, depth: int, path: tuple[str, ...], level: float, ledger: Ledger, out: list[str]
) -> None:
    if name:
        out.append(f"{' ' * depth}{name}:")
        depth += 1
    for kid in node.kids:
        short = isinstance(kid, Text) and kid.cost <= MARKER  # no longer than the words that it is gone
        if kid.price >= level or short:
            _show(kid, "", depth, path, 0.0 if short else level, ledger, out)
        else:
            out.append(" " * depth + markers.stand_in(kid.value))
            total = len(kid.value) if isinstance(kid.value, str | dict | list) else 1
            ledger.add(path, unit_of(kid.value), "fit", 0, max(1, total), kid.cost)
