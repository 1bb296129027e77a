"""The parts of README.md that are written by programs; `python -m tests.readme` writes the table of settings."""

import re
from pathlib import Path

from service.settings import DEFAULTS, OVERRIDES, PREFIX, VARIABLES

README = Path(__file__).parent.parent / "README.md"


def fill(text: str, part: str, content: str) -> str:
    """The text with this content between the markers of the part."""
    between = re.compile(rf"(<!-- {part}: [^\n]*-->\n).*?(<!-- /{part} -->)", re.DOTALL)
    assert between.search(text), f"README.md has no part {part}"
    return between.sub(lambda found: f"{found[1]}{content.strip()}\n{found[2]}", text)


def settings_table() -> str:
    """Every variable with its default and its meaning."""
    rows = [(variable.name, variable.default, variable.doc) for variable in VARIABLES]
    rows += [(PREFIX + key.upper(), str(DEFAULTS[key]).lower(), doc) for key, doc in OVERRIDES.items()]
    lines = [f"| `{name}` | {f'`{default}`' if default else ''} | {doc} |" for name, default, doc in rows]
    return "\n".join(["| variable | default | meaning |", "|---|---|---|", *lines])


def write(part: str, content: str) -> None:
    """Puts the content into README.md."""
    README.write_text(fill(README.read_text(), part, content))


if __name__ == "__main__":
    write("settings", settings_table())
