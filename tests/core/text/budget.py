"""The search for the level that fills a budget, as the engine does it."""

from service.core.text import text_block
from service.core.tokens import estimate


def seen(text: str, kind: str, budget: int, query: str = "") -> str:
    """The most of a text that fits a budget."""
    block = text_block(text, kind, query=query)
    low, high = -14.0, 6.0
    best = block.show(1e9).text
    for _ in range(12):
        middle = (low + high) / 2
        shown = block.show(2**middle).text
        low, high, best = (low, middle, shown) if estimate(shown) <= budget else (middle, high, best)
    return best
