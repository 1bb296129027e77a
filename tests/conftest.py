"""What many tests share: Hypothesis profiles, a Redis for everybody, and one that may be killed."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.redis_server import MISSING, RedisServer

# function-scoped fixtures stay as they are between examples: tests that use them together clean up after themselves
QUIET = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]

settings.register_profile("default", max_examples=60, deadline=None, suppress_health_check=QUIET)
settings.register_profile("ci", max_examples=1000, deadline=None, suppress_health_check=QUIET)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """One Redis for all tests that only use it."""
    yield from _running(tmp_path_factory.mktemp("redis"))


@pytest.fixture
def own_redis(tmp_path: Path) -> Iterator[RedisServer]:
    """A Redis of the test's own, to kill, freeze and fill."""
    yield from _running(tmp_path)


def _running(folder: Path) -> Iterator[RedisServer]:
    if MISSING:
        pytest.skip("redis-server is not on the PATH")
    server = RedisServer(folder=folder).start()
    yield server
    server.thaw()
    server.kill()
