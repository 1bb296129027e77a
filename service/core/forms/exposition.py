"""Prometheus' text format: one sample per line, its labels as fields."""

import re
from typing import Any

from service.core.forms.reading import Reading
from service.core.forms.sample import Sample
from service.core.forms.scalars import number, unescaped

_SAMPLE = re.compile(
    r"([A-Za-z_:][\w:]*)(?:\{((?:[^\"}]++|\"[^\"\\]*+(?:\\.[^\"\\]*+)*+\")*+)\})?\s+([-+]?(?:\d[\d.eE+-]*|Inf|NaN))(?:\s+(\d+))?\s*$"
)
_LABEL = re.compile(r"(\w+)=\"([^\"\\]*+(?:\\.[^\"\\]*+)*+)\"")
_ABOUT = re.compile(r"# (?:HELP|TYPE|EOF|UNIT)\b")


def looks_exposition(seen: Sample) -> bool:
    """Whether all lines are samples or say what a metric is."""
    lines = [line for line in seen.lines if not _ABOUT.match(line)]
    return (
        len(lines) > 1
        and (len(lines) < len(seen.lines) or sum('="' in line for line in lines) > len(lines) / 2)
        and all(_SAMPLE.match(line) for line in lines if len(line) < 400)
    )


def read_exposition(text: str) -> Reading | None:
    """The samples as objects; what the metrics are for stands before them."""
    about, rows = [], []
    for line in text.split("\n"):
        if _ABOUT.match(line):
            about.append(line)
        elif found := _SAMPLE.match(line):
            rows.append(_row(found))
        elif line.strip():
            return None
    return Reading("log", rows, True, "\n".join(line for line in about if "HELP" in line))


def _row(found: re.Match[str]) -> dict[str, Any]:
    row: dict[str, Any] = {"metric": found[1]}
    for label, value in _LABEL.findall(found[2] or ""):
        row[label] = unescaped(value) if "\\" in value else value
    return row | {"value": number(found[3])} | ({"timestamp": int(found[4])} if found[4] else {})
