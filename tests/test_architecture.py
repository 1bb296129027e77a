"""The shape of the code: imports point one way, core is pure, everything stays small enough to read in one go."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CODE = sorted(path for top in ("schemas", "service") for path in (ROOT / top).rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
TOP_LEVEL = {"schemas", "service", "config", "tests", "k8s"}

# Who may import whom, of the project's own; the longest matching name counts, and everybody knows their own kind.
DATA = {"schemas", "service.errors"}
STORY = DATA | {"service.compute", "service.core", "service.job", "service.envelopes", "service.store"}
KNOWS = {
    "schemas": set[str](),
    "schemas.clients": set[str](),  # each a file to copy: it knows nothing of the project
    "service": set[str](),
    "service.errors": {"schemas"},
    "service.core": DATA,
    "service.store": DATA,
    "service.keys": DATA,
    "service.compute": DATA | {"service.core"},
    "service.settings": DATA,
    "service.telemetry": DATA,
    "service.policies": DATA | {"service.core"},
    "service.snapshots": DATA | {"service.core", "service.keys", "service.store"},
    # the story: actions reads like one, the others are its chapters
    "service.job": DATA | {"service.compute", "service.core", "service.policies", "service.snapshots", "service.store"},
    "service.opening": STORY,
    "service.envelopes": STORY,
    "service.pages": STORY,
    "service.chunks": STORY,
    "service.hits": STORY | {"service.chunks"},
    "service.mcp": STORY,
    "service.actions": STORY | {"service.opening", "service.pages", "service.chunks", "service.hits", "service.mcp"},
    "service.offline": DATA | {"service.core", "service.policies", "service.settings"},
    "service.web": DATA | {"service.actions", "service.telemetry", "service.core.payload"},
    "service.app": {"schemas", "service"},
    "service.__main__": {"schemas", "service"},
}
TOPS = {"service.app", "service.__main__"}  # they know all; __main__ knows app, and nobody else knows either
# And of what others made.
USES = {
    "schemas": {"msgspec"},
    "schemas.clients": {"httpx"},
    "service": {"msgspec"},
    "service.core": {"msgspec", "yaml"},
    "service.store": {"msgspec", "redis"},
    "service.telemetry": {"msgspec", "opentelemetry"},
    "service.policies": {"msgspec", "watchfiles", "yaml"},
    "service.web": {"aiohttp", "msgspec"},
    "service.app": {"aiohttp", "msgspec", "redis", "uvloop"},
    "service.__main__": {"aiohttp", "msgspec", "uvloop", "yaml"},
}
PURE = set(
    "__future__ abc array ast base64 binascii bisect codecs collections contextlib copy csv dataclasses datetime "
    "decimal difflib enum fnmatch fractions functools hashlib heapq hmac html io ipaddress itertools json keyword "
    "math operator re reprlib statistics string struct textwrap token tokenize tomllib types typing unicodedata urllib "
    "xml zlib zoneinfo".split()
)
IMPURE_CALL = re.compile(r"(open|print|input|breakpoint)|(.*\.)?(datetime|date)\.(now|utcnow|today)|.*\.urlopen")
REASON_NEEDED = re.compile(r"#\s*(type: ignore|noqa|pragma: no cover|nosec|mypy:|ruff:)")
REASON_GIVEN = re.compile(
    r"#\s*(type: ignore\[[\w, -]+\]|noqa: [A-Z]+\d+(, ?[A-Z]+\d+)*|pragma: no cover)\s+(#|-|—)\s*\S+ \S+"
)
VAGUE_FILE = re.compile(r"(^|_)(utils?|helpers?|managers?|common|misc)(_|$)|^base_")
VAGUE_CLASS = re.compile(r"(Utils?|Helpers?|Manager|Singleton|Registry|Container)$|^(Base|Abstract)[A-Z]")


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def layer(name: str, layers: dict[str, set[str]]) -> str:
    """The longest entry that names this module; service.actions_x belongs to service.actions."""
    return max((known for known in layers if name == known or name.startswith((known + ".", known + "_"))), key=len)


def imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"line {node.lineno}: imports are absolute"
            for alias in node.names:  # `from service import errors` imports service.errors
                whole = f"{node.module}.{alias.name}"
                yield whole if (ROOT / f"{whole.replace('.', '/')}.py").exists() else str(node.module)


def inside(name: str, packages: set[str]) -> bool:
    return any(name == package or name.startswith((package + ".", package + "_")) for package in packages)


def forbidden(name: str, imported: str) -> bool:
    """Whether this module must not import that one."""
    top = imported.partition(".")[0]
    if top in {"schemas", "service"}:
        own = layer(name, KNOWS)
        if inside(imported, TOPS):
            return name != "service.__main__" or imported != "service.app"
        return not inside(imported, KNOWS[own] | ({own} - {"service"}))
    if top in sys.stdlib_module_names:
        return layer(name, KNOWS) in {"service.core", "schemas"} and top not in PURE
    return top not in USES[layer(name, USES)]


@pytest.mark.parametrize("path", CODE, ids=module_name)
def test_imports_point_one_way(path: Path) -> None:
    name = module_name(path)
    wrong = {imported for imported in imports(ast.parse(path.read_text())) if forbidden(name, imported)}
    assert not wrong, f"{name} must not import {', '.join(sorted(wrong))}"


def test_the_import_rule_would_notice() -> None:
    assert forbidden("service.core.fit", "os")
    assert forbidden("service.core.fit", "service.policies")
    assert forbidden("service.store.redis", "service.core.tape")
    assert forbidden("service.web.routes", "service.core.tokens")
    assert forbidden("service.actions", "aiohttp")
    assert forbidden("service.policies", "service.app")
    assert not forbidden("service.core.fit", "service.core.rank.rows")
    assert not forbidden("service.actions_chunk", "service.actions")


@pytest.mark.parametrize("path", sorted((ROOT / "service/core").rglob("*.py")), ids=module_name)
def test_core_reads_no_clock_no_file_and_no_chance(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call):
            assert not IMPURE_CALL.fullmatch(ast.unparse(node.func)), f"line {node.lineno}"


@pytest.mark.parametrize("path", CODE, ids=module_name)
def test_code_stays_small_enough_to_read(path: Path) -> None:
    source = path.read_text()
    assert source.count("\n") <= 300, "split it by meaning"
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            assert length <= 40, f"line {node.lineno}: {node.name} has {length} lines"


@pytest.mark.parametrize("path", CODE + TESTS, ids=module_name)
def test_every_module_says_what_it_is_and_every_ignore_why(path: Path) -> None:
    source = path.read_text()
    assert not source.strip() or ast.get_docstring(ast.parse(source)), "a docstring at the head"
    for number, line in enumerate(source.splitlines(), 1):
        if REASON_NEEDED.search(line) and path != Path(__file__):
            assert REASON_GIVEN.search(line), f"line {number}: an ignore names its code and its reason"


@pytest.mark.parametrize("path", CODE + TESTS, ids=module_name)
def test_no_mocks_and_no_vague_names(path: Path) -> None:
    tree = ast.parse(path.read_text())
    assert not [name for name in imports(tree) if name.startswith(("unittest", "mock", "pytest_mock"))]
    assert not VAGUE_FILE.search(path.stem), f"{path.name} says nothing of what is in it"
    classes = [node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    assert not [name for name in classes if VAGUE_CLASS.search(name)]


def test_every_setting_that_ignores_something_says_why() -> None:
    text = (ROOT / "pyproject.toml").read_text()
    ruff = tomllib.loads(text)["tool"]["ruff"]["lint"]
    ignored = [*ruff["ignore"], *(code for codes in ruff["per-file-ignores"].values() for code in codes)]
    unexplained = [code for code in ignored if not re.search(rf'"{code}",\s+# \S+ \S+', text)]
    assert not unexplained


def test_nothing_else_has_a_top_level_folder() -> None:
    hidden = re.compile(r"^[._]|\.egg-info$|^(build|dist|node_modules|htmlcov)$")
    folders = {path.name for path in ROOT.iterdir() if path.is_dir() and not hidden.search(path.name)}
    assert folders <= TOP_LEVEL
