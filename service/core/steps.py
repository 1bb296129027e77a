"""The steps that somebody wished for, in the one order there is: fields, keep and drop, strip, condense, shorten.

They run whether or not the payload fits. The request's fields come first and win: they are cut from the payload as it
came, and no step of the policy takes away what was asked for by name.
"""

from dataclasses import dataclass
from typing import Any

from schemas.api import Omitted, Step
from schemas.policy import Shorten, Strip
from service.core import values
from service.core.condense import condense
from service.core.globs import Pattern, Tree, pattern
from service.core.paths import parse
from service.core.payload import Wish
from service.core.plan import GUARD, KEEP, Plan
from service.core.project import NOTHING, OPEN, WANTED, Projection
from service.core.shorten import shorten
from service.core.strip import strip
from service.core.tally import Tally
from service.core.tokens import estimate


@dataclass(frozen=True, slots=True)
class Stepped:
    """A value after the steps, and what they took away."""

    value: Any
    omitted: tuple[Omitted, ...] = ()
    missing: tuple[str, ...] = ()  # asked for and not there
    projected: tuple[str, ...] = ()  # asked for and there
    ran: bool = False  # a step changed something: the received bytes are no longer the answer
    trace: tuple[str, ...] = ()  # the steps that ran
    explained: tuple[Step, ...] = ()  # tokens after each, when the wish is to explain
    notes: tuple[str, ...] = ()


class _Run:
    """The value on its way through the steps."""

    def __init__(self, value: Any, plan: Plan, wish: Wish, at: tuple[str, ...]) -> None:
        self.value, self.plan, self.wish, self.at = value, plan, wish, at
        self.asked: tuple[Pattern, ...] = ()
        self.omitted: list[Omitted] = []
        self.trace: list[Step] = []
        self.notes: list[str] = []
        self.changed = False
        self.missing: tuple[str, ...] = ()
        self.projected: tuple[str, ...] = ()

    def done(self, step: str, value: Any, tally: Tally) -> None:
        """Take the result of a step."""
        self.value = value
        self.changed = self.changed or step == "fields" or not tally.empty
        by = "request" if step == "fields" else "policy"
        self.omitted += tally.entries(value, by, self.wish.family)  # type: ignore[arg-type]  # one of two literals
        tokens = estimate(values.encode(value), self.wish.family) if self.wish.explain else 0
        self.trace.append(Step(step=step, tokens=tokens))


def steps(value: Any, plan: Plan, wish: Wish, at: tuple[str, ...] = ()) -> Stepped:
    """The value after every step that the policy and the request wish for; `at` is where it stands in the payload."""
    run = _Run(value, plan, wish, at)
    try:
        if wish.fields is not None:
            _fields(run, wish.fields)
        if not wish.verbatim:
            _policy(run)
    except RecursionError:  # what the steps before it made is sound
        run.notes.append("Nested too deep for every step; those that could not run were left out.")
    return Stepped(
        value=run.value,
        omitted=tuple(run.omitted),
        missing=run.missing,
        projected=run.projected,
        ran=run.changed,
        trace=tuple(step.step for step in run.trace),
        explained=tuple(run.trace) if wish.explain else (),
        notes=tuple(run.notes),
    )


def _fields(run: _Run, fields: tuple[str, ...]) -> None:
    """What was asked for and nothing else, in the payload's nesting and order."""
    run.asked = tuple(pattern(field, KEEP, literal=True) for field in fields)
    projection = Projection(Tree(run.asked), exact=True)
    kept = projection.run(run.value, WANTED)
    run.projected = tuple(field for number, field in enumerate(fields) if number in projection.met)
    covered = tuple(field for field in fields if field not in run.projected and _inside(run, field))
    run.missing = tuple(dict.fromkeys(field for field in fields if field not in (*run.projected, *covered)))
    if kept is NOTHING and not isinstance(run.value, dict | list):
        run.notes.append("`fields` names parts of an object; this payload has none and is whole.")
        return
    if kept is NOTHING and fields:
        run.notes.append("An empty object stands for what has none of `fields`.")
    run.done("fields", _hollow(run.value) if kept is NOTHING else kept, projection.tally)


def _inside(run: _Run, field: str) -> bool:
    """Whether a field is there although the walk never came to it: the whole of what holds it was asked for."""
    segments = parse(field)
    if not any(parse(other) == segments[: len(parse(other))] for other in run.projected):
        return False
    alone = Projection(Tree((pattern(field, KEEP, literal=True),)), exact=True)
    alone.run(run.value, WANTED)
    return bool(alone.met)


def _hollow(value: Any) -> Any:
    return [] if isinstance(value, list) else {}


def _policy(run: _Run) -> None:
    policy = run.plan.policy
    asked = tuple(Pattern(one.written, (*run.at, *one.segments), GUARD) for one in run.asked)
    if run.plan.prunes and isinstance(run.value, dict | list):
        _prune(run, asked)
    if isinstance(policy.strip, Strip):
        tally = Tally()
        guard = run.plan.guard.plus(asked)
        options = policy.strip
        value = strip(run.value, guard, tally, nulls=options.nulls, empties=options.empties, at=run.at)
        run.done("strip", value, tally)
    if policy.condense:
        tally = Tally()
        run.done("condense", condense(run.value, run.plan.condense.plus(asked), tally, run.at), tally)
    if isinstance(policy.shorten, Shorten):
        tally = Tally()
        guard, as_of = run.plan.guard.plus(asked), run.wish.as_of if policy.shorten.times else None
        run.done("shorten", shorten(run.value, guard, tally, ids=policy.shorten.ids, as_of=as_of, at=run.at), tally)


def _prune(run: _Run, asked: tuple[Pattern, ...]) -> None:
    """Keep and drop; what was asked for by name makes `keep` pointless."""
    only = bool(run.plan.policy.keep) and not asked
    projection = Projection(run.plan.prune.plus(asked), exact=False)
    kept = projection.run(run.value, WANTED if only else OPEN, run.at)
    matched = any(run.plan.prune.patterns[number].role == KEEP for number in projection.met if not asked)
    if kept is NOTHING or (only and not matched):
        run.notes.append(f"What has nothing that policy {run.plan.name} keeps was not projected.")
        only, projection = False, Projection(run.plan.prune.plus(asked), exact=False)
        kept = projection.run(run.value, OPEN, run.at)
    run.done("keep" if only else "drop", run.value if kept is NOTHING else kept, projection.tally)
