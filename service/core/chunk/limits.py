"""How far a chunk may reach: the first of its tokens, its lines and its bytes.

Tokens are additive, so one pass over the text gives the costs of all its cells of 512 bytes as prefix sums; a cell is
measured more finely only where a chunk begins or ends. `sure` never goes too far. What a step of the fine grid hides is
looked up exactly where it decides: whether an entry still fits.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from service.core.lines import count_lines, line_ends
from service.core.tokens import EXACT_BYTES, estimate, item_costs

CELL = 512
SLACK = 8.0  # tokens by which a chunk measured alone may differ from the same bytes in their context


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
        """Measure the text, once."""
        self.text, self.limits, self.size = text, limits, len(text)
        bounds = [*range(0, self.size, CELL), self.size]
        self._costs = list(accumulate(item_costs(text, bounds, limits.family), initial=0.0))
        self._step = min(64, max(4, limits.tokens // 32))
        self._cells: dict[int, list[float]] = {}
        self._sure: dict[int, int] = {}

    @property
    def whole(self) -> bool:
        """Whether all of the text is within the limits."""
        near = self._costs[-1] <= self.limits.tokens + SLACK or self.size > EXACT_BYTES
        return near and self.fits(0, self.size)

    def fits(self, start: int, end: int) -> bool:
        """Whether text[start:end] is within the limits, measured exactly as its reader will."""
        limits = self.limits
        if end - start > limits.bytes:
            return False
        part = self.text[start:end]
        return count_lines(part) <= limits.lines and estimate(part, limits.family) <= limits.tokens

    def safe(self, start: int, end: int) -> bool:
        """The same for an end within `sure`: only what is close to the limit needs to be measured again."""
        cost = self._bracket(end)[1] - self._bracket(start)[0]
        far = cost <= self.limits.tokens - SLACK and end - start <= EXACT_BYTES
        return far or self.fits(start, end)

    def sure(self, start: int) -> int:
        """How far a chunk that begins here may go: never too far, short of the truth by a step of the grid or two."""
        if start not in self._sure:
            if len(self._sure) > 4:
                self._sure.clear()
            self._sure[start] = self._within_lines(start, self._within_tokens(start))
        return self._sure[start]

    def perhaps(self, start: int) -> int:
        """How far it cannot go."""
        cost = self._bracket(start)[1] + self.limits.tokens + SLACK
        return min(self._furthest(cost) + self._step, start + self.limits.bytes, self.size)

    def _within_tokens(self, start: int) -> int:
        end = self._furthest(self._bracket(start)[0] + self.limits.tokens)
        return self._aligned(start, min(end, start + self.limits.bytes, self.size))

    def _within_lines(self, start: int, end: int) -> int:
        lines = self.limits.lines
        ends = line_ends(self.text, start, end)
        if ends >= lines:
            return self._line_end(start, end)
        if ends < lines * 0.9 or end == self.size:
            return end
        # the last of the lines may lie behind a coarse end and still fit
        beyond = self.perhaps(start)
        if line_ends(self.text, start, beyond) < lines:
            return end
        exact = self._line_end(start, beyond)
        return exact if self.fits(start, exact) else end

    def _line_end(self, start: int, end: int) -> int:
        parts = self.text[start:end].splitlines(True)[: self.limits.lines]
        return self._aligned(start, start + sum(map(len, parts)))

    def _aligned(self, start: int, end: int) -> int:
        """Back to where a code point begins, not between CR and LF, but over one code point at least."""
        text = self.text
        back = end
        while start < back < self.size and text[back] & 0xC0 == 0x80:
            back -= 1
        if start + 1 < back < self.size and text[back] == 10 and text[back - 1] == 13:
            back -= 1
        if back > start:
            return back
        forward = start + 1
        while forward < self.size and text[forward] & 0xC0 == 0x80:
            forward += 1
        return forward

    def _furthest(self, cost: float) -> int:
        cell = bisect_right(self._costs, cost) - 1
        if cell >= len(self._costs) - 1:
            return self.size
        return min(cell * CELL + (bisect_right(self._cell(cell), cost) - 1) * self._step, self.size)

    def _bracket(self, offset: int) -> tuple[float, float]:
        """The cost of the text up to here, from below and from above."""
        cell, within = divmod(offset, CELL)
        if not within or offset == self.size:
            cost = self._costs[cell] if not within else self._costs[-1]
            return cost, cost
        fine = self._cell(cell)
        index, rest = divmod(within, self._step)
        return fine[index], fine[index + (rest > 0)]

    def _cell(self, cell: int) -> Sequence[float]:
        if cell not in self._cells:
            if len(self._cells) > 8:
                self._cells.clear()
            self._cells[cell] = self._measured(cell * CELL, min(cell * CELL + CELL, self.size), self._costs[cell])
        return self._cells[cell]

    def _measured(self, start: int, end: int, cost: float) -> list[float]:
        """Prefix sums within a cell, in the context of the bytes before it."""
        before = max(start - 4, 0)
        bounds = [*range(start - before, end - before, self._step), end - before]
        costs = item_costs(self.text[before:end], bounds, self.limits.family)
        return list(accumulate(costs, initial=cost))
