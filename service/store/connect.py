"""From a URL to a client: standalone, Sentinel and Cluster. Redis is imported only when somebody has one.

redis://[user:password@]host[:port][/db]            rediss:// with TLS, unix:///path/to.sock?db=0
redis+sentinel://[user:password@]host:port,host:port/service[/db]
redis+cluster://[user:password@]host:port,host:port
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from service.store.redis import TIMEOUT, Client

CONNECTIONS = 32
SCHEMES = ("redis", "rediss", "unix", "redis+sentinel", "rediss+sentinel", "redis+cluster", "rediss+cluster")


@dataclass(frozen=True, slots=True)
class Target:
    """What a URL of several hosts says; its password is never printed."""

    hosts: tuple[tuple[str, int], ...]
    path: tuple[str, ...]
    secrets: Mapping[str, Any]

    def __repr__(self) -> str:
        return f"Target({self.hosts!r}, {self.path!r})"


@dataclass(frozen=True, slots=True)
class Watched:
    """The master that Sentinels name; closing it closes the lines to them too."""

    master: Client
    sentinels: tuple[Client, ...]

    async def execute_command(self, *words: Any) -> Any:
        """Sends one command to the master."""
        return await self.master.execute_command(*words)

    async def aclose(self) -> None:
        """Closes every connection."""
        for client in (self.master, *self.sentinels):
            await client.aclose()


def connect(url: str) -> Client:
    """A client for a URL; ValueError says what is wrong with it and never what it was."""
    scheme, _, rest = url.partition("://")
    if scheme not in SCHEMES or not rest:
        raise ValueError(f"DECANT_REDIS_URL must begin with one of {', '.join(f'{name}://' for name in SCHEMES)}")
    if scheme.endswith("+sentinel"):
        return _sentinel(_target(rest, 26379), scheme.startswith("rediss"))
    if scheme.endswith("+cluster"):
        return _cluster(_target(rest, 6379), scheme.startswith("rediss"))
    return _standalone(url)


def _settings() -> dict[str, Any]:
    from redis.asyncio.retry import Retry
    from redis.backoff import NoBackoff

    # the store retries by itself, once: retries in here would multiply with it
    once = Retry(NoBackoff(), 0)
    return {"socket_timeout": TIMEOUT, "socket_connect_timeout": TIMEOUT, "retry": once, "protocol": 2}


def _standalone(url: str) -> Client:
    from redis.asyncio import BlockingConnectionPool, Redis

    try:
        pool = BlockingConnectionPool.from_url(url, max_connections=CONNECTIONS, timeout=TIMEOUT, **_settings())
    except ValueError:
        raise ValueError("DECANT_REDIS_URL is not a URL that Redis takes: redis://host:port/db") from None
    return Redis.from_pool(pool)


def _sentinel(target: Target, tls: bool) -> Client:
    from redis.asyncio import Sentinel

    if not target.path:
        raise ValueError("DECANT_REDIS_URL names no service: redis+sentinel://host:port,host:port/service")
    name, db = target.path[0], int(target.path[1]) if len(target.path) > 1 else 0
    settings = _settings()
    watchers: Any = Sentinel  # redis-py leaves its constructor untyped
    sentinel = watchers(list(target.hosts), sentinel_kwargs=settings, **settings, **target.secrets)
    client: Client = sentinel.master_for(name, db=db, **({"ssl": True} if tls else {}))
    return Watched(client, tuple(sentinel.sentinels))


def _cluster(target: Target, tls: bool) -> Client:
    from redis.asyncio import RedisCluster
    from redis.asyncio.cluster import ClusterNode

    nodes = [ClusterNode(host, port) for host, port in target.hosts]
    return RedisCluster(startup_nodes=nodes, ssl=tls, max_connections=CONNECTIONS, **_settings(), **target.secrets)


def _target(rest: str, port: int) -> Target:
    place, _, path = rest.partition("/")
    login, _, hosts = place.rpartition("@")
    user, _, password = login.partition(":")
    named = {"username": unquote(user), "password": unquote(password)}
    return Target(
        tuple(_host(host, port) for host in hosts.split(",")),
        tuple(filter(None, path.split("/"))),
        {name: value for name, value in named.items() if value},
    )


def _host(text: str, port: int) -> tuple[str, int]:
    host, colon, number = text.rpartition(":")
    if not colon or number.endswith("]"):
        return text.strip("[]"), port
    if not number.isdecimal() or not host:
        raise ValueError("DECANT_REDIS_URL has a host without a name or a port that is no number")
    return host.strip("[]"), int(number)
