"""`python -m tests.bench [subject ...]`: runs the benchmarks, prints their table and writes it into README.md."""

import importlib
import os
import pkgutil
import platform
import sys

from tests import bench, readme
from tests.bench.figures import Figure

HEAD = "| | measured | beside | ratio | bound |\n|---|---|---|---|---|"


def subjects() -> list[str]:
    """Every module beside this one that has figures."""
    found = sorted(module.name for module in pkgutil.iter_modules(bench.__path__) if module.name != "__main__")
    return [name for name in found if hasattr(importlib.import_module(f"tests.bench.{name}"), "figures")]


def row(figure: Figure) -> str:
    bound = figure.bound.replace("<=", "≤").replace(">=", "≥") + ("" if figure.ok else " **missed**")
    return f"| {figure.what} | {figure.measured} | {figure.beside} | {figure.ratio:.2f} | {bound} |"


def main(wanted: list[str]) -> int:
    """Runs what is wanted, all when nothing is; 1 when a bound was missed."""
    figures: list[Figure] = []
    print(HEAD)
    for name in wanted or subjects():
        for figure in importlib.import_module(f"tests.bench.{name}").figures():
            figures.append(figure)
            print(row(figure), flush=True)
    if not wanted:
        machine = f"CPython {platform.python_version()}, {os.cpu_count()} shared cores."
        readme.write("benchmarks", "\n".join([machine, "", HEAD, *map(row, figures)]))
    return int(not all(figure.ok for figure in figures))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
