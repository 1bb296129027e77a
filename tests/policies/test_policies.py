"""Policies: inheritance, names and sources, the environment, both file kinds, the schema, and what is shipped."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from schemas.policy import Policy
from service.errors import PolicyUnknown
from service.policies import Policies, check, folder, schema_text
from service.policies.checks import ALIASES

ROOT = Path(__file__).parents[2]
SHIPPED = ROOT / "config" / "policies"
NAMES = {
    "default", "github", "kubernetes", "logs", "documents", "database-rows", "search-results", "metrics", "bookings",
    "knowledge-graph",
}  # fmt: skip


def made(path: Path, text: str, **overrides: Any) -> Policies:
    (path / "p.yaml").write_text(text)
    policies = Policies(path, overrides)
    assert policies.last_error is None
    return policies


def test_an_empty_folder_and_an_empty_file_mean_the_defaults(tmp_path: Path) -> None:
    assert Policies(tmp_path).effective() == {"default": Policy()}
    (tmp_path / "empty.yaml").write_text("# to be filled\n")
    policies = Policies(tmp_path)
    assert policies.effective() == {"default": Policy()}
    assert policies.valid


def test_everything_is_inherited_but_match(tmp_path: Path) -> None:
    policies = made(
        tmp_path,
        "default: {output_token_threshold: 3000, match: ['x.*']}\n"
        "a: {match: ['a.*'], drop: ['**.x'], chunk_lines: 7}\n"
        "b: {extends: a, drop: ['**.y'], default_page_size: 25}\n",
    ).effective()
    assert (policies["a"].output_token_threshold, policies["a"].drop, policies["a"].match) == (
        3000,
        ("**.x",),
        ("a.*",),
    )
    assert (policies["b"].drop, policies["b"].chunk_lines, policies["b"].default_page_size) == (("**.y",), 7, 25)
    assert (policies["b"].match, policies["b"].hard_output_token_cap) == ((), 12000)


def test_the_default_may_itself_extend_a_policy(tmp_path: Path) -> None:
    policies = made(
        tmp_path, "default: {extends: base}\nbase: {chunk_lines: 9}\nc: {percent: 5}\n", percent=50
    ).effective()
    assert [policies[name].chunk_lines for name in ("default", "base", "c")] == [9, 9, 9]
    assert [policies[name].percent for name in ("default", "base", "c")] == [50, 100, 5]


def test_the_environment_overrides_the_default_and_who_inherits_it(tmp_path: Path) -> None:
    text = "default: {output_token_threshold: 3000}\nown: {output_token_threshold: 5000}\nheir: {extends: default}\n"
    policies = made(tmp_path, text, output_token_threshold=6000).effective()
    values = {name: policy.output_token_threshold for name, policy in policies.items()}
    assert values == {"default": 6000, "own": 5000, "heir": 6000}


def test_the_environment_overrides_the_built_in_default(tmp_path: Path) -> None:
    assert Policies(tmp_path, {"chunk_lines": 5}).plan().policy.chunk_lines == 5


def test_json_and_yaml_say_the_same(tmp_path: Path) -> None:
    text = "mine:\n  output_token_threshold: 5000\n  drop: ['**.a']\n  strip: {nulls: true}\n"
    one = made(tmp_path, text).effective()
    (tmp_path / "p.yaml").unlink()
    (tmp_path / "p.json").write_text(json.dumps(yaml.safe_load(text), indent="\t"))
    assert Policies(tmp_path).effective() == one


@pytest.mark.parametrize(
    ("alias", "key", "value"),
    [
        ("defaultPageSize", "default_page_size", 25),
        ("maxPageSize", "max_page_size", 120),
        ("tokenBudgetThreshold", "output_token_threshold", 5000),
        ("chunkSize", "chunk_tokens", 900),
        ("paginationEnabled", "enable_pagination", False),
        ("summarization_enabled", "enable_summarization", False),
        ("enableChunking", "enable_chunking", False),
        ("hardOutputTokenCap", "hard_output_token_cap", 9000),
    ],
)
def test_the_names_of_the_requirements_are_aliases(tmp_path: Path, alias: str, key: str, value: Any) -> None:
    effective = made(tmp_path, f"mine: {{{alias}: {json.dumps(value)}}}\n").effective()["mine"]
    assert getattr(effective, key) == value
    assert set(ALIASES.values()) <= set(Policy.__struct_fields__)


def test_words_that_yaml_would_guess_are_words(tmp_path: Path) -> None:
    policies = made(
        tmp_path, "a: {mode: on, keywords: [no, yes, off, 12:30:00, 2026-01-01, null]}\n".replace(", null", "")
    )
    policy = policies.effective()["a"]
    assert (policy.mode, policy.keywords) == ("on", ("no", "yes", "off", "12:30:00", "2026-01-01"))


def test_a_plan_is_found_by_name_by_source_or_by_default(tmp_path: Path) -> None:
    policies = made(
        tmp_path,
        "a: {match: ['git*', 'x.*.list']}\nb: {match: ['github.*']}\n"
        "c: {match: ['github.*']}\nd: {match: ['*.list']}\n",
    )
    found = {
        source: policies.plan(None, source).name for source in ("github.pulls", "gitlab", "x.y.list", "q.list", "z")
    }
    assert found == {"github.pulls": "b", "gitlab": "a", "x.y.list": "a", "q.list": "d", "z": "default"}
    assert policies.plan("c", "github.pulls").name == "c"
    assert policies.plan().name == "default"
    assert policies.plan(None, "github.x\n").name == "b"


def test_an_unknown_name_is_answered_with_the_known_ones(tmp_path: Path) -> None:
    policies = made(tmp_path, "".join(f"policy{n}: {{}}\n" for n in range(30)) + "github: {}\n")
    with pytest.raises(PolicyUnknown) as failure:
        policies.plan("gihtub")
    assert "Did you mean `github`?" in failure.value.hint
    assert "default" in failure.value.hint
    assert "more" in failure.value.hint
    assert policies.known("github")
    assert not policies.known("gihtub")


def test_the_version_is_that_of_the_effective_values(tmp_path: Path) -> None:
    one = made(tmp_path, "a: {percent: 5}\nb: {percent: 6}\n")
    other = made(tmp_path, "# a comment\nb:\n  percent: 6\na: {percent: 5, chunk_lines: 200}\n")
    third = made(tmp_path, "a: {percent: 5}\nb: {percent: 7}\n")
    assert one.version == other.version != third.version
    assert len(one.version) == 12


def test_what_is_loaded_tells_when(tmp_path: Path) -> None:
    assert Policies(tmp_path, clock=lambda: 0.0).loaded_at == "1970-01-01T00:00:00.000+00:00"


def test_the_shipped_policies_are_sound_and_complete() -> None:
    assert check(SHIPPED) == []
    assert check(ROOT / "config") == []
    policies = Policies(SHIPPED)
    assert set(policies.effective()) >= NAMES
    assert policies.effective()["default"] == Policy()
    assert not policies.plan("default").has_steps
    for path in SHIPPED.iterdir():
        first = path.read_text().split("\n", 1)[0]
        assert first == "# yaml-language-server: $schema=../../schemas/policy.schema.json", path.name


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("github.list_issues", "github"),
        ("kubernetes.get_pods", "kubernetes"),
        ("kubectl_get", "kubernetes"),
        ("hostaway.list_listings", "bookings"),
        ("graphiti.search_nodes", "knowledge-graph"),
        ("sqlite.read_query", "database-rows"),
        ("prometheus.query_range", "metrics"),
        ("brave.web_search", "search-results"),
        ("notion.fetch_page", "documents"),
        ("loki.query", "logs"),
        ("something.else", "default"),
    ],
)
def test_the_shipped_sources(source: str, name: str) -> None:
    assert Policies(SHIPPED).plan(None, source).name == name


def test_policies_are_found_where_they_are_set_or_shipped(tmp_path: Path) -> None:
    assert folder(str(tmp_path)) == tmp_path
    assert folder() == SHIPPED


def test_the_committed_schema_is_the_generated_one() -> None:
    assert (ROOT / "schemas" / "policy.schema.json").read_text() == schema_text(), "write it anew: decant schema"


def test_the_schema_knows_every_key_and_nothing_else() -> None:
    schema = json.loads(schema_text())
    policy = schema["$defs"]["Policy"]
    assert set(policy["properties"]) == {*Policy.__struct_fields__, "extends", *ALIASES}
    assert policy["additionalProperties"] is False
    for path in SHIPPED.iterdir():
        for values in yaml.safe_load(path.read_text()).values():
            assert set(values) <= set(policy["properties"])


def test_effective_values_are_what_a_file_could_say(tmp_path: Path) -> None:
    effective = Policies(SHIPPED).effective()
    (tmp_path / "all.json").write_bytes(msgspec.json.encode(effective))
    assert Policies(tmp_path).effective() == effective
