"""Logs: one line stands for all that say the same thing, errors and rare lines first."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log10

from service.core.fold import Folded, fold, shapes
from service.core.text.block import Block, Fold, Units
from service.core.text.lines import costs, offsets, plain, price, split
from service.core.text.notes import Notes
from service.core.text.peaks import peak
from service.core.text.query import Query
from service.core.text.signals import gates, is_own_frame, level, spot, weight
from service.core.text.stamps import date, dated, span, without_colours, without_runner_stamps

SHOWN = 700  # characters of a line until the level pays for all of it
MEASURED = 40  # lines of a template whose own cost counts, the others cost what its first one does
TAIL, FRONT = 60, 3
OWN = 3.0  # what the first frame of a trace is worth that stands in the program itself
BEFORE = 6  # where a trace ends with the error, it is the last one, so many lines before it
LEAD = 16  # lines after an error that it raises
LOOKED = 5_000  # lines of a template that are compared
VARIANTS = 16  # lines of a template that are shown for their differences
WARNED, DULL, DULLS = 8.0, 1.2, 4  # lines worth more are a list of failures, lines worth less need few examples
FURTHER = 0.5  # what a line is worth that only shows another variant of what is no error
LENGTHS = 40  # so many variants of other lengths, in words, are shown besides
AGAIN, REPEATED = 2, 0.3  # how often a line that differs in digits only is shown, and what it is worth
RARE = 60  # failing things of up to so many are a list
_COUNTS = re.compile(r"\b\d+ [a-z]|[:=] ?\d")
LAST = 200  # lines at the end of a log among which its result is looked for
TRIED = 200  # groups of a template that are compared
_NUMBERS = re.compile(r"\b(?=[a-fA-F-]*\d)[0-9a-fA-F]+(?:-[0-9a-fA-F]+)*\b|\d+")  # and ids in hexadecimal
STATUS = re.compile(r'" ([1-5]\d\d) (?:\d|-)')
RESULTS = (  # how a build ended, the first that the end of the log holds
    re.compile(
        r"(?<![.\d])[1-9]\d*(?:,\d+)* (?:\w+ )?(?:failed|failing|[Ff]ailures?|errors?)\b"
        r"|\b(?:[Ff]ailed|FAILED|[Ff]ailures|[Ee]rrors)\b(?:[:=(]| \() ?[1-9]"
    ),
    re.compile(r"\b\d+ (?:\w+ )?(?:failed|failing|[Ff]ailures?|errors?)\b|\b(?:Failures|Errors|FAILED)\b[:= (]"),
    re.compile(
        r"\b(?:BUILD|[Bb]uild|Job) (?:FAIL|fail|SUCC|succ)\w*|Finished: [A-Z]+$|\bexit (?:code|status)[: ]+[1-9]"
    ),
)
_ENDINGS = ("fail", "error", "build", "job", "finished", "exit")  # a result has one of these
BESIDE = 4  # of so many results that end a log the one with the most numbers is told


@dataclass(slots=True)
class Log:
    """A log read once: lines as they are shown, templates, and what each template is worth."""

    body: str
    lines: list[str]
    folded: Folded
    stamp: int = 0  # characters of the stamp in front of most lines
    weights: list[float] = field(default_factory=list)  # by template
    levels: list[str] = field(default_factory=list)
    errors: list[bool] = field(default_factory=list)


def read(text: str) -> Log:
    """Lines, templates and their weights."""
    body = without_runner_stamps(without_colours(plain(text)))
    lines = split(body)
    log = Log(body, lines, fold(body, lines), dated(lines))
    firsts = [lines[members[0]] for members in log.folded.lines]
    alike = Counter[str]()
    for line, gate, shape, members in zip(firsts, gates(firsts), shapes(firsts), log.folded.lines, strict=False):
        named = level(line, gate)
        worth, error = weight(line, named, gate) if line and not line.isspace() else (0.02, False)
        log.levels.append(named)
        log.errors.append(error)
        alike[shape] += 1
        fading = float(alike[shape] ** (-0.15 if error else -0.4))
        log.weights.append(worth * (1 + log10(len(lines) / len(members))) * fading)
    return log


def line_weights(log: Log) -> list[float]:
    """The weight of every line: its template's, less for every further one, more near errors and at both ends.

    Lines that add nothing to those before them weigh nothing: their template stands for them.
    """
    weights = [0.0] * len(log.lines)
    for members, worth, error in zip(log.folded.lines, log.weights, log.errors, strict=True):
        if len(members) == 1:
            weights[members[0]] = worth
        else:
            _fade(log, members, worth, error, weights)
            slowest, ratio = peak(log.lines, members)
            if ratio:
                weights[slowest] = max(weights[slowest], worth * (1 + log10(ratio)))
    _lead(log, weights)
    for i in range(max(0, len(weights) - TAIL), len(weights)):
        weights[i] *= 1.9
    for i in range(min(FRONT, len(weights))):
        weights[i] *= 2
    return weights


def _fade(log: Log, members: Sequence[int], worth: float, error: bool, weights: list[float]) -> None:
    """Weigh the lines of one template: those that differ in more than numbers fade, those that do not nearly vanish."""
    power = -0.4 if error and len(members) <= RARE else -1.1
    most = RARE if worth > WARNED or error else VARIANTS if worth > DULL else DULLS
    variants: Counter[str] = Counter()
    kinds: dict[int, str] = {}
    said: set[str] = set()
    lengths: set[int] = set()
    for i in members[:LOOKED]:
        length, group = log.lines[i].count(" "), log.folded.groups[i]
        if (len(variants) > most or len(kinds) > TRIED) and (length in lengths or len(lengths) > LENGTHS):
            continue
        text = log.lines[i][log.stamp :]
        if group not in kinds:
            kinds[group] = _NUMBERS.sub("", text[:SHOWN])
        variants[kinds[group]] += 1
        times = variants[kinds[group]]
        if times > AGAIN or (times > 1 and text in said):
            continue
        weight = worth * float(len(variants) ** power) * (FURTHER if said and not error else 1.0)
        weights[i] = weight * (1.0 if times == 1 else REPEATED * times**power)
        lengths.add(length)
        said.add(text)


def _lead(log: Log, weights: list[float]) -> None:
    """Raise the lines after an error, less and less, and the frames that say where it came from."""
    errors, of, reach = log.errors, log.folded.of, -1
    heads = sorted(i for t, members in enumerate(log.folded.lines) if errors[t] for i in members[:MEASURED])
    own: set[int] = set()
    for i in heads:
        lead, end = 1.0, i + 1
        for j in range(i + 1, min(i + LEAD, len(weights))):
            if errors[of[j]]:
                break
            end = j + 1
            if j > reach:
                weights[j] *= 1 + 1.3 * lead
                reach = j
            lead *= 0.85
        own.update(_own_frames(log, i, end))
    for j in own:
        weights[j] *= OWN


def _own_frames(log: Log, head: int, end: int) -> list[int]:
    """The frame nearest to an error that stands in the program itself: the first below it, or the last above."""
    below = (j for j in range(head + 1, end) if is_own_frame(log.lines[j]))
    above = (j for j in range(head - 1, max(-1, head - BEFORE), -1) if is_own_frame(log.lines[j]))
    return [j for j in (next(below, -1), next(above, -1)) if j >= 0]


def prices(log: Log, weights: Sequence[float], family: str) -> tuple[list[float], dict[int, float]]:
    """The price of every line, and the second price of the long ones when they are shown whole."""
    measured = [i for i, weight in enumerate(weights) if weight > 0]
    found = dict(zip(measured, costs([log.lines[i][:SHOWN] for i in measured], family), strict=True))
    priced, long = [0.0] * len(weights), {}
    for i in measured:
        priced[i] = price(weights[i], found[i])
    for i in measured:
        if len(log.lines[i]) > SHOWN:
            long[i] = price(weights[i], found[i] * len(log.lines[i]) / SHOWN) * 0.3
    return priced, long


def log_block(text: str, query: Query, family: str, *, folding: bool = True) -> Block:
    """A log as a block; without folding a line stands for itself alone."""
    log = read(text)
    weights = line_weights(log)
    at = offsets(log.lines)
    query.raise_lines(log.body, at, weights, log.folded.of)
    priced, long = prices(log, weights, family)
    ends = [start + len(line) for start, line in zip(at, log.lines, strict=False)]
    every = range(len(log.lines))
    at.pop()
    units = Units(text if log.body == text else log.body, at, ends, every, every, priced, len(every))
    notes = Notes(log.lines, log.folded, log.stamp)
    told = Fold(notes.note, notes.stands_for) if folding else None
    block = Block(text, units, head(text, log), told, date)
    block.whole = frozenset(i for t, members in enumerate(log.folded.lines) if log.errors[t] for i in members)
    block.spot, block.limit, block.long = query.spot(spot), SHOWN, long
    return block


def head(text: str, log: Log) -> str:
    """What the log is: lines, time range, levels or statuses, and how a build ended."""
    counts: Counter[str] = Counter()
    for named, members in zip(log.levels, log.folded.lines, strict=True):
        counts[named] += len(members)
    statuses = Counter(STATUS.findall(text))
    told = [f"{name} ×{count}" for name, count in counts.most_common() if name] if len(counts) > 1 else []
    told += [f"{status} ×{count}" for status, count in statuses.most_common(8)] if len(statuses) > 1 else []
    said = [f"log of {len(log.lines)} lines", span(text), ", ".join(told), ending(log)]
    return "; ".join(part for part in said if part)


def ending(log: Log) -> str:
    """The last line that sums up."""
    lines = [(i, log.lines[i][:300]) for i in range(max(0, len(log.lines) - LAST), len(log.lines))]
    lines = [(i, line) for i, line in lines if any(word in line.lower() for word in _ENDINGS)]
    for pattern in RESULTS:
        found = [(i, line) for i, line in lines if pattern.search(line)]
        if found:
            near = [(i, line) for i, line in found if i >= found[-1][0] - BESIDE]
            best, line = max(near, key=lambda one: (len(_COUNTS.findall(one[1])), one[0]))
            return f"line {best + 1}: {_around(line, pattern)}"
    return ""


def _around(line: str, pattern: re.Pattern[str]) -> str:
    """The part of a line that says the result."""
    hit = pattern.search(line)
    return line[max(0, hit.start() - 60) : hit.end() + 80].strip(" =") if hit else ""
