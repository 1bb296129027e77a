"""The key ring that signs cursors: the first secret signs, all of them verify.

To rotate without losing a cursor: add the new secret at the end everywhere, then move it to the front, then, after the
longest cursor's life, take the old one out. A file is looked at again about once a second; one that cannot be read
or holds something wrong leaves the ring as it was.
"""

import hashlib
import os
import time
from collections.abc import Callable
from pathlib import Path

SHORTEST = 16
LOOK_SECONDS = 1.0

Keys = tuple[tuple[int, bytes], ...]
Mark = tuple[int, int, int]


def key_id(secret: bytes) -> int:
    """One byte that says which secret signed; it depends on the secret and not on its place in the ring."""
    return hashlib.sha256(b"decant key id\0" + secret).digest()[0]


def parse_secrets(text: str, variable: str) -> Keys:
    """The keys in a list of secrets, separated by commas in a variable and by line ends in a file."""
    words = text.splitlines() if variable.endswith("_FILE") else text.split(",")
    stripped = [word.strip() for word in words]
    secrets = [word for word in stripped if word and not (variable.endswith("_FILE") and word.startswith("#"))]
    if not secrets:
        raise ValueError(f"{variable} holds no secret: give at least one of {SHORTEST} or more characters")
    for place, secret in enumerate(secrets, 1):
        if len(secret) < SHORTEST:
            wrong = f"secret {place} of {len(secrets)} has {len(secret)} characters, the least is {SHORTEST}"
            raise ValueError(f"{variable}: {wrong}; `openssl rand -hex 32` makes a good one")
    return tuple((key_id(secret.encode()), secret.encode()) for secret in dict.fromkeys(secrets))


class KeyRing:
    """The secrets of this moment; `shared` is false when they were made up for this process alone."""

    def __init__(
        self,
        keys: Keys,
        file: Path | None,
        clock: Callable[[], float],
        *,
        seen: Mark | None = None,
        shared: bool = True,
    ) -> None:
        self._keys, self._file, self._clock, self.shared = keys, file, clock, shared
        self.last_error: str | None = None
        self._seen = seen
        self._look_at = clock() + LOOK_SECONDS

    @classmethod
    def from_settings(
        cls,
        secrets: str | None = None,
        secrets_file: str | Path | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        entropy: Callable[[int], bytes] = os.urandom,
    ) -> "KeyRing":
        """From DECANT_SECRETS or DECANT_SECRETS_FILE, else one random key; ValueError names the variable."""
        if secrets and secrets_file:
            raise ValueError("DECANT_SECRETS and DECANT_SECRETS_FILE are both set: keep one")
        if secrets_file:
            file = Path(secrets_file)
            seen = _mark(file)  # before reading: a change in between is then seen at the next look
            return cls(_read(file), file, clock, seen=seen)
        if secrets:
            return cls(parse_secrets(secrets, "DECANT_SECRETS"), None, clock)
        made_up = entropy(32)
        return cls(((key_id(made_up), made_up),), None, clock, shared=False)

    @property
    def signing(self) -> tuple[int, bytes]:
        """The key that signs new cursors."""
        return self.verifying[0]

    @property
    def verifying(self) -> Keys:
        """Every key that may have signed an old one."""
        if self._file and self._clock() >= self._look_at:
            self._look_at = self._clock() + LOOK_SECONDS
            self._reload(self._file)
        return self._keys

    def _reload(self, file: Path) -> None:
        try:
            seen = _mark(file)
            if seen != self._seen:
                self._keys, self._seen = _read(file), seen
            self.last_error = None
        except ValueError as error:
            self.last_error = str(error)

    def __repr__(self) -> str:
        return f"KeyRing({len(self._keys)} keys, shared={self.shared})"


def _mark(file: Path) -> Mark:
    # a swapped `..data` link shows as another inode, an edit in place as another time or size
    try:
        state = file.stat()
    except OSError as error:
        raise ValueError(f"DECANT_SECRETS_FILE: {file} cannot be read ({type(error).__name__})") from None
    return state.st_ino, state.st_mtime_ns, state.st_size


def _read(file: Path) -> Keys:
    try:
        text = file.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"DECANT_SECRETS_FILE: {file} cannot be read ({type(error).__name__})") from None
    return parse_secrets(text, "DECANT_SECRETS_FILE")
