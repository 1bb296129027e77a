"""The estimate beside an exact tokenizer, over the project's own files: code, prose, YAML, JSON, hashes."""

from pathlib import Path

import splintr

from service.core.tokens import estimate

ROOT = Path(__file__).parents[2]
SUFFIXES = {".py", ".md", ".json", ".yaml", ".toml", ".lock", ".log", ".txt", ".csv", ".html"}


def texts() -> list[str]:
    files = [path for top in ("schemas", "service", "config", "tests", ".github") for path in (ROOT / top).rglob("*")]
    files += ROOT.glob("*")
    heads = [path.read_bytes()[:50_000] for path in files if path.is_file() and path.suffix in SUFFIXES]
    return [head.decode("utf-8", "ignore") for head in heads if len(head) >= 500]


def test_most_files_are_within_a_tenth_of_the_exact_count() -> None:
    exact = splintr.Tokenizer.from_pretrained("o200k_base").encode_ordinary
    ratios = [estimate(text, "o200k") / len(exact(text)) for text in texts()]
    assert len(ratios) > 50
    assert sum(0.9 <= ratio <= 1.1 for ratio in ratios) / len(ratios) >= 0.9
    assert sum(0.8 <= ratio <= 1.2 for ratio in ratios) / len(ratios) >= 0.97
