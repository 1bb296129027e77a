"""Snapshots in Redis: every part in segments of 512 KB, every key of a group in one slot, no command larger than that.

    dcn:{group}:index     hash: part -> size; written last, so a part is there whole or not at all
    dcn:{group}:part:0    the part's first segment, and so on

A small save and every small read is one script in one round trip: it reads the index, takes the windows by GETRANGE and
re-arms every key of the group, never to less than it has. Bigger ones send and fetch their segments one by one before
and after it, so that a timeout of a quarter of a second is fair at any size. What the retry may repeat is idempotent.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, Protocol

from redis.exceptions import OutOfMemoryError, RedisError, ResponseError

from service.store import StoreDown, StoreFull, Window
from service.store.breaker import Breaker
from service.store.scripts import READ, SAVE

SEGMENT = 512 * 1024
TIMEOUT = 0.25  # for one attempt, the wait for a connection included
OPERATION_SECONDS = 5.0  # for all commands of one save or read: a slow store is a store that is down
_UNANSWERED = (RedisError, OSError, TimeoutError)


class Client(Protocol):
    """What is used of redis.asyncio's Redis and RedisCluster."""

    async def execute_command(self, *words: Any) -> Any:
        """Sends one command."""
        ...

    async def aclose(self) -> None:
        """Closes the connections."""
        ...


class RedisStore:
    """The Store over one Redis, a Sentinel-watched one, or a Cluster."""

    def __init__(self, client: Client, clock: Callable[[], float] = time.monotonic, timeout: float = TIMEOUT) -> None:
        self._client, self._timeout, self.breaker = client, timeout, Breaker(clock)

    async def save(self, group: str, parts: Mapping[str, bytes], ttl: float) -> bool:
        """Sends the segments, the last of them together with the index."""
        segments = list(_segments(group, parts))
        milliseconds = max(1, int(ttl * 1000))
        ahead = _ahead(segments)
        sizes = [word for name, data in parts.items() for word in (name, len(data))]
        rest = [word for segment in segments[ahead:] for word in segment]
        async with _patience():
            try:
                for key, data in segments[:ahead]:
                    await self._command("SET", key, data, "PX", milliseconds)
                head = (SEGMENT, milliseconds, len(parts))
                await self._command("EVAL", SAVE, 1, _key(group, "index"), *head, *sizes, *rest)
            except StoreFull:
                await self._take_back([key for key, _ in segments[:ahead]])
                raise
        return False

    async def windows(self, group: str, wanted: Sequence[Window], ttl: float | None) -> list[bytes | None]:
        """Asks for all windows at once; the script gives up to a segment, the rest of a long window follows."""
        if ttl is None and all(window.empty for window in wanted):
            return [b"" for _ in wanted]
        asked = [window for window in wanted if not window.empty]
        words = [word for part, start, end in asked for word in (part, start, -1 if end is None else end)]
        milliseconds = -1 if ttl is None else max(1, int(ttl * 1000))
        async with _patience():
            found = await self._command("EVAL", READ, 1, _key(group, "index"), SEGMENT, milliseconds, *words)
            answers = iter([await self._whole(group, *pair) for pair in zip(asked, found, strict=True)])
        return [b"" if window.empty else next(answers) for window in wanted]

    async def alive(self) -> float:
        """The seconds of a PING."""
        began = time.perf_counter()
        await self._command("PING")
        return time.perf_counter() - began

    async def close(self) -> None:
        """Closes the connections; a store that is gone does not delay it."""
        try:
            async with asyncio.timeout(self._timeout):
                await self._client.aclose()
        except (RedisError, OSError, TimeoutError):
            return

    async def _take_back(self, keys: Sequence[str]) -> None:
        """Frees what an unfinished save has sent: a full store must not fill up with halves."""
        if keys:
            with suppress(StoreDown, StoreFull):
                await self._command("UNLINK", *keys)

    async def _whole(self, group: str, window: Window, found: list[Any]) -> bytes | None:
        """The window's bytes: what the script gave, then segment by segment; None once one of them is gone."""
        size, head = found
        if size < 0:
            return None
        end = size if window.end is None else min(window.end, size)
        pieces, at = [bytes(head)], window.start + len(head)
        while at < end:
            number, inner = divmod(at, SEGMENT)
            until = min(end, (number + 1) * SEGMENT)
            key = _key(group, f"{window.part}:{number}")
            piece = await self._command("GETRANGE", key, inner, until - number * SEGMENT - 1)
            if len(piece) != until - at:
                return None
            pieces.append(piece)
            at = until
        return b"".join(pieces)

    async def _command(self, *words: Any) -> Any:
        """One command with one retry; an open breaker refuses without waiting, and its probe is not repeated."""
        if not self.breaker.admits():
            raise StoreDown("Redis did not answer a moment ago")
        probe = not self.breaker.closed
        try:
            try:
                return await self._attempt(words)
            except _UNANSWERED:
                if probe:
                    raise
                return await self._attempt(words)
        except _UNANSWERED as error:
            self.breaker.failed(probe)
            raise _failure(error) from None

    async def _attempt(self, words: Sequence[Any]) -> Any:
        """One command; an error that Redis answers with is an answer, and no retry changes it."""
        try:
            async with asyncio.timeout(self._timeout):
                answer = await self._client.execute_command(*words)
        except ResponseError as error:
            self.breaker.succeeded()
            raise _failure(error) from None
        self.breaker.succeeded()
        return answer


def _failure(error: Exception) -> StoreDown | StoreFull:
    # the texts of Redis may hold keys and addresses: only the kind of an error goes on
    if isinstance(error, OutOfMemoryError) or (isinstance(error, ResponseError) and "OOM " in str(error)):
        return StoreFull("Redis has reached its maxmemory")
    return StoreDown(f"Redis does not answer as it should ({type(error).__name__})")


@asynccontextmanager
async def _patience() -> AsyncIterator[None]:
    try:
        async with asyncio.timeout(OPERATION_SECONDS):
            yield
    except TimeoutError:
        raise StoreDown(f"Redis needed more than {OPERATION_SECONDS:g} s") from None


def _key(group: str, name: str) -> str:
    return f"dcn:{{{group}}}:{name}"


def _segments(group: str, parts: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    for name, data in parts.items():
        for number, start in enumerate(range(0, len(data), SEGMENT)):
            yield _key(group, f"{name}:{number}"), data[start : start + SEGMENT]


def _ahead(segments: Sequence[tuple[str, bytes]]) -> int:
    """How many segments go out alone, so that the last command carries no more than one segment's bytes."""
    left, count = sum(len(data) for _, data in segments), 0
    while left > SEGMENT:
        left -= len(segments[count][1])
        count += 1
    return count
