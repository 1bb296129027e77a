"""Which store a service has: Redis behind a failover where there is a URL, else its own memory."""

import time
from collections.abc import Callable

from service.store import Store
from service.store.failover import Failover
from service.store.memory import MemoryStore


def choose(redis_url: str | None, ceiling: int, clock: Callable[[], float] = time.monotonic) -> Store:
    """The store for these settings; Redis is imported only when it is asked for."""
    local = MemoryStore(ceiling, clock)
    if not redis_url:
        return local
    from service.store.connect import connect
    from service.store.redis import RedisStore

    return Failover(RedisStore(connect(redis_url), clock), local)
