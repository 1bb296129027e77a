"""The policies in force: read as one set, swapped as one reference, watched for changes by their folder."""

import asyncio
import hashlib
import logging
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import msgspec
from watchfiles import awatch

from schemas.policy import Policy
from service.core.plan import Plan, compile_plan
from service.errors import PolicyUnknown
from service.policies.inherit import DEFAULT, Outcome, read
from service.policies.strict import PolicyProblem

log = logging.getLogger("decant.policies")
STEP, DEBOUNCE = 10, 50  # milliseconds: a change is seen after 11-20
LOOK_AGAIN = 2000  # milliseconds without a change after which the folder is looked for again: it may be another one
_NAMED = 20  # policies that an error names


@dataclass(frozen=True, slots=True)
class PolicySet:
    """Policies that were read and compiled together; immutable."""

    policies: Mapping[str, Policy]
    plans: Mapping[str, Plan]
    sources: tuple[tuple[re.Pattern[str], str], ...]  # best glob first
    version: str


def compiled(policies: Mapping[str, Policy]) -> PolicySet:
    """The set of these policies."""
    globs = [(glob, name) for name, policy in policies.items() for glob in policy.match]
    ranked = sorted(globs, key=lambda pair: (-len(pair[0].partition("*")[0]), pair[1], pair[0]))
    effective = msgspec.json.encode(dict(sorted(policies.items())), order="deterministic")
    return PolicySet(
        policies=policies,
        plans={name: compile_plan(name, policy) for name, policy in policies.items()},
        sources=tuple((_regex(glob), name) for glob, name in ranked),
        version=hashlib.sha256(effective).hexdigest()[:12],
    )


def _regex(glob: str) -> re.Pattern[str]:
    return re.compile(".*".join(re.escape(part) for part in glob.split("*")), re.DOTALL)


class Policies:
    """The policies of a folder; a request captures one plan and keeps it."""

    def __init__(
        self,
        folder: Path,
        overrides: Mapping[str, Any] | None = None,
        *,
        reloaded: Callable[[bool, float], None] = lambda ok, seconds: None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.folder, self._overrides, self._reloaded, self._clock = folder, overrides or {}, reloaded, clock
        self.problems: tuple[PolicyProblem, ...] = ()
        self.reloads = self.refused = 0
        self.valid = False  # whether a whole set was ever read
        self.loaded_at = ""
        self._set = compiled({DEFAULT: Policy()})
        self._take(self._read(first=True))

    @property
    def version(self) -> str:
        """A hash of the effective policies; empty as long as there is no valid set."""
        return self._set.version if self.valid else ""

    @property
    def last_error(self) -> str | None:
        """Why the files as they are now are not in force."""
        return "\n".join(map(str, self.problems)) or None

    def effective(self) -> Mapping[str, Policy]:
        """Every policy with its effective values."""
        return self._set.policies

    def known(self, name: str) -> bool:
        """Whether there is a policy of this name."""
        return name in self._set.plans

    def plan(self, name: str | None = None, source: str | None = None) -> Plan:
        """The plan of a name; without one, of the best glob for the source; else of `default`."""
        current = self._set
        if name is not None:
            plan = current.plans.get(name)
            if plan is None:
                raise _unknown(name, current)
            return plan
        fitting = (known for glob, known in current.sources if glob.fullmatch(source)) if source else iter(())
        return current.plans[next(fitting, DEFAULT)]

    def reload(self) -> bool:
        """Read everything again; the set in force stays when anything is wrong."""
        started = time.perf_counter()
        ok = self._take(self._read(first=not self.valid))
        self._reloaded(ok, time.perf_counter() - started)
        return ok

    async def watch(self, stop: asyncio.Event) -> None:
        """Reload whenever something in the folder changes, until told to stop."""
        told = False
        while not stop.is_set():
            try:
                await self._watch(stop)
                told = False
            except OSError as error:  # the folder is gone, or there are no watches left: look again and again
                if not told:
                    log.warning("the policy folder cannot be watched: %s", error.strerror or error)
                told = True
                await _pause(stop, LOOK_AGAIN / 1000)
                self._look()

    async def _watch(self, stop: asyncio.Event) -> None:
        """Watch the folder that is there now; a file may be replaced by a rename, and a watch on it would be lost."""
        place = self.folder.parent if self.folder.is_file() else self.folder
        if not place.is_dir():
            raise FileNotFoundError(2, "there is no such folder")
        here = place.stat().st_ino
        watching = awatch(
            place, watch_filter=None, step=STEP, debounce=DEBOUNCE, stop_event=stop,
            rust_timeout=LOOK_AGAIN, yield_on_timeout=True, recursive=True,
        )  # fmt: skip
        self._look()  # what changed before the watch began
        async for changes in watching:
            if changes:
                self.reload()
            elif not place.is_dir() or place.stat().st_ino != here:
                return self._look()
        return None

    def _look(self) -> None:
        """Reload when the files are no longer those in force or those refused."""
        outcome = self._read(first=not self.valid)
        if (
            (dict(outcome.policies) != self._set.policies)
            if not outcome.problems
            else outcome.problems != self.problems
        ):
            self.reload()

    def _read(self, *, first: bool) -> Outcome:
        # An empty file at start is a folder that is still to be filled; later it is one that was lost.
        return read(self.folder, self._overrides, empty_is_wrong=not first)

    def _take(self, outcome: Outcome) -> bool:
        """Swap in a sound set, or note why there is none."""
        self.problems = outcome.problems
        if outcome.problems:
            self.refused += 1
            log.error("policies refused, the previous ones stay: %s", self.last_error)
            return False
        fresh, old = compiled(outcome.policies), self._set
        changes = differences(old.policies, fresh.policies) if self.valid else []
        self._set, self.valid, self.reloads = fresh, True, self.reloads + 1
        self.loaded_at = datetime.fromtimestamp(self._clock(), UTC).isoformat(timespec="milliseconds")
        if changes:
            log.info("policies reloaded, version %s: %s", fresh.version, "; ".join(changes))
        return True


async def _pause(stop: asyncio.Event, seconds: float) -> None:
    try:
        await asyncio.wait_for(stop.wait(), seconds)
    except TimeoutError:
        return


def differences(old: Mapping[str, Policy], new: Mapping[str, Policy]) -> list[str]:
    """Each key that changed, old and new value; policies hold no secrets and no payloads."""
    said = [f"{name} added" for name in new if name not in old] + [f"{name} removed" for name in old if name not in new]
    for name in sorted(set(old) & set(new)):
        before, after = msgspec.to_builtins(old[name]), msgspec.to_builtins(new[name])
        keys = sorted(key for key in {*before, *after} if before.get(key) != after.get(key))
        said += [f"{name}.{key}: {before.get(key)} -> {after.get(key)}" for key in keys]
    return said


def _unknown(name: str, current: PolicySet) -> PolicyUnknown:
    names = sorted(current.plans)
    near = get_close_matches(name, names, n=1)
    shown = ", ".join(names[:_NAMED]) + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")
    asked = f"Did you mean `{near[0]}`? " if near else ""
    return PolicyUnknown(f"There is no policy `{name[:80]}`.", f"{asked}There are: {shown}.")
