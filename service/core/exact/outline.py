"""The lossless notation of any value, in the densest of its forms."""

from typing import Any

from service.core import markers
from service.core.exact.cells import spell
from service.core.exact.refs import Ref, Shelf, shelve, size
from service.core.exact.sheet import Sheet, sheet
from service.core.rank.table import keys_of, rows_of
from service.core.render import spelling

DEPTH = 40  # deeper values stand on their line as they are
LINE = 120  # characters of an object that stands on one line


def exact(value: Any, shelved: bool = True) -> str:
    """The whole value as text; `shelved` tells repeated objects once."""
    told, shelf = shelve(value) if shelved else (value, Shelf())
    out: list[str] = []
    _write(told, "", 0, out)
    for name, (label, objects) in shelf.tables.items():
        rows = list(objects.values())
        lines = sheet(rows, label=label) if label else sheet(rows, keys=list(objects))
        _table(lines, f"&{name}", len(rows), "", out)
    return "\n".join(out)


def _write(value: Any, name: str, depth: int, out: list[str]) -> None:
    indent = " " * depth
    lead = f"{indent}{name}: " if name else indent
    if isinstance(value, str):
        _text(value, name, depth, out)
    elif not isinstance(value, dict | list) or not value or depth > DEPTH:
        out.append(lead + (spell(value) if not _deep(value) else spelling.plain(value)))
    elif not _tabled(value, name, indent, out):
        flat = spell(value) if name and _small(value) else ""
        if (flat and len(flat) <= LINE) or (isinstance(value, list) and not _holds(value)):
            out.append(lead + (flat or spell(value)))
        else:
            _children(value, name, depth, out)


def _deep(value: Any) -> bool:
    return isinstance(value, dict | list) and bool(value)


def _holds(value: list[Any]) -> bool:
    """Whether a list holds objects, at any level; lists of lists of numbers read best as they are."""
    return any(bool(child) if isinstance(child, dict) else isinstance(child, list) and _holds(child) for child in value)


def _small(value: Any, room: int = 12) -> bool:
    """Whether a container is small enough to be tried on one line."""
    children = list(value.values()) if isinstance(value, dict) else value
    if len(children) > room:
        return False
    return all(
        _small(child, room // 2) if isinstance(child, dict | list) else len(str(child)) <= LINE for child in children
    )


def _text(value: str, name: str, depth: int, out: list[str]) -> None:
    lines = value.split("\n")
    if name and len(lines) > 1 and not any(_broken(line) for line in lines):
        out.append(f"{' ' * depth}{name} ({len(lines)} lines):")
        out.extend(f"{' ' * (depth + 1)}{line}" for line in markers.escape_lines(value).split("\n"))
    else:
        out.append(" " * depth + (f"{name}: {_line(value)}" if name else spelling.quoted(markers.escape(value))))


def _broken(line: str) -> bool:
    return any((ord(sign) < 32 and sign != "\t") or sign in "\x7f\x85\u2028\u2029" for sign in line) if line else False


def _line(value: str) -> str:
    return spelling.quoted(value) if value.startswith("&") else spelling.line(value)


def _children(value: Any, name: str, depth: int, out: list[str]) -> None:
    if isinstance(value, list):
        for at, child in enumerate(value):
            _write(child, f"{name}[{at}]", depth, out)
        return
    alone = name and len(value) == 1
    if name and not alone:
        out.append(f"{' ' * depth}{name}:")
        depth += 1
    for key, child in value.items():
        _write(child, f"{name}.{spelling.key(key)}" if alone else spelling.key(key), depth, out)


def _tabled(value: Any, name: str, indent: str, out: list[str]) -> bool:
    """Writes a value as a table when it is one and that is shorter."""
    if isinstance(value, list) and any(isinstance(child, Ref) for child in value):
        return False
    rows = rows_of(value)
    if rows is None:
        return False
    keys = keys_of(value) if isinstance(value, dict) else None
    lines = sheet(rows, keys, many=keys is not None and any(type(child) is list for child in value.values()))
    if sum(map(len, lines.rows)) + len(lines.header) + len(lines.shared) > 0.9 * size(value):
        return False
    _table(lines, name, len(rows), indent, out)
    return True


def _table(lines: Sheet, name: str, count: int, indent: str, out: list[str]) -> None:
    out.append(f"{indent}{name}[{count}]{{{lines.header}}}")
    if lines.shared:
        out.append(indent + lines.shared)
    out.extend(indent + row for row in lines.rows)
