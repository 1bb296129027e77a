"""Records that are the entries of a log."""

import json
from typing import Any

from schemas.policy import Policy
from service.core.events import event_lines
from service.core.payload import Payload, Wish
from service.core.pipeline import compact
from service.core.plan import compile_plan


def records(count: int) -> list[dict[str, Any]]:
    """Entries of a service, one of which says that something failed."""
    made = [
        {
            "ts": f"2026-11-18T10:{i // 60:02}:{i % 60:02}Z",
            "level": "info",
            "msg": "served",
            "path": f"/v1/{i}",
            "ms": i,
        }
        for i in range(count)
    ]
    made[count // 2] |= {"level": "error", "msg": "payment gateway timeout", "order": "o 7", "trace": None}
    return made


def body(text: str, budget: int = 300, policy: Policy | None = None) -> str:
    """The answer to a text."""
    plan = compile_plan("default", policy or Policy())
    return compact(Payload(text.encode(), "text"), plan, Wish(budget, budget * 8)).body.decode()


def test_time_level_and_message_lead_and_the_rest_is_named() -> None:
    lines = event_lines(records(60)) or []
    assert lines[0] == "2026-11-18T10:00:00Z info served path=/v1/0 ms=0"
    assert lines[30] == '2026-11-18T10:00:30Z error payment gateway timeout path=/v1/30 ms=30 order="o 7" trace=null'


def test_lists_of_something_else_are_no_logs() -> None:
    assert event_lines(records(20)) is None
    assert event_lines([{"name": f"n{i}", "level": i, "text": "x"} for i in range(60)]) is None
    assert event_lines([{"line": "x"}] * 60) is None
    assert event_lines(list(range(60))) is None


def test_a_line_break_in_a_value_makes_no_line() -> None:
    rows = [{"time": i, "level": 50, "msg": "a\nb\n", "stack": "x\r\ny"} for i in range(40)]
    lines = event_lines(rows) or []
    assert lines[3] == '3 "a\\nb" level=50 stack="x\\r\\ny"'


def test_json_lines_fold_behind_a_prefix_in_a_wrap_and_bare() -> None:
    bare = "".join(json.dumps(row) + "\n" for row in records(400))
    prefixed = "".join(f"[pod/api-{i % 3}/app] {line}\n" for i, line in enumerate(bare.splitlines()))
    wrapped = json.dumps({"stdout": bare, "code": 0})
    for text in (bare, prefixed, wrapped, json.dumps({"entries": records(400)})):
        answer = body(text)
        assert "log of 400 lines" in answer
        assert "INFO ×399, ERROR ×1" in answer
        assert "[×399 " in answer
        assert "201: " in answer
        assert "payment gateway timeout" in answer


def test_logfmt_stays_as_it_stood_there() -> None:
    lines = [f'ts=2026-11-18T10:00:{i % 60:02}Z caller=a.go:7 level=info msg="all good" n={i}' for i in range(300)]
    lines[200] = 'ts=2026-11-18T10:00:20Z caller=b.go:9 level=error msg="disk full" n=200'
    for text in ("\n".join(lines), json.dumps({"code": 0, "stdout": "\n".join(lines)})):
        answer = body(text)
        assert f"201: {lines[200]}" in answer
        assert lines[0] in answer


def test_a_policy_that_names_fields_keeps_records() -> None:
    text = "".join(json.dumps(row) + "\n" for row in records(400))
    assert "log of" not in body(text, 300, Policy(identity=("path",)))
    assert "log of" not in body(text, 300, Policy(fold_logs=False))


def test_what_fits_as_a_table_is_told_whole() -> None:
    assert "log of" not in body("".join(json.dumps(row) + "\n" for row in records(60)), 2400)
