"""Bearer tokens: their text form, and files of them that are read again when they change."""

import hashlib
import logging
import re
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

T = TypeVar("T")
log = logging.getLogger("decant.tokens")
LOOK_EVERY = 0.5  # seconds between two looks at a file: a stat is cheap, one per request is not needed


def _entries(text: str) -> list[str]:
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    return [entry.strip() for line in lines for entry in line.split(",") if entry.strip()]


def parse_tokens(text: str) -> dict[bytes, str]:
    """Tenant names by the SHA-256 of their token; two hashes under one name rotate it."""
    tokens: dict[bytes, str] = {}
    for number, entry in enumerate(_entries(text), 1):
        name, _, digest = entry.rpartition(":")
        if not re.fullmatch(r"[A-Za-z0-9._@-]{1,64}", name) or not re.fullmatch(r"[0-9a-fA-F]{64}", digest):
            # The entry itself is not shown: somebody may have written the token instead of its hash.
            raise ValueError(f"entry {number} is not name:sha256hex (64 hex digits)")
        tokens[bytes.fromhex(digest)] = name
    return tokens


def example() -> str:
    """A fresh token and the line that admits it."""
    token = secrets.token_urlsafe(24)
    digest = hashlib.sha256(token.encode()).hexdigest()
    return f"set DECANT_TOKENS=me:{digest} and send `Authorization: Bearer {token}` (generated just now)."


def complaint(variable: str, path: str) -> str:
    """What is wrong with the file a variable names, or nothing."""
    if not path:
        return ""
    try:
        return "" if parse_tokens(Path(path).read_text()) else f"{variable}={path}: the file is empty"
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        return f"{variable}={path}: {reason}"


class Reloaded(Generic[T]):
    """The parsed content of a file, read again when it changes; what cannot be read changes nothing."""

    def __init__(self, path: str, parse: Callable[[str], T], first: T, clock: Callable[[], float] = time.monotonic):
        self._path, self._parse, self._value, self._clock = Path(path), parse, first, clock
        self._seen: tuple[int, ...] = ()
        self._next = clock()

    def __call__(self) -> T:
        """The value as it is now."""
        if self._clock() >= self._next:
            self._next = self._clock() + LOOK_EVERY
            self._look()
        return self._value

    def _look(self) -> None:
        try:
            stat = self._path.stat()
            seen = (stat.st_mtime_ns, stat.st_ino, stat.st_size)
            if seen == self._seen:
                return
            self._seen = seen
            value = self._parse(self._path.read_text())
            if value:
                self._value = value
            else:
                log.error("%s is empty; the previous content stays in force", self._path)
        except (OSError, ValueError) as error:
            log.error("%s cannot be read (%s); the previous content stays in force", self._path, type(error).__name__)


def source_of(path: str, parse: Callable[[str], T], fixed: T) -> Callable[[], T]:
    """A function that gives the value now: of the file when there is one, else what the variable says."""
    return Reloaded(path, parse, fixed) if path else lambda: fixed
