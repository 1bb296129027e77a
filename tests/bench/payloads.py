"""Payloads that every benchmark may use: the same on every machine and in every run."""

import json
import random

SENTENCE = "the service did not start again after we moved it to another host".split()
EVENTS = (
    "GET /api/v1/orders/{a} 200 {b}ms",
    "GET /api/v1/customers/{a} 200 {b}ms",
    "cache miss for key order:{a}, loaded in {b}ms",
    "worker {c} took job {a} from queue default",
    "job {a} done in {b}ms",
    "connection from 10.0.{c}.{b} accepted",
    "retrying upload of part {c} of object {a}",
    "heartbeat from node-{c}",
)


def rows(size: int, each: int = 500) -> bytes:
    """A JSON list of about so many bytes, its items of about `each` bytes."""
    chance = random.Random(1)
    text = " ".join(chance.choices(SENTENCE, k=max(1, (each - 170) // 5)))[: each - 170]
    made = [
        {
            "id": number,
            "number": number * 7,
            "title": f"Crash on start number {number}",
            "state": "open" if number % 3 else "closed",
            "user": {"login": f"user{number % 97}", "id": number % 97},
            "labels": [{"name": "bug"}, {"name": f"area/{number % 11}"}],
            "body": text,
        }
        for number in range(size // each)
    ]
    return json.dumps(made, separators=(",", ":")).encode()


def log(size: int) -> bytes:
    """A log of about so many bytes: eight templates, and a warning and an error now and then."""
    chance, length = random.Random(2), 0
    lines: list[str] = []
    while length < size:
        a, b, c = chance.randrange(100_000), chance.randrange(250), chance.randrange(16)
        number = len(lines)
        level, text = "INFO", EVENTS[chance.randrange(8)].format(a=a, b=b, c=c)
        if number % 997 == 0:
            level, text = "ERROR", f"upload of object {a} failed: connection reset by peer"
        elif number % 331 == 0:
            level, text = "WARN", f"queue default holds {a} jobs"
        seconds = number // 10
        stamp = f"2026-11-18T{10 + seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{number % 1000:03}Z"
        lines.append(f"{stamp} {level} [{c:02}] {text}")
        length += len(lines[-1]) + 1
    return ("\n".join(lines) + "\n").encode()
