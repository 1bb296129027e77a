"""The JSON Schema of policy files, for editors: generated from the Struct, so that it cannot say anything else."""

from typing import Any

import msgspec

from schemas.policy import Policy
from service.policies.checks import ALIASES, NAME


def policy_schema() -> dict[str, Any]:
    """The schema of a policy file."""
    (reference,), parts = msgspec.json.schema_components([Policy], ref_template="#/$defs/{name}")
    policy = parts["Policy"]
    fields = policy["properties"]
    for field in fields.values():
        field.pop("default", None)  # what is absent is inherited
    fields["extends"] = {"type": "string", "description": "The policy that says what this one does not."}
    fields |= {alias: {**fields[name], "deprecated": True} for alias, name in sorted(ALIASES.items())}
    policy["type"] = ["object", "null"]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Decant policies",
        "type": "object",
        "propertyNames": {"pattern": f"^{NAME.pattern}$"},
        "additionalProperties": reference,
        "$defs": dict(sorted(parts.items())),
    }


def schema_text() -> str:
    """The committed file."""
    return msgspec.json.format(msgspec.json.encode(policy_schema()), indent=2).decode() + "\n"
