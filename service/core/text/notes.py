"""What is said behind a log line that stands for others: `[×532 10:02:11..10:14:40] {root ×120, admin ×30}`."""

import re
from collections.abc import Sequence

from service.core.fold import Folded
from service.core.text.stamps import times
from service.core.text.varying import LOOKED, varying

_SAYS = re.compile(r"[^\W_]")  # a rule or a mark under a word is not worth a count


class Notes:
    """The notes of a folded log, each made when it is first shown."""

    def __init__(self, lines: Sequence[str], folded: Folded, stamp: int = 0) -> None:
        self._lines, self._folded, self._stamp = lines, folded, stamp
        self._made: dict[int, str] = {}
        self._ending: list[int] | None = None  # templates, that of the last line first

    def note(self, i: int, before: int, told: set[int]) -> str:
        """Behind line i, unless its template was told already or the line before it says as many."""
        template = self._folded.of[i]
        members = self._folded.lines[template]
        if template in told or len(members) < 2:
            return ""
        told.add(template)
        if before == i - 1 and before >= 0 and len(self._folded.lines[self._folded.of[before]]) == len(members):
            return ""
        if template not in self._made:
            self._made[template] = self._note(members)
        return self._made[template]

    def _note(self, members: Sequence[int]) -> str:
        lines = self._lines
        if not _SAYS.search(lines[members[0]]):
            return ""
        during = times(lines[members[0]], lines[members[-1]])
        count = f" [×{len(members)}{' ' + during if during else ''}]"
        return count + varying([lines[i][self._stamp :] for i in members[: LOOKED + 1]])

    def stands_for(self, picked: Sequence[int]) -> tuple[int, int, int]:
        """How many lines the picked ones stand for besides themselves, and the first and last line they do not."""
        of, lines = self._folded.of, self._folded.lines
        shown = {of[i] for i in picked}
        count = sum(len(lines[template]) for template in shown) - len(picked)
        if len(shown) == len(lines):
            return count, 0, 0
        if self._ending is None:
            self._ending = sorted(range(len(lines)), key=lambda template: -lines[template][-1])
        first = next(template for template in range(len(lines)) if template not in shown)
        last = next(template for template in self._ending if template not in shown)
        return count, lines[first][0], lines[last][-1]
