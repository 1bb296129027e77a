"""README.md tells the truth: its tables are the code's, and what it shows has been run."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from typing import get_args

import pytest

from schemas.api import OPTIONS, Tokenizer
from service.core.tokens import FAMILIES
from tests import readme
from tests.server import Server

TEXT = readme.README.read_text()


def test_the_table_of_settings_is_the_code_s() -> None:
    assert readme.fill(TEXT, "settings", readme.settings_table()) == TEXT, "python -m tests.readme"


def test_the_table_of_options_names_every_option_of_the_contract() -> None:
    table = TEXT[TEXT.index("| option |") : TEXT.index("One envelope answers")]
    named = {name for row in re.findall(r"^\| (`.+?) \|", table, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)}
    camel = {re.sub(r"_(\w)", lambda found: found[1].upper(), name) for names in OPTIONS.values() for name in names}
    assert named == camel - {"payload", "text", "cursor"}


def test_the_tokenizers_are_the_families() -> None:
    assert set(get_args(Tokenizer)) == set(FAMILIES)
    assert all(f"`{family}`" in TEXT for family in FAMILIES)


def test_every_link_leads_somewhere() -> None:
    targets = re.findall(r"\]\((?!http)([^)#]+)\)", TEXT)
    assert targets
    assert all((readme.README.parent / target).exists() for target in targets)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server() as running:
        yield running


def commands() -> list[str]:
    """Every curl of the README that needs nothing but the service."""
    blocks = re.findall(r"```sh\n(.*?)```", TEXT, re.DOTALL)
    return [block for block in blocks if "curl" in block]


@pytest.mark.skipif(not shutil.which("curl"), reason="curl is absent")
@pytest.mark.parametrize("command", commands())
def test_every_curl_that_the_readme_shows_answers(server: Server, command: str) -> None:
    here = command.replace("localhost:8080", f"localhost:{server.port}")
    done = subprocess.run(["bash", "-c", here], capture_output=True, text=True, check=True, timeout=30)
    answer = json.loads(done.stdout)
    assert answer["meta"]["estimatedTokens"] <= answer["meta"]["budget"]
    assert ("data" in answer) == (answer["meta"]["kind"] == "full")
    if shown := re.search(re.escape(command) + r"```\n\n```json\n(.*?)\n```", TEXT, re.DOTALL):
        assert done.stdout.strip() == shown[1]


def test_the_first_answer_is_shown() -> None:
    assert f"{commands()[0]}```\n\n```json\n" in TEXT
