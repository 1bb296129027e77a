"""Chunks of real files beside what users would take instead: chonkie, semchunk and langchain's recursive splitter.

The rivals are no dependency: `pip install chonkie semchunk langchain-text-splitters tiktoken`. Files come from the
folder that DECANT_CORPUS names; without one a log is made up. Rivals count o200k tokens, each in its first run on a
text, because they remember what they have counted.
"""

import os
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from service.core.chunk import Limits, chunk
from tests.bench.figures import Figure, ms
from tests.bench.payloads import log

TOKENS = 2000
LIMITS = Limits(tokens=TOKENS, lines=1 << 30, bytes=1 << 30, family="o200k")
KINDS = {".log": "log", ".md": "markdown", ".rst": "rst", ".csv": "csv", ".json": "json", ".go": "code", ".js": "code"}
SMALLEST = 50_000  # bytes: below, nobody waits
Split = Callable[[str], list[str]]


def figures() -> Iterator[Figure]:
    """One line for each file: ours beside the fastest rival that gives the text back."""
    made = rivals()
    ours_all = best_all = 0.0
    for name, text in texts():
        ours = min(_timed(lambda text=text, name=name: _ours(text, name)) for _ in range(5))  # type: ignore[misc]  # bound now
        timed = [(_rejoined(split, text), rival) for rival, split in made.items()]
        exact = [(seconds, rival) for seconds, rival in timed if seconds]
        if not exact:
            continue  # no rival is installed, or none gives the text back
        best, rival = min(exact)
        ours_all, best_all = ours_all + ours, best_all + best
        yield Figure(f"chunks of {name}, {len(text) // 1000} K", ms(ours), f"{rival} {ms(best)}", best / ours)
    if best_all:
        yield Figure(
            "chunks of all these files", ms(ours_all), f"the fastest each time: {ms(best_all)}", best_all / ours_all
        )


def texts() -> Iterator[tuple[str, str]]:
    """Files of the corpus, or a log made up."""
    folder = os.environ.get("DECANT_CORPUS")
    if not folder:
        yield "made up.log", log(400_000).decode()
        return
    for path in sorted(Path(folder).rglob("*")):
        if path.suffix in KINDS and path.stat().st_size >= SMALLEST:
            yield path.name, path.read_bytes().decode("utf-8", "replace")


def rivals() -> dict[str, Split]:
    """The splitters that are installed, each counting o200k tokens."""
    found: dict[str, Split] = {}
    try:
        encoding = import_module("tiktoken").get_encoding("o200k_base")
    except Exception:  # not installed, or its vocabulary cannot be fetched
        return found

    def count(text: str) -> int:
        return len(encoding.encode_ordinary(text))

    for name, make in (("chonkie", _chonkie), ("semchunk", _semchunk), ("langchain", _langchain)):
        try:
            found[name] = make(count)
        except ImportError:
            continue
    return found


def _chonkie(count: Callable[[str], int]) -> Split:
    chunker = import_module("chonkie").RecursiveChunker(tokenizer=count, chunk_size=TOKENS)
    return lambda text: [piece.text for piece in chunker.chunk(text)]


def _semchunk(count: Callable[[str], int]) -> Split:
    chunker: Any = import_module("semchunk").chunkerify(count, TOKENS)
    return lambda text: list(chunker(text))


def _langchain(count: Callable[[str], int]) -> Split:
    made: Any = import_module("langchain_text_splitters").RecursiveCharacterTextSplitter(
        chunk_size=TOKENS, chunk_overlap=0, length_function=count, keep_separator=True, strip_whitespace=False
    )
    return lambda text: list(made.split_text(text))


def _ours(text: str, name: str) -> None:
    chunk(text.encode(), KINDS[Path(name).suffix], LIMITS)


def _rejoined(split: Split, text: str) -> float:
    """The seconds a rival took, 0 when its pieces joined are not the text."""
    start = time.process_time()
    pieces = split(text)
    taken = time.process_time() - start
    return taken if "".join(pieces) == text else 0.0


def _timed(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start
