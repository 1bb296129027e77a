"""What reading a payload yields."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Reading:
    """A payload as it was understood: a JSON-like value, or the text itself."""

    kind: str  # the contentType name
    value: Any  # structured: the decoded value; else the text
    structured: bool
    before: str = ""  # the text around the part that `value` stands for
    after: str = ""
    notes: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()  # as they stood there, when each value of a list was a line of its own
