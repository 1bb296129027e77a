"""What is delivered: the wheel serves from anywhere, the image's recipe is clean, the lock files match."""

import re
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

from tests.server import Server

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def run(*command: str, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=120)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    folder = tmp_path_factory.mktemp("dist")
    done = run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder))
    assert done.returncode == 0, done.stderr
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with the wheel in it; its dependencies are the ones that the tests run with."""
    folder = tmp_path_factory.mktemp("fresh")
    venv.create(folder)
    (packages,) = folder.glob("lib/python*/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    pip = (sys.executable, "-m", "pip", "--python", str(folder / "bin/python"), "install", "--quiet")
    done = run(*pip, "--no-deps", "--no-index", "--force-reinstall", str(wheel))
    assert done.returncode == 0, done.stderr
    return folder


def test_the_wheel_holds_the_code_the_schemas_and_the_policies(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    shipped = {f"service/shipped/{path.name}" for path in (ROOT / "config/policies").iterdir()}
    schemas = {f"schemas/{path.name}" for path in (ROOT / "schemas").glob("*.json")}
    assert shipped | schemas | {"service/actions.py", "schemas/api.py"} <= names
    assert not [name for name in names if name.startswith(("tests", "k8s", "config", "schemas/clients"))]


def test_an_installed_wheel_serves_from_any_folder(installed: Path, tmp_path: Path) -> None:
    server = Server(program=[str(installed / "bin/decant"), "serve"], folder=tmp_path)
    with server:
        status, answer = server.ask("/compact?policy=github", b'[{"number": 1}]')
        assert (status, answer["data"]) == (200, [{"number": 1}])
        assert server.ask("/health")[1]["version"] == PROJECT["project"]["version"]
        assert server.stop() == 0


def test_the_recipe_of_the_image_is_clean() -> None:
    done = run(str(Path(sys.executable).parent / "hadolint"), "Dockerfile")
    assert done.returncode == 0, done.stdout
    recipe = (ROOT / "Dockerfile").read_text()
    assert recipe.count("FROM ${BASE_IMAGE}") == 2
    assert re.search(r"^USER \d+:\d+$", recipe, re.MULTILINE)
    assert "HEALTHCHECK" in recipe
    assert "--require-hashes -r requirements.lock" in recipe


def test_what_the_image_copies_is_let_into_the_build() -> None:
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert {source.split("/")[0] for line in copied for source in line.split()} <= allowed


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock", "requirements-build.lock"])
def test_a_lock_file_pins_everything_by_hash_and_names_no_host(name: str) -> None:
    text = (ROOT / name).read_text()
    assert "//" not in text
    for entry in re.split(r"\n(?=\S)", text.strip()):
        assert re.match(r"[a-z0-9.\-]+(\[[a-z,]+\])?==\S+ ", entry), entry[:80]
        assert "--hash=sha256:" in entry, entry[:80]


def test_every_dependency_is_locked() -> None:
    def names(requirements: list[str | dict[str, str]]) -> set[str]:
        return {re.split(r"[\[<>=]", each)[0].lower() for each in requirements if isinstance(each, str)}

    def locked(name: str) -> set[str]:
        return set(re.findall(r"^([a-z0-9.\-]+)==", (ROOT / name).read_text(), re.MULTILINE))

    extras = [each for extra in PROJECT["project"]["optional-dependencies"].values() for each in extra]
    assert names(PROJECT["project"]["dependencies"] + extras) <= locked("requirements.lock")
    assert names(PROJECT["dependency-groups"]["dev"]) <= locked("requirements-dev.lock")
    assert locked("requirements.lock") <= locked("requirements-dev.lock")
    assert names(PROJECT["build-system"]["requires"]) <= locked("requirements-build.lock")
