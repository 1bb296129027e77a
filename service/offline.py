"""`decant compact`: a policy run on a file, without a server and without snapshots, step by step."""

from pathlib import PurePath

import msgspec

from service.core.payload import Compacted, Payload, Wish
from service.core.pipeline import compact as squeeze
from service.core.values import decode
from service.policies import Policies, folder
from service.settings import Settings

TYPES = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".md": "markdown",
    ".rst": "rst",
    ".html": "html",
    ".diff": "diff",
    ".patch": "diff",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".log": "log",
}


def compact(
    data: bytes, name: str, settings: Settings, policy: str | None, budget: int | None, query: str, notation: str
) -> Compacted:
    """What POST /compact would put into its body; without a policy, its own for the file's name as the source."""
    plan = Policies(folder(settings.policies), settings.overrides).plan(policy, PurePath(name).stem)
    cap = plan.policy.hard_output_token_cap
    tokens = min(budget or plan.policy.output_token_threshold, cap)
    wish = Wish(
        budget=tokens,
        byte_cap=max(1, plan.policy.hard_byte_cap * tokens // cap),
        family=plan.policy.tokenizer,
        query=query,
        format=notation,
        explain=True,
    )
    return squeeze(payload_of(data, name), plan, wish)


def payload_of(data: bytes, name: str) -> Payload:
    """JSON when it parses, else text of the kind that the file's name says."""
    try:
        decode(data)
    except ValueError:
        return Payload(data.decode("utf-8", "replace").encode(), "text", TYPES.get(PurePath(name).suffix.lower()))
    return Payload(data, "json")


def explain(made: Compacted) -> str:
    """Tokens after every step, and what is not in the answer."""
    lines = [f"{'received':<24}{made.original_tokens:>10}"]
    lines += [f"{step.step:<24}{step.tokens:>10}" for step in made.steps]
    lines += [f"{'answered, as ' + made.format:<24}{made.tokens:>10}", ""]
    lines.append("everything is there" if made.complete else "left out:")
    for entry in made.omitted:
        said = msgspec.to_builtins(entry)
        what = f"{said['total'] - said['kept']} of {said['total']} {said['unit']}" if "kept" in said else "more paths"
        lines.append(f"  {said['path'] or '(root)':<40} {what}, {said['tokens']} tokens, by {said.get('by', 'fit')}")
    lines += [f"  missing: {path}" for path in made.missing_fields]
    return "\n".join([*lines, *made.notes])
