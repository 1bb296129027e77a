"""Each shipped policy on a real payload: its steps lose what they name and nothing else, and the answer fits."""

import json
from pathlib import Path
from typing import Any

import pytest

from service.core import values
from service.core.payload import Payload
from service.core.pipeline import compact
from service.core.steps import steps
from service.core.tokens import estimate
from service.policies import Policies
from tests.core.made import wish

HERE = Path(__file__).parents[1] / "fixtures" / "policies"
SHIPPED = Policies(Path(__file__).parents[2] / "config" / "policies")
PAYLOADS = sorted(path for path in HERE.iterdir() if path.suffix != ".md" and "golden" not in path.name)
LOSSLESS = {"database-rows", "metrics", "bookings", "logs", "documents"}  # no step of theirs takes a value of these


def payload(path: Path) -> Payload:
    return Payload(path.read_bytes(), "json" if path.suffix == ".json" else "text")


@pytest.mark.parametrize("path", PAYLOADS, ids=[path.stem for path in PAYLOADS])
@pytest.mark.parametrize("budget", [64, 300, 1000, 4000])
def test_every_answer_fits(path: Path, budget: int) -> None:
    made = compact(payload(path), SHIPPED.plan(path.stem), wish(budget=budget, byte_cap=budget * 8))
    assert estimate(made.body) == made.tokens <= budget
    assert len(made.body) <= len(path.read_bytes())


@pytest.mark.parametrize("name", ["github", "kubernetes"])
def test_the_steps_make_what_a_person_has_read(name: str) -> None:
    done = steps(values.decode((HERE / f"{name}.json").read_bytes()), SHIPPED.plan(name), wish())
    assert json.loads(values.encode(done.value)) == json.loads((HERE / f"{name}.golden.json").read_text())


@pytest.mark.parametrize("name", sorted(LOSSLESS - {"logs", "documents"}))
def test_policies_of_data_lose_none(name: str) -> None:
    value = values.decode((HERE / f"{name}.json").read_bytes())
    done = steps(value, SHIPPED.plan(name), wish())
    assert done.value == value
    assert not done.ran


@pytest.mark.parametrize("path", PAYLOADS, ids=[path.stem for path in PAYLOADS])
def test_identity_is_never_taken_by_a_step(path: Path) -> None:
    if path.suffix != ".json":
        pytest.skip("text has no fields")
    value, plan = values.decode(path.read_bytes()), SHIPPED.plan(path.stem)
    rows = value if isinstance(value, list) else [value]
    out = steps(value, plan, wish()).value
    after = out if isinstance(out, list) else [out]
    named = [
        (row, left, key) for row, left in zip(rows, after, strict=True) for key in plan.policy.identity if key in row
    ]
    assert all(left[key] == row[key] for row, left, key in named)


def test_a_report_keeps_what_it_is_about() -> None:
    report: dict[str, Any] = {
        "_debug": {"sql": "x" * 500},
        "periodStart": "2025-10-01",
        "periodEnd": "2025-10-31",
        "revenue": {f"kind{n}": n for n in range(5)} | {"totalRevenue": 90000},
        "netIncome": 38000,
        "transactions": [{f"field{n}": f"value {n} {row}" for n in range(18)} for row in range(100)],
    }
    plan = SHIPPED.plan("bookings")
    stepped = steps(report, plan, wish()).value
    assert "_debug" not in stepped
    made = compact(Payload(values.encode(report), "json"), plan, wish(budget=2000, byte_cap=16000))
    for needed in ("2025-10-01", "2025-10-31", "38000", "90000"):
        assert needed in made.body.decode()
