"""A folder of policy files becomes effective policies: inheritance, the environment, and rules between keys.

`default` is always there, built in when no file has it. Whatever a policy does not say, its `extends` says, and in the
end `default`; only `match` is never inherited. Environment variables override what `default` says.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import msgspec

from schemas.policy import Policy
from service.core.plan import compile_plan
from service.policies.checks import Written, written
from service.policies.strict import PolicyProblem, read_file

DEFAULT = "default"
SUFFIXES = (".yaml", ".yml", ".json")
# smaller, larger
ORDERED = (
    ("output_token_threshold", "hard_output_token_cap"),
    ("chunk_tokens", "hard_output_token_cap"),
    ("default_page_size", "max_page_size"),
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a folder holds: effective policies by name, or what is wrong with it, all of it."""

    policies: Mapping[str, Policy]
    problems: tuple[PolicyProblem, ...]


def read(folder: Path, overrides: Mapping[str, Any], *, empty_is_wrong: bool) -> Outcome:
    """The effective policies of a folder (or of one file)."""
    found, problems = [], []
    try:
        files = policy_files(folder)
    except OSError as error:
        return Outcome({}, (PolicyProblem(str(folder), message=f"cannot be read: {error.strerror or error}"),))
    for path in files:
        document = read_file(path)
        if document.value is None and not document.problems:
            problems += [PolicyProblem(path.name, message="the file is empty", expected="a policy")] * empty_is_wrong
            continue
        sound, wrong = written(document)
        found += sound
        problems += wrong
    return effective(found, overrides, problems)


def policy_files(folder: Path) -> list[Path]:
    """The policy files of a folder, by name; the `policies` folder inside it when it has none itself."""
    if folder.is_file():
        return [folder]
    files = sorted(path for path in folder.iterdir() if path.suffix in SUFFIXES and not path.name.startswith("."))
    inner = folder / "policies"
    return files or (policy_files(inner) if inner.is_dir() else [])


def effective(found: list[Written], overrides: Mapping[str, Any], problems: list[PolicyProblem]) -> Outcome:
    """Policies with everything they inherit; every problem of every one of them."""
    known: dict[str, Written] = {}
    for one in found:
        if (first := known.get(one.name)) is not None:
            problems.append(one.problem("", f"the name is taken by {first.file}:{first.line}"))
        known.setdefault(one.name, one)
    known.setdefault(DEFAULT, Written(DEFAULT, "built in", {}, None, {}, 0))
    problems += [wrong for one in known.values() for wrong in _lineage_problems(one, known)]
    if not problems:
        merged = {name: _merged(name, known, overrides) for name in sorted(known)}
        problems += [wrong for name, values in merged.items() for wrong in _rules(known[name], values, overrides)]
    if problems:
        return Outcome({}, tuple(sorted(problems)))
    policies = {name: msgspec.convert(values, Policy) for name, values in merged.items()}
    unreadable = [wrong for name, policy in policies.items() for wrong in _uncompilable(known[name], policy)]
    return Outcome({} if unreadable else policies, tuple(unreadable))


def _uncompilable(one: Written, policy: Policy) -> Iterator[PolicyProblem]:
    try:
        compile_plan(one.name, policy)
    except ValueError as error:
        yield one.problem("", str(error))


def _ancestors(name: str, known: Mapping[str, Written]) -> list[str]:
    """The policy and what it extends, nearest first; stops where it would come round again."""
    chain = [name]
    while (parent := known[chain[-1]].extends) is not None and parent in known and parent not in chain:
        chain.append(parent)
    return chain


def _lineage(name: str, known: Mapping[str, Written]) -> list[str]:
    """The same, and `default` with its own at the end of every line."""
    chain, last = _ancestors(name, known), _ancestors(DEFAULT, known)
    return chain if any(one in last for one in chain) and chain[-1] == last[-1] else chain + last


def _lineage_problems(one: Written, known: Mapping[str, Written]) -> Iterator[PolicyProblem]:
    if one.extends is None:
        return
    if one.extends not in known:
        near = get_close_matches(one.extends, sorted(known), n=1)
        names = ", ".join(sorted(known))
        yield one.problem("extends", f"there is no policy `{one.extends}`", f"one of {names}", "".join(near))
        return
    chain = _ancestors(one.name, known)
    again = known[chain[-1]].extends
    if again == one.name:  # each policy on the circle is named once, by itself
        yield one.problem("extends", f"a policy cannot extend itself: {' -> '.join([*chain, again])}")


def _merged(name: str, known: Mapping[str, Written], overrides: Mapping[str, Any]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for ancestor in reversed(_lineage(name, known)):
        inherited = {key: value for key, value in values.items() if key != "match"}
        values = {**inherited, **known[ancestor].values}
        if ancestor == DEFAULT:
            values |= overrides
    return values


def _rules(one: Written, values: dict[str, Any], overrides: Mapping[str, Any]) -> Iterator[PolicyProblem]:
    """Rules between two keys, told by the policy that breaks them and not again by those that inherit it."""
    whole = msgspec.convert(values, Policy)
    for smaller, larger in ORDERED:
        low, high = getattr(whole, smaller), getattr(whole, larger)
        own = [key for key in (smaller, larger) if key in one.values]
        if low <= high or not (own or one.name == DEFAULT):
            continue
        by = [f"DECANT_{key.upper()}" for key in (smaller, larger) if key in overrides and key not in own]
        said = f"{smaller} {low} is more than {larger} {high}" + (f" (set by {' and '.join(by)})" if by else "")
        yield one.problem(own[0] if own else smaller, said, f"{smaller} <= {larger}")


def check(folder: Path, overrides: Mapping[str, Any] | None = None) -> list[PolicyProblem]:
    """Everything that is wrong with a folder of policies, by the rules of production."""
    outcome = read(folder, overrides or {}, empty_is_wrong=True)
    problems = list(outcome.problems)
    if not problems and folder.is_dir() and not policy_files(folder):
        problems.append(replace(PolicyProblem(str(folder)), message="there is no policy file in this folder"))
    return problems
