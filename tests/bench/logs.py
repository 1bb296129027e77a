"""`python -m tests.bench.logs FILE ...`: what /compact saves of logs of your own, and how many templates it shows.

Two judges that share nothing with the service: a masking of words with digits, quotes and paths, and drain3. A tenth of
the log is the budget of the first row, 25,000 tokens that of the second.
"""

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from importlib import util
from pathlib import Path

from schemas.policy import Policy
from service.core.payload import Payload, Wish
from service.core.pipeline import compact
from service.core.plan import compile_plan
from service.core.tokens import estimate
from tests.bench.folding import drained

HEAD = "| log | tokens | budget | answer | saved | templates, masked | lines they tell | templates, drain3 |"
_NOTE = re.compile(r"^\s*\d+: | \[×\d.*$")
_COLOUR = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_STAMP = re.compile(
    r"(?:\d{4}[-/]\d\d[-/]\d\d[T ]?|\d\d/\w{3}/\d{4}:|[A-Z][a-z]{2} [ \d]\d )?\d\d:\d\d:\d\d(?:[.,]\d+)?Z?"
    r"|\d{4}-\d\d-\d\d[T ]?"
)
_VALUE = re.compile(r"\"[^\"]*\"|'[^']*'|\b[0-9a-fA-F]{7,}\b|/\S+|\S*\d\S*")
Judge = Callable[[str], object]


def bare(line: str) -> str:
    """A line without colours, notes and stamps."""
    return _STAMP.sub("", _NOTE.sub("", _COLOUR.sub("", line))).lstrip(" [(<>])-")


def masked(line: str) -> str:
    """A line without values either."""
    return " ".join(_VALUE.sub("<*>", bare(line)).split())


def numbered(line: str) -> str:
    """A line without stamps, notes and numbers."""
    return " ".join(re.sub(r"\d+", "<*>", bare(line)).split())


def rows(path: Path) -> Iterator[str]:
    """The rows of one log."""
    data = path.read_bytes()
    lines = [line for line in data.decode("utf-8", "replace").splitlines() if masked(line)]
    raw = estimate(data)
    judges: list[Judge] = [masked, *([drained(lines, numbered)] if util.find_spec("drain3") else [])]
    every = [Counter(map(judge, lines)) for judge in judges]
    for budget in (max(64, raw // 10), 25_000):
        plan = compile_plan("logs", Policy(hard_output_token_cap=budget))
        answer = compact(Payload(data, "text"), plan, Wish(budget=budget, byte_cap=8 * budget))
        shown = [line for line in answer.body.decode().split("\n") if not line.startswith("…")]
        kept = [set(map(judge, shown)) & set(known) for judge, known in zip(judges, every, strict=True)]
        told = sum(every[0][template] for template in kept[0]) / len(lines)
        shares = [f"{len(one)}/{len(known)}" for one, known in zip(kept, every, strict=True)]
        saved = f"{answer.tokens} | {1 - answer.tokens / raw:.3f}"
        yield f"| {path.name} | {raw} | {budget} | {saved} | {shares[0]} | {told:.3f} | {''.join(shares[1:])} |"


if __name__ == "__main__":
    print(HEAD, "|---" * 8 + "|", sep="\n")
    for name in sys.argv[1:]:
        for row in rows(Path(name)):
            print(row, flush=True)
