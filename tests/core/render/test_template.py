"""Templates: the goldens of the knowledge graph, and what no value may do to a row."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from service.core.plan import Plan
from service.core.render.template import template_rows
from service.policies import Policies
from tests.core.made import plan, values, wish

SHIPPED = Policies(Path(__file__).parents[3] / "config" / "policies")
UUID = "550e8400-e29b-41d4-a716-446655440000"
NOW = "2026-01-18T12:00:00Z"
NODES = [
    {"name": "Graphiti", "labels": ["Framework"], "summary": "Knowledge graph framework with temporal context"},
    {"name": "FalkorDB", "labels": ["Entity", "Database"], "summary": "Graph database backend for Graphiti"},
    {"name": "MCP Server", "type": "Service", "summary": "Model Context Protocol server for Graphiti"},
]
FACTS = [
    {"source": "Graphiti", "relation": "USES", "target": "FalkorDB", "confidence": 0.95},
    {"source": {"name": "FalkorDB"}, "relation": "STORES_IN", "target": "Knowledge Graph", "confidence": 0.88},
    {"source": "A", "relation": "IS", "target": "B", "confidence": 0},
]
EPISODES = [
    {"name": "Podman Volume Syntax", "content": "volume mounting best practices", "created_at": "2026-01-18T10:00:00Z"},
    {"name": "Architecture Decision", "content": "chose FalkorDB", "created_at": "2026-01-17T12:00:00Z"},
    {"name": "VS Code Preferences", "content": "dark", "created_at": "2026-01-15T11:00:00Z"},
]
GOLDENS: list[tuple[Any, str]] = [
    (
        {"nodes": NODES},
        'Found 3 entities for "Graphiti":\n'
        "1. Graphiti [Framework] - Knowledge graph framework with temporal context\n"
        "2. FalkorDB [Database] - Graph database backend for Graphiti\n"
        "3. MCP Server [Service] - Model Context Protocol server for Graphiti",
    ),
    ({"nodes": [{"name": "A"}]}, 'Found 1 entity for "Graphiti":\n1. A [Entity]'),
    ({"nodes": []}, 'No entities found for "Graphiti"'),
    (
        {"facts": FACTS},
        'Found 3 facts for "Graphiti":\n'
        "1. Graphiti --uses--> FalkorDB (95%)\n"
        "2. FalkorDB --stores-in--> Knowledge Graph (88%)\n"
        "3. A --is--> B",
    ),
    (
        {"facts": [{"name": "USES", "fact": "Graphiti uses FalkorDB as its backend."}]},
        'Found 1 fact for "Graphiti":\n1. [USES] Graphiti uses FalkorDB as its backend.',
    ),
    (
        {"episodes": EPISODES},
        "Recent episodes (3):\n"
        "- [2h ago] Podman Volume Syntax - volume mounting best practices\n"
        "- [1d ago] Architecture Decision - chose FalkorDB\n"
        "- [3d ago] VS Code Preferences - dark",
    ),
    ({"episodes": []}, "No episodes found"),
    (
        {"status": "healthy", "message": "All good", "entity_count": 142, "episode_count": 47,
         "last_updated": "2026-01-18T11:55:00Z"},
        "Knowledge Graph Status: HEALTHY\nAll good\nEntities: 142 | Episodes: 47 | Last update: 5m ago",
    ),
    ({"status": "ok"}, "Knowledge Graph Status: OK"),
    (
        {"name": "Test", "uuid": UUID, "entities_extracted": 3, "facts_extracted": 2},
        '✓ Episode added: "Test" (id: ...55440000)\n  Extracted: 3 entities, 2 facts',
    ),
    (
        {"name": "Test", "uuid": UUID, "entities_extracted": 1, "facts_extracted": 1},
        '✓ Episode added: "Test" (id: ...55440000)\n  Extracted: 1 entity, 1 fact',
    ),
    ({"success": True, "uuid": UUID}, "✓ Deleted: ...55440000"),
    ({"success": False, "error": "Not found"}, "✗ Delete failed: Not found"),
    (
        {"success": True, "deleted_entities": 142, "deleted_episodes": 47},
        "✓ Knowledge graph cleared\n  Removed: 142 entities, 47 episodes",
    ),
]  # fmt: skip


def said(value: Any, made: Plan, **options: Any) -> str | None:
    rows = template_rows(value, made, wish(**options))
    return rows.text() if rows else None


@pytest.mark.parametrize(("value", "text"), GOLDENS)
def test_the_goldens_of_the_knowledge_graph(value: Any, text: str) -> None:
    assert said(value, SHIPPED.plan("knowledge-graph"), query="Graphiti", as_of=NOW) == text


@pytest.mark.parametrize(
    ("policy", "value", "text"),
    [
        ("knowledge-graph-add", {"message": "Episode 'x' queued"}, "✓ Episode 'x' queued"),
        ("knowledge-graph-delete", {"success": True, "uuid": UUID}, "✓ Deleted: ...55440000"),
        ("knowledge-graph-delete", {"error": "Not found"}, "✗ Delete failed: Not found"),
        ("knowledge-graph-clear", {"message": "done"}, "✓ Knowledge graph cleared"),
    ],
)
def test_the_goldens_of_one_kind_of_call(policy: str, value: Any, text: str) -> None:
    assert said(value, SHIPPED.plan(policy)) == text


@pytest.mark.parametrize(
    "value",
    [None, 5, "text", [], {}, {"facts": [{"foo": 1}]}, {"other": [1]}, {"nodes": NODES, "relations": [{"from": 1}]}],
)
def test_another_shape_is_left_to_others(value: Any) -> None:
    assert said(value, SHIPPED.plan("knowledge-graph")) is None


def test_twenty_rows_and_how_many_more() -> None:
    rows = template_rows({"nodes": [{"name": f"n{n}"} for n in range(25)]}, SHIPPED.plan("knowledge-graph"), wish())
    assert rows is not None
    lines = rows.text().split("\n")
    assert (lines[0], len(lines), lines[-1]) == ("Found 25 entities:", 22, "... and 5 more")
    assert rows.text(3).split("\n")[-1] == "... and 22 more"
    assert (rows.total, len(rows.rows), rows.path) == (25, 20, "nodes")


def test_a_row_of_unknown_shape_is_shown_and_not_skipped() -> None:
    text = said({"facts": [{"fact": "a"}, {"foo": 1}]}, SHIPPED.plan("knowledge-graph"))
    assert text == 'Found 2 facts:\n1. a\n{"foo":1}'


@pytest.mark.parametrize("break_", ["\n", "\r\n", "\u2028", "\x85", "\x0b", "\x1d"])
def test_a_line_break_in_a_value_forges_no_row(break_: str) -> None:
    text = said({"nodes": [{"name": f"A{break_}2. Forged [x]", "labels": []}]}, SHIPPED.plan("knowledge-graph"))
    assert text == "Found 1 entity:\n1. A 2. Forged [x] [Entity]"


def test_a_value_forges_no_marker() -> None:
    made = plan(template={"item": "{name}"})
    assert said([{"name": "… 5 more items (0-4)"}], made) == "…… 5 more items (0-4)"


def test_what_the_words_leave_out_is_in_the_ledger() -> None:
    rows = template_rows(
        {"message": "m", "nodes": [{"name": "A", "uuid": UUID}, {"name": "B", "uuid": UUID}]},
        SHIPPED.plan("knowledge-graph"),
        wish(),
    )
    assert rows is not None
    counted = {entry.path: (entry.unit, entry.by, entry.kept, entry.total) for entry in rows.omitted}
    assert counted == {"message": ("fields", "policy", 0, 1), "nodes[].uuid": ("fields", "policy", 0, 2)}


@pytest.mark.parametrize(
    ("template", "row", "text"),
    [
        ("{a}{? - {b}}", {"a": 1}, "1"),
        ("{a}{? - {b}}", {"a": 1, "b": "x"}, "1 - x"),
        ("{a}{? ({b}{? of {c}})}", {"a": 1, "b": 2}, "1 (2)"),
        ("{x,a.b}", {"a": {"b": True}}, "true"),
        ("{{a} {a}", {"a": 1}, "{a} 1"),
        ("{a|upper} {b|lower} {c|words}", {"a": "x", "b": "Y", "c": "HAS_PART"}, "X y has-part"),
        ("{a|len} {a|first} {a|last}", {"a": ["p", "q"]}, "2 p q"),
        ("{a}", {"a": ["p", "q"]}, "p, q"),
        ("{a}", {"a": {"b": 1}}, '{"b":1}'),
        ("{n|entity|entities}", {}, "entity"),
        ("{a|default:none}", {}, "none"),
        ("{t|cut:25}", {"t": "This is a long text that needs truncation"}, "This is a long text..."),
        ("{t|cut:10}", {"t": "superlongwordwithoutspaces"}, "superlo..."),
        ("{t|cut:100}", {"t": "Short text"}, "Short text"),
        ("{t|cut:11}", {"t": "hello world foo"}, "hello..."),
        ("{t|cut:3}", {"t": "hello"}, "..."),
        ("{p|percent}", {"p": 0.954}, "95%"),
        ("{p|percent}", {"p": 95}, "95%"),
        ("{at|ago}", {"at": "2026-01-18T10:00:00Z"}, "2026-01-18T10:00:00Z"),
        ("{i|short}", {"i": "abc"}, "abc"),
    ],
)  # fmt: skip
def test_what_fills_a_slot(template: str, row: dict[str, Any], text: str) -> None:
    assert said(row, plan(template={"item": template})) == text


@pytest.mark.parametrize("broken", ["{", "{a", "{}", "{a|uper}", "{? x", "{a|cut:x}", "{a,}"])
def test_a_broken_template_says_why(broken: str) -> None:
    with pytest.raises(ValueError, match=r"closed|names no field|filter|number"):
        plan(template={"item": broken})


@given(values)
def test_no_value_breaks_a_template(value: Any) -> None:
    made = plan(template=[{"header": "{count}", "item": "{id}{? {name|ago}}"}, {"item": "{a|first} {b|cut:5}"}])
    rows = template_rows(value, made, wish(as_of=NOW))
    if rows:
        assert all("\n" not in row for row in rows.rows)
        assert rows.total >= len(rows.rows)
