"""A text as units with a price each, and what is shown of it at a level.

A unit is a span of the text: a log line, a sentence, a line of code. It is shown when weight / cost**0.8 reaches the
level; level 0 is the text itself. Units that follow one another are joined as they stand. Few gaps are marked where
they are. When there are many, and in logs, a number before each run says which line it begins with, and one marker at
the end counts what is missing: the numbers tell where, and a marker for each gap would cost more than it says.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from service.core.markers import MARK, escape_lines, line_gap
from service.core.text.gaps import PLACES, between, cut_long, missing_lines

HEAD = 24.0  # above this level even the line that says what the text is falls away
FEW = 3  # so few lines need no legend
NUMBERS, COUNTS = '"12:" is a line number', ", [×12] stands for 12 such lines"
COUNT = " [×"  # opens what is said behind a line
TOP = 40.0  # no unit is worth more: a high level shows nothing but the marker
WRAPPED = 200  # characters: a sentence in shorter lines is shown with the rest of its first and last line


@dataclass(frozen=True, slots=True)
class Shown:
    """One rendering: its text and the lines that it stands for."""

    text: str
    kept: int
    total: int
    complete: bool
    folded: int = 0  # of the kept lines, those that only a similar line stands for


@dataclass(slots=True)
class Units:
    """The units of a text: spans of `body` in order, the lines (from 0, inclusive) they touch, and their prices."""

    body: str
    starts: Sequence[int]
    ends: Sequence[int]
    first: Sequence[int]
    last: Sequence[int]
    prices: list[float]
    lines: int


@dataclass(slots=True)
class Fold:
    """What similar lines share: said behind the line that is shown, and counted."""

    note: Callable[[int, int, set[int]], str]  # of a unit, given the one before it and the templates already told
    stands_for: Callable[[Sequence[int]], tuple[int, int, int]]  # lines represented, first and last line that is not


@dataclass(slots=True)
class Block:
    """A text ready to be shown at any level."""

    text: str
    units: Units
    head: str = ""
    fold: Fold | None = None
    date: Callable[[str], int] | None = None  # how many characters in front of a line are its date
    whole: frozenset[int] = frozenset()  # units that keep their date
    spot: Callable[[str], int] | None = None  # where the most telling part of a long line is
    limit: int = 0  # a unit shows no more characters than this until the level reaches its price when whole
    long: dict[int, float] | None = None  # that second price of the units that are longer
    notes: dict[int, str] | None = None  # what is said behind single units
    reduced: bool = False  # the text is what a notation says, without the notation: never all of it
    _dates: dict[int, int] = field(default_factory=dict)
    _order: tuple[list[int], list[float]] | None = None

    @property
    def best(self) -> float:
        """The highest level at which anything but the marker is shown."""
        return HEAD if self.head and self.fold else max(self.units.prices, default=1.0)

    def show(self, level: float) -> Shown:
        """What is shown at this level."""
        total = self.units.lines
        picked = [] if level <= 0 else self._picked(level)
        if level <= 0 or (len(picked) == len(self.units.starts) and self.units.body is self.text):
            picked = picked or list(range(len(self.units.starts)))
            if not self._cuts(level):
                head = f"{MARK} {self.head}, reduced to this text\n" if self.reduced else ""
                return Shown(head + self.text, total, total, not self.reduced)
        return self._cut(picked, level)

    def _cuts(self, level: float) -> bool:
        return level > 0 and bool(self.long) and any(level > price for price in (self.long or {}).values())

    def _picked(self, level: float) -> list[int]:
        if self._order is None:
            prices = self.units.prices
            order = sorted(range(len(prices)), key=prices.__getitem__, reverse=True)
            self._order = order, [-prices[i] for i in order]
        return sorted(self._order[0][: bisect_right(self._order[1], -level)])

    def _cut(self, picked: Sequence[int], level: float) -> Shown:
        units = self.units
        spans = [(units.first[i], units.last[i]) for i in picked]
        gaps = between(spans, units.lines)
        kept = units.lines - sum(last - first + 1 for first, last in gaps)
        folded, first, last = self.fold.stands_for(picked) if self.fold and picked else (0, 0, 0)
        if not folded and gaps:
            first, last = gaps[0][0], gaps[-1][1]
        missing = units.lines - kept - folded
        inside = bool(picked) and not self.fold and len(gaps) <= PLACES
        out = [] if inside else self._heading(picked, level)
        out += self._lines(picked, level, gaps if inside else None)
        if missing and not inside:
            out.append(missing_lines(missing, first + 1, last + 1))
        return Shown("\n".join(out), kept + folded, units.lines, False, folded)

    def _heading(self, picked: Sequence[int], level: float) -> list[str]:
        if not self.head or level > HEAD or not (picked or self.fold):
            return []
        legend = f"; {NUMBERS}{COUNTS if self.fold else ''}" if len(picked) > FEW else ""
        return [f"{MARK} {self.head}{legend}"]

    def _lines(self, picked: Sequence[int], level: float, gaps: Sequence[tuple[int, int]] | None) -> list[str]:
        """The shown units as lines, joined where they follow one another, with the gaps that are marked in place."""
        units, out, before, date, told = self.units, list[str](), -2, "", set[int]()
        waiting = iter([*(gaps or ()), (units.lines, units.lines)])
        gap = next(waiting)
        for i in picked:
            while gap[0] < units.first[i]:
                self._finish(out, before)
                before = -2
                out.append(line_gap(gap[1] - gap[0] + 1, gap[0] + 1, gap[1] + 1))
                gap = next(waiting)
            text, date = self._undated(i, date)
            text = self._short(i, escape_lines(text), level)  # our own markers come last
            if self.fold:
                text = text.replace(COUNT, COUNT[:-1] + MARK + COUNT[-1]) + self.fold.note(i, before, told)
            text += (self.notes or {}).get(i, "")
            self._add(out, i, before, text, gaps is None)
            before = i
        self._finish(out, before)
        out += [line_gap(gap[1] - gap[0] + 1, gap[0] + 1, gap[1] + 1)] if gap[0] < units.lines else []
        return out

    def _add(self, out: list[str], i: int, before: int, text: str, numbered: bool) -> None:
        """One more unit: on the line of the last one, on the next, or, after a gap, behind its number."""
        units = self.units
        if before >= 0 and units.first[i] == units.last[before]:
            skipped = units.starts[i] - units.ends[before]
            if skipped >= 1 and (between := self._beside(before)) is not None:
                skipped, text = 0, escape_lines(between[:skipped]) + text
            out[-1] += text if skipped < 1 else f" {MARK} [{skipped} more characters] {text}"
        elif i == before + 1 and before >= 0:
            out.append(text)
        else:
            self._finish(out, before)
            number = f"{units.first[i] + 1}: " if numbered else ""
            out.append(number + self._lead(i) + text)

    def _lead(self, i: int) -> str:
        """What stands on its line before a unit: itself when the line is short, else how much it is."""
        units = self.units
        start = units.body.rfind("\n", 0, units.starts[i]) + 1
        lead = units.starts[i] - start
        if not lead:
            return ""
        if self._line_end(units.starts[i]) - start <= WRAPPED:
            return escape_lines(units.body[start : units.starts[i]])
        return f"{MARK} [{lead} more characters] "

    def _line_end(self, at: int) -> int:
        end = self.units.body.find("\n", at)
        return end if end >= 0 else len(self.units.body)

    def _beside(self, i: int) -> str | None:
        """The rest of the last line of a unit, when the line is short."""
        body, end = self.units.body, self.units.ends[i]
        stop = self._line_end(end)
        return body[end:stop] if stop - body.rfind("\n", 0, end) - 1 <= WRAPPED else None

    def _finish(self, out: list[str], before: int) -> None:
        """The end of a run: no blank lines, and a mark when its last line goes on."""
        if before < 0:
            return
        units = self.units
        if before + 1 < len(units.starts) and units.first[before + 1] == units.last[before]:
            if (beside := self._beside(before)) is not None:
                out[-1] += escape_lines(beside)
            elif (rest := self._line_end(units.ends[before]) - units.ends[before]) > 0:
                out[-1] = f"{out[-1].rstrip()} {MARK} [{rest} more characters]"
        out[-1] = out[-1].rstrip()

    def _undated(self, i: int, date: str) -> tuple[str, str]:
        """The text of a unit without the date that the last dated line has shown already."""
        text = self.units.body[self.units.starts[i] : self.units.ends[i]]
        if not self.date:
            return text, date
        if i not in self._dates:
            self._dates[i] = self.date(text)
        own = text[: self._dates[i]]
        if own and own == date and i not in self.whole:
            return text[len(own) :], date
        return text, own or date

    def _short(self, i: int, text: str, level: float) -> str:
        cut = self.limit and self.long and level > self.long.get(i, level)
        return cut_long(text, self.limit, self.spot) if cut else text
