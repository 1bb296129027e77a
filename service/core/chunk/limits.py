"""How far a chunk may reach: the first of its tokens, its lines and its bytes.

Tokens are a sum over the bytes, so the text is weighed once; prefix sums over cells of 512 bytes say in which cell a
chunk must end, a bisection within that cell says where. A chunk is read without what stands before it: what this
changes in the cost of its first bytes is measured where the chunk begins, so that the reach is exact.
"""

from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from service.core.lines import count_lines, line_ends
from service.core.tokens import CELL, CHARS4, EXACT_BYTES, Weighed, estimate

HEAD = 4  # bytes whose cost depends on what stands before a chunk
ROUNDED = 0.499  # an estimate is rounded to the nearest token; chars4 is rounded up


@dataclass(frozen=True, slots=True)
class Limits:
    """What no chunk may exceed, and whose tokens are counted."""

    tokens: int
    lines: int
    bytes: int
    family: str = "claude"


class Reach:
    """A text and its limits: how far a chunk that begins here may go."""

    def __init__(self, text: bytes, limits: Limits) -> None:
        """Weigh the text, once."""
        self.text, self.limits, self.size = text, limits, len(text)
        self._weighed = Weighed(text, limits.family)
        self._costs = list(accumulate(self._weighed.cells(), initial=0.0))
        self._allowed = limits.tokens + (1e-6 if limits.family == CHARS4 else ROUNDED)
        self._sure: dict[int, int] = {}

    @property
    def whole(self) -> bool:
        """Whether all of the text is within the limits, by the estimate that its reader is told."""
        limits, text = self.limits, self.text
        near = self._costs[-1] <= limits.tokens + 1 or self.size > EXACT_BYTES
        if not near or self.size > limits.bytes or estimate(text, limits.family) > limits.tokens:
            return False
        return count_lines(text) <= limits.lines

    def sure(self, start: int) -> int:
        """How far a chunk that begins here may go; at least over one code point."""
        if start not in self._sure:
            if len(self._sure) > 8:
                self._sure.clear()
            self._sure[start] = self._within_lines(start, self._within_tokens(start))
        return self._sure[start]

    def _within_tokens(self, start: int) -> int:
        alone = _alone(self.text[max(start - 2, 0) : start], self.text[start : start + HEAD], self.limits.family)
        before = self._costs[start // CELL] + self._weighed.cost(start // CELL * CELL, start)
        end = self._furthest(before + self._allowed - alone)
        return self._aligned(start, min(end, start + min(self.limits.bytes, EXACT_BYTES), self.size))

    def _furthest(self, cost: float) -> int:
        """The last offset up to which the text costs no more than this."""
        cell = bisect_right(self._costs, cost) - 1
        if cell >= len(self._costs) - 1:
            return self.size
        begin = cell * CELL
        return self._weighed.furthest(begin, min(begin + CELL, self.size), cost - self._costs[cell])

    def _within_lines(self, start: int, end: int) -> int:
        lines = self.limits.lines
        if line_ends(self.text, start, end) < lines:
            return end
        parts = self.text[start:end].splitlines(True)[:lines]
        return self._aligned(start, start + sum(map(len, parts)))

    def _aligned(self, start: int, end: int) -> int:
        """Back to where a code point begins, not between CR and LF, but over one code point at least."""
        text, back = self.text, end
        while start < back < self.size and text[back] & 0xC0 == 0x80:
            back -= 1
        if start + 1 < back < self.size and text[back] == 10 and text[back - 1] == 13:
            back -= 1
        return back if back > start else code_point_end(text, start)


@lru_cache(maxsize=4096)
def _alone(before: bytes, head: bytes, family: str) -> float:
    """What the first bytes of a chunk cost more when nothing stands before them."""
    alone, within = Weighed(head, family), Weighed(before + head, family)
    return alone.cost(0, len(head)) - within.cost(len(before), len(before) + len(head))


def code_point_end(text: bytes, start: int) -> int:
    """The end of the code point that begins here."""
    end = start + 1
    while end < len(text) and text[end] & 0xC0 == 0x80:
        end += 1
    return end
