"""Policies: read, check, compile, swap, watch."""

from pathlib import Path

from service.policies.inherit import check
from service.policies.live import Policies
from service.policies.schema import schema_text
from service.policies.strict import PolicyProblem

__all__ = ["Policies", "PolicyProblem", "check", "folder", "schema_text"]


def folder(setting: str = "") -> Path:
    """Where the policies are: as set (DECANT_POLICIES), else those of the checkout, else those inside the package."""
    if setting:
        return Path(setting)
    package = Path(__file__).parent.parent
    checkout = package.parent / "config" / "policies"
    return checkout if checkout.is_dir() else package / "shipped"
