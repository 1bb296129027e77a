"""URLs spelled by other columns of their row: `https://api.example/issues/{number}`, verified on every row."""

from typing import Any

LONGEST = 6  # placeholders in one URL
PREFIX = 16  # characters that all URLs of a column must share to be told once
WHOLE = "*"  # the placeholder for the column's own cell


def templates(columns: dict[str, list[Any]]) -> dict[str, str]:
    """For each column of URLs that other columns spell: the template."""
    urls = {name: cells for name, cells in columns.items() if _is_url(cells)}
    sources = {name: _texts(cells) for name, cells in columns.items() if name not in urls}
    usable = {name: texts for name, texts in sources.items() if texts is not None}
    found: dict[str, str] = {}
    for name, cells in urls.items():
        made = _template(cells, usable)
        if made is not None:
            found[name] = made
    return found


def prefix(cells: list[Any]) -> str:
    """What all URLs of a column begin with, up to a slash."""
    if not _is_url(cells) or len(set(cells)) < 2:
        return ""
    low, high = min(cells), max(cells)
    size = next((i for i, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), min(len(low), len(high)))
    size = low.rfind("/", 0, size) + 1
    return low[:size] if size >= PREFIX and not set(low[:size]) & set('{}",[]') else ""


def _is_url(cells: list[Any]) -> bool:
    return all(type(cell) is str and "://" in cell[:12] for cell in cells)


def _texts(cells: list[Any]) -> list[str] | None:
    """The cells of a column that may stand in a URL."""
    if all(type(cell) in (str, int) for cell in cells):
        texts = [str(cell) for cell in cells]
        return texts if all(0 < len(text) <= 100 for text in texts) else None
    return None


def _template(cells: list[str], sources: dict[str, list[str]]) -> str | None:
    if set('",[]\n ') & set(cells[0]):
        return None
    at = max(range(len(cells)), key=lambda i: len(cells[i]))  # short values stand in a URL by chance, long ones do not
    marked = [cell.replace("{", "\x01").replace("}", "\x02") for cell in cells]
    text, used = marked[at], list[str]()
    there = [(-len(texts[at]), name, texts) for name, texts in sources.items() if texts[at] in text]
    for _, name, texts in sorted(there):
        if len(used) < LONGEST and texts[at] in text and _helps(marked, texts):
            text = text.replace(texts[at], f"\x00{len(used)}\x00")
            used.append(name)
    if not used:
        return None
    for row, cell in enumerate(marked):
        made = text
        for number, name in enumerate(used):
            made = made.replace(f"\x00{number}\x00", sources[name][row])
        if made != cell:
            return None
    text = text.replace("\x01", "{{").replace("\x02", "}}")
    for number, name in enumerate(used):
        text = text.replace(f"\x00{number}\x00", f"{{{name}}}")
    return text


def _helps(cells: list[str], texts: list[str]) -> bool:
    """Whether a source stands in the URL of every row, and differs between rows."""
    return len(set(texts)) > 1 and all(text in cell for text, cell in zip(texts, cells, strict=True))
