"""One JSON object per line on stdout; nothing in it comes from a payload, a token or a cursor."""

import logging
import os
import sys
import time
import traceback
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import msgspec

_encode = msgspec.json.Encoder(enc_hook=str).encode
LEVELS = logging.getLevelNamesMapping()
Emit = Callable[[str, dict[str, Any]], None]


@lru_cache(maxsize=4)
def _second(seconds: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))


def stamp(seconds: float) -> str:
    """ISO time with milliseconds, UTC."""
    whole = int(seconds)
    return f"{_second(whole)}.{int((seconds - whole) * 1000):03d}Z"


class JsonLines(logging.Formatter):
    """Records of the standard library's logging as JSON lines."""

    def format(self, record: logging.LogRecord) -> str:
        """One line; of an exception its type and its places, not its text, which may quote a payload."""
        line: dict[str, Any] = {
            "time": stamp(record.created),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info and record.exc_info[0]:
            line["exception"] = record.exc_info[0].__name__
            line["stack"] = [
                f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(record.exc_info[2])
            ]
        line.update(getattr(record, "facts", {}))
        return _encode(line).decode()


def set_up(level: str) -> None:
    """Everything that is logged goes to stdout, one JSON object per line."""
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    if root.getEffectiveLevel() > logging.DEBUG:
        for chatty in ("watchfiles", "asyncio"):
            logging.getLogger(chatty).setLevel(logging.WARNING)


def silent(_level: str, _facts: dict[str, Any]) -> None:
    """Emits nothing."""


def line_per_answer(level: str) -> Emit:
    """A function that writes one line per answer, without the detour through logging: it runs for every request."""
    least = LEVELS[level]
    out = sys.stdout.fileno()

    def emit(level: str, facts: dict[str, Any]) -> None:
        if LEVELS[level] < least:
            return
        line = _encode({"time": stamp(time.time()), "level": level, "logger": "decant.answer", **facts})
        try:
            os.write(out, line + b"\n")
        except OSError:  # nobody reads the log any more, or not fast enough: answers go on
            return

    return emit
