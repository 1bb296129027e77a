"""How much of a log's templates an answer keeps, judged by another masking and by drain3, and how much it saves."""

import random
import re
from collections.abc import Callable, Iterator
from importlib import util
from itertools import accumulate

from schemas.policy import Policy
from service.core.payload import Payload, Wish
from service.core.pipeline import compact
from service.core.plan import compile_plan
from service.core.tokens import estimate
from tests.bench.figures import Figure

LINES, TEMPLATES, BUDGET = 4_000, 160, 25_000
SUBJECTS = "request session upload index cache volume worker token replica queue snapshot route".split()
VERBS = "opened closed accepted moved merged dropped renewed scanned rotated flushed probed".split()
PLACES = "on node {a}|after {b} ms|for tenant {a}|at /var/lib/{b}/data|with id {h}|from 10.0.{c}.{c}:{a}".split("|")
_NOTE = re.compile(r"^\d+: | \[×\d.*$")
_VALUE = re.compile(r"\b[0-9a-f]{12}\b|/\S+|\d+(?:[.:,]\d+)*")


def templates(chance: random.Random) -> list[str]:
    """Sentences that differ in more than one word."""
    made: dict[str, None] = {}
    while len(made) < TEMPLATES:
        places = " ".join(chance.sample(PLACES, 2))
        made[f"{chance.choice(SUBJECTS)} {chance.choice(VERBS)} {chance.choice(SUBJECTS)} {places}"] = None
    return list(made)


def lines() -> list[str]:
    """A log whose templates are as unequal as they are in life: some fill it, a third are seen once or twice."""
    chance = random.Random(7)
    known = templates(chance)
    weights = list(accumulate(1 / (rank + 1) ** 1.6 for rank in range(TEMPLATES)))
    made = []
    for number in range(LINES):
        text = chance.choices(known, cum_weights=weights)[0] if number >= TEMPLATES else known[number]
        values = {"a": chance.randrange(9999), "b": chance.randrange(99), "c": chance.randrange(9)}
        filled = text.format(**values, h=f"{chance.getrandbits(48):012x}")
        made.append(f"2026-11-18 10:{number // 600:02}:{number // 10 % 60:02} INFO {filled}")
    chance.shuffle(made)
    return made


def masked(line: str) -> str:
    """A line without its values, by a masking that the service does not share."""
    return " ".join(_VALUE.sub("<*>", _NOTE.sub("", line)).split("INFO")[-1].split())


def drained(known: list[str], masked: Callable[[str], str] = masked) -> Callable[[str], object]:
    """The template that drain3 puts a masked line into, once it has seen all of them."""
    from drain3 import TemplateMiner  # type: ignore[import-untyped]  # it ships no types
    from drain3.template_miner_config import TemplateMinerConfig  # type: ignore[import-untyped]  # the same

    miner = TemplateMiner(config=TemplateMinerConfig())
    for line in known:
        miner.add_log_message(masked(line))
    return lambda line: getattr(miner.match(masked(line)), "cluster_id", None)


def figures() -> Iterator[Figure]:
    known = lines()
    text = "\n".join(known) + "\n"
    answer = compact(
        Payload(text.encode(), "text"),
        compile_plan("logs", Policy(hard_output_token_cap=BUDGET)),
        Wish(budget=BUDGET, byte_cap=8 * BUDGET),
    )
    raw = estimate(text)
    saved = 1 - answer.tokens / raw
    yield Figure(
        f"a log of {LINES} lines under {BUDGET} tokens: share saved", f"{answer.tokens}", f"{raw}", saved, ">= 0.9"
    )
    shown = [line for line in answer.body.decode().split("\n") if not line.startswith("…")]
    judges: dict[str, Callable[[str], object]] = {"another masking": masked}
    if util.find_spec("drain3"):
        judges["drain3"] = drained(known)
    for name, judge in judges.items():
        every, kept = {judge(line) for line in known}, {judge(line) for line in shown}
        share = len(every & kept) / len(every)
        yield Figure(f"its templates shown, by {name}", f"{len(every & kept)}", f"{len(every)}", share, ">= 0.99")
