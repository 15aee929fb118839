"""One bot and one sandbox for all tests of a module; each test creates its own group."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.e2e.running import Running, running


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def bot(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Running]:
    """A bot at which nothing happens by the clock but forced moves."""
    async with running(tmp_path_factory.mktemp("bot")) as it:
        yield it
