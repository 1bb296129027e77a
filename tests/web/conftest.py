"""A front for every test that asks for one."""

from collections.abc import AsyncIterator

import pytest

from tests.web.shop import Shop, opened


@pytest.fixture
async def shop() -> AsyncIterator[Shop]:
    async with opened() as one:
        yield one
