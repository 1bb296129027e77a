"""TOML: sections of settings, lists of packages."""

import re
import tomllib
from typing import Any

from service.core.forms.reading import Reading
from service.core.forms.sample import Sample
from service.core.forms.scalars import number

_ENTRY = re.compile(
    r"\s*(?:\[\[?[\w.\"' :/@-]+\]\]?\s*(?:#.*)?$|[\w.\"'-]+\s*=\s*(?:[\"'\[{\d+-]|true|false|inf|nan)|#|"
    r"[\]}],?\s*$|[\"'].*,?\s*$|\{.*\},?\s*$)"
)
_MOST = 256 * 1024  # the reader is written in Python: about a second per megabyte


def looks_toml(seen: Sample) -> bool:
    """Whether the lines are keys with quoted values, and sections."""
    lines = seen.lines
    sections = any(line.startswith("[") for line in lines)
    return sections and len(lines) > 2 and sum(_ENTRY.match(line) is not None for line in lines) >= 0.9 * len(lines)


def read_toml(text: str) -> Reading | None:
    """The document as one object; times stay what they look like."""
    if len(text) > _MOST:
        return None
    try:
        return Reading("code", _plain(tomllib.loads(text.replace("\r\n", "\n"), parse_float=number)), True)
    except (ValueError, RecursionError):
        return None


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value if isinstance(value, str | int | float) else str(value)
