"""Values and texts inside strings."""

import json

from service.core.read import Embedded, Text, plain, unwrap


def test_marks_say_what_stood_where() -> None:
    log = "".join(f"2024-01-01 10:00:{second:02} INFO step {second}\n" for second in range(20))
    value = unwrap(
        {"stdout": log, "rows": "id,name\n1,Ann\n2,Bob\n3,Cid\n4,Dan", "body": '{"a": [1]}', "short": "x\ny"}
    )
    assert isinstance(value["stdout"], Text)
    assert value["stdout"].kind == "log"
    assert isinstance(value["rows"], Embedded)
    assert value["rows"].value[1] == {"id": 2, "name": "Bob"}
    assert value["body"] == Embedded("json", {"a": [1]}, '{"a": [1]}')
    assert value["short"] == "x\ny"


def test_what_holds_nothing_is_shared() -> None:
    value = {"a": [1, {"b": "word"}], "c": "[x] not json", "d": "{}"}
    assert unwrap(value) is value


def test_strings_in_strings_and_deep_values() -> None:
    text: object = {"a": 1}
    for _ in range(8):
        text = json.dumps({"in": text}) if isinstance(text, str) else json.dumps(text)
    found = plain(unwrap(text))
    for _ in range(7):
        found = found["in"]
    assert found == {"a": 1}
    deep: object = 1
    for _ in range(499):
        deep = [deep]
    assert plain(unwrap(deep)) == deep
