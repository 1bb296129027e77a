"""A plan: one policy compiled once, at load; a request captures one and keeps it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from msgspec import UNSET

from schemas.policy import Policy, Template
from service.core.globs import DEEP, Pattern, Tree, pattern
from service.core.paths import parse, spell
from service.core.render.wording import Wording, wording

KEEP, DROP, GUARD = 1, 2, 4  # roles of a pattern


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything a request needs of its policy; immutable, and it crosses into the process pool."""

    name: str
    policy: Policy
    guard: Tree  # what no step may touch: identity, must_keep
    prune: Tree  # keep, drop and guard
    condense: Tree
    identity: Tree  # with must_keep, at any depth, for ranking
    must_keep: Tree  # for ranking and verifying
    keywords: re.Pattern[str] | None
    templates: tuple[Wording, ...]

    @property
    def has_steps(self) -> bool:
        """Whether the policy names a step that runs even when everything fits (templates and notations aside)."""
        policy = self.policy
        return bool(self.prunes or policy.strip or policy.condense or policy.shorten)

    @property
    def prunes(self) -> bool:
        """Whether keep or drop name anything."""
        return bool(self.policy.keep or self.policy.drop)


def compile_plan(name: str, policy: Policy) -> Plan:
    """The plan of a policy; ValueError says which path or template cannot be read."""
    lists = "" if policy.items_path is UNSET else policy.items_path
    names = (*policy.identity, *policy.must_keep)
    guard = (*_anchored(names, GUARD, lists), *_anywhere(names, GUARD))
    keep, drop = _anchored(policy.keep, KEEP, lists), _anchored(policy.drop, DROP, lists)
    carried = [one for path, field in policy.condense.items() for one in _anchored([path], KEEP, lists, field)]
    return Plan(
        name=name,
        policy=policy,
        guard=Tree(guard),
        prune=Tree((*keep, *drop, *guard)),
        condense=Tree((*carried, *guard)),
        identity=Tree(_anywhere(names, GUARD)),
        must_keep=Tree(_anchored(policy.must_keep, GUARD, lists)),
        keywords=words(policy.keywords),
        templates=tuple(wording(one, lists) for one in templates(policy)),
    )


def templates(policy: Policy) -> tuple[Template, ...]:
    """The templates of a policy, the first that fits a payload is used."""
    if policy.template is UNSET:
        return ()
    return policy.template if isinstance(policy.template, tuple) else (policy.template,)


def words(terms: Iterable[str]) -> re.Pattern[str] | None:
    """One regex for any of these words or phrases, case aside, as whole words."""
    known = sorted({term for term in terms if term.strip()}, key=lambda term: (-len(term), term))
    if not known:
        return None
    return re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, known)) + r")(?!\w)", re.IGNORECASE)


def _anchored(paths: Iterable[str], role: int, lists: str, carries: str = "") -> tuple[Pattern, ...]:
    """Paths count from the payload's root, or from an item of the list at `items_path`."""
    found: list[Pattern] = []
    for path in paths:
        found.append(_known(path, role, carries))
        if lists and DEEP not in path:
            found.append(_known(_joined(lists, path), role, carries))
    return tuple(found)


def _known(path: str, role: int, carries: str) -> Pattern:
    if not path:
        raise ValueError("an empty path names everything; name a field")
    return pattern(path, role, carries)


def _joined(lists: str, path: str) -> str:
    if lists.startswith("/") or path.startswith("/"):
        return spell((*parse(lists), *parse(path)))
    return f"{lists}.{path}"


def _anywhere(paths: Iterable[str], role: int) -> tuple[Pattern, ...]:
    found = []
    for path in paths:
        one = _known(path, role, "")
        found.append(Pattern(path, (DEEP, *one.segments), role))
    return tuple(found)
