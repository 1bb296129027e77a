"""What holds for every chunking of every text, as one function."""

from collections.abc import Sequence

from service.core.chunk import Cut, Limits
from service.core.lines import count_lines, line_starts
from service.core.tokens import estimate


def keep(text: bytes, limits: Limits, cuts: Sequence[Cut]) -> None:
    """Check rejoin, limits, line numbers and names."""
    assert b"".join(text[cut.start : cut.end] for cut in cuts) == text
    assert [cut.start for cut in cuts] == [0, *(cut.end for cut in cuts[:-1])]
    assert [cut.boundary == "end" for cut in cuts] == [False] * (len(cuts) - 1) + [True]
    starts = line_starts(text)
    for cut in cuts:
        part = text[cut.start : cut.end]
        assert part or not text
        assert estimate(part, limits.family) <= limits.tokens
        assert count_lines(part) <= limits.lines
        assert len(part) <= limits.bytes
        assert starts[cut.start_line - 1] <= cut.start
        assert cut.start < starts[cut.start_line] or not text
        assert cut.end <= starts[cut.end_line]
        assert starts[cut.end_line - 1] < cut.end or not text
    if len(cuts) > 1:
        assert (
            estimate(text, limits.family) > limits.tokens
            or count_lines(text) > limits.lines
            or len(text) > limits.bytes
        )
