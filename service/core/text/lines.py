"""Lines of a text, and the units that a text falls into with their prices."""

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from service.core.text.block import TOP, Units
from service.core.tokens import item_costs

FLOOR = 6.0  # tokens: a short line costs its number and its marker as well
POWER = 0.8


class Span(NamedTuple):
    """A unit: characters start to end of the body, on lines first to last (from 0, inclusive), and what it is worth.

    What stands `under` a heading or a name is shown with it: the number of that unit, or -1.
    """

    start: int
    end: int
    first: int
    last: int
    weight: float
    under: int = -1


def plain(text: str) -> str:
    """`text` with every line end as one LF, at the end of as many characters."""
    if "\r" not in text:
        return text
    return text.replace("\r\n", " \n").replace("\r", "\n")


def split(body: str) -> list[str]:
    """The lines of a plain text: `"a\\n"` is one line."""
    lines = body.split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def offsets(lines: Sequence[str]) -> list[int]:
    """Where each line begins, and behind the last one where one more would."""
    return list(accumulate((len(line) + 1 for line in lines), initial=0))


def costs(texts: Sequence[str], family: str) -> list[float]:
    """The tokens of each text, measured in one pass over all of them."""
    coded = [text.encode("utf-8", "replace") for text in texts]
    bounds = list(accumulate((len(data) + 1 for data in coded), initial=0))
    return item_costs(b"\n".join(coded) + b"\n", bounds, family)


def price(weight: float, cost: float, floor: float = FLOOR) -> float:
    """The level up to which something of this weight and cost is shown."""
    return min(TOP, weight / float(max(floor, cost) ** POWER))


def priced(text: str, body: str, spans: Sequence[Span], lines: int, family: str, floor: float = FLOOR) -> Units:
    """The units of `body` at these spans."""
    measured = costs([body[span.start : span.end] for span in spans], family)
    return Units(
        body=text if body == text else body,
        starts=[span.start for span in spans],
        ends=[span.end for span in spans],
        first=[span.first for span in spans],
        last=[span.last for span in spans],
        prices=[price(span.weight, cost, floor) for span, cost in zip(spans, measured, strict=True)],
        lines=lines,
    )
