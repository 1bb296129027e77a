"""The one base of every Struct on the wire: camelCase, strict, immutable."""

import msgspec


class Wire(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """A value on the wire."""


class Answering(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A value that only the service writes; fields that do not apply are left out (UNSET)."""
