"""Token estimates beside an exact tokenizer: how fast, and how close over real payloads."""

from collections.abc import Iterator
from pathlib import Path

import splintr

from service.core.tokens import EXACT_BYTES, estimate
from tests.bench.figures import Figure, side_by_side

ROOT = Path(__file__).parents[2]
FAMILY = "o200k"


def payloads() -> list[str]:
    """Real tool results when a corpus lies beside the project, else the project's own files."""
    corpus = [path for path in (ROOT.parent / "shared/corpus").glob("*/*") if path.is_file()]
    own = [path for path in ROOT.glob("*/**/*") if path.suffix in {".py", ".md", ".json", ".yaml", ".txt", ".log"}]
    texts = (path.read_bytes()[:EXACT_BYTES].decode("utf-8", "ignore") for path in sorted(corpus or own))
    return [text for text in texts if len(text) >= 200]


def figures() -> Iterator[Figure]:
    exact = splintr.Tokenizer.from_pretrained("o200k_base").encode_ordinary
    texts = payloads()
    ratios = [estimate(text, FAMILY) / len(exact(text)) for text in texts]
    for margin, bound in ((0.1, ">= 0.93"), (0.2, ">= 0.97")):
        close = sum(abs(ratio - 1) <= margin for ratio in ratios)
        what = f"estimate within ±{margin:.0%} of exact o200k, share of {len(texts)} payloads"
        yield Figure(what, str(close), f"{len(texts)} payloads", close / len(texts), bound)
    data = "".join(texts).encode()[:EXACT_BYTES]
    text = data.decode("utf-8", "ignore")
    ours, theirs = side_by_side(lambda: estimate(data, FAMILY), lambda: exact(text))
    speed = len(data) / ours / 1e6
    yield Figure("estimate, MB a second", f"{speed:.0f}", "100", speed / 100, ">= 1")
    yield Figure(
        "the same, beside an exact tokenizer in Rust", f"{speed:.0f}", f"{len(data) / theirs / 1e6:.0f}", theirs / ours
    )
