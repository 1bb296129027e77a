"""Broken policy files: each says what it is wrong about; all at once, with file, line, policy and field."""

import json
import re
from pathlib import Path

import pytest

from service.policies import Policies, check

BAD = sorted((Path(__file__).parent / "bad").iterdir())
EXPECTED = re.compile(r"^# expect (\d+): (.*)$", re.MULTILINE)


def told(path: Path) -> list[str]:
    return [str(problem) for problem in check(path)]


@pytest.mark.parametrize("path", BAD, ids=[path.stem for path in BAD])
def test_a_broken_file_is_told_whole(path: Path) -> None:
    expected = EXPECTED.findall(path.read_text())
    found = told(path)
    assert expected
    for line, said in expected:
        assert [one for one in found if one.startswith(f"{path.name}:{line}: ") and said in one], (line, said, found)
    assert len(found) == len(expected), found


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("empty.yaml", b"", "the file is empty"),
        ("comment.yaml", b"# nothing\n", "the file is empty"),
        ("binary.yaml", b"\x00\x01\x02", "binary"),
        ("latin.yaml", "mine:\n  fetch_more: \xe9\n".encode("latin-1"), "not UTF-8: byte 20"),
        ("big.yaml", b"# " + b"x" * 1_000_000, "more than the 1000000"),
        ("deep.yaml", b"mine: " + b"[" * 100_000, "nested deeper than 32"),
        ("broken.json", b'{"mine": {"percent": 5,}}', "not JSON"),
        ("twice.json", b'{"mine": {"percent": 5, "percent": 6}}', "here twice"),
        ("text.yaml", b"just words", "text is not policies"),
        ("control.yaml", b"mine:\n  fetch_more: \x07\n", "not YAML"),
        ("keys.yaml", b"? [a, b]\n: c\n", "a key must be a word"),
        ("number.yaml", b"mine:\n  cursor_ttl: .inf\n", "does not do"),
    ],
)
def test_a_file_of_another_kind_is_refused(tmp_path: Path, name: str, data: bytes, said: str) -> None:
    (tmp_path / name).write_bytes(data)
    found = told(tmp_path)
    assert any(said in one and one.startswith(name) for one in found), found


def test_problems_of_all_files_come_together(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("one:\n  dropp: [x]\n")
    (tmp_path / "b.yml").write_text("two:\n  percent: 101\n")
    (tmp_path / "c.json").write_text(json.dumps({"three": {"extends": "two", "kep": []}}))
    found = check(tmp_path)
    assert [(one.file, one.line, one.policy, one.field) for one in found] == [
        ("a.yaml", 2, "one", "dropp"),
        ("b.yml", 2, "two", "percent"),
        ("c.json", 1, "three", "kep"),
    ]
    assert (found[0].nearest, found[1].expected) == ("drop", "`int` <= 100")


def test_a_name_in_two_files_names_both(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("one: {percent: 5}\n")
    (tmp_path / "b.yaml").write_text("one: {percent: 6}\n")
    assert told(tmp_path) == ["b.yaml:1: policy `one`: the name is taken by a.yaml:1"]


def test_no_folder_and_no_file_are_told(tmp_path: Path) -> None:
    assert "no policy file" in told(tmp_path)[0]
    assert "cannot be read" in told(tmp_path / "nowhere")[0]


def test_the_environment_is_named_when_it_is_the_cause(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("default: {}\nmine:\n  output_token_threshold: 6000\n")
    found = [str(one) for one in check(tmp_path, {"hard_output_token_cap": 5000})]
    assert found == [
        "a.yaml:3: policy `mine`, `output_token_threshold`: output_token_threshold 6000 is more than "
        "hard_output_token_cap 5000 (set by DECANT_HARD_OUTPUT_TOKEN_CAP); expected "
        "output_token_threshold <= hard_output_token_cap"
    ]


def test_a_service_without_one_valid_set_knows_it(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("default: {percent: 500}\n")
    policies = Policies(tmp_path)
    assert (policies.valid, policies.version) == (False, "")
    assert "percent" in (policies.last_error or "")
    (tmp_path / "a.yaml").write_text("default: {percent: 50}\n")
    assert policies.reload()
    assert policies.valid
    assert policies.plan().policy.percent == 50
