"""An empty sandbox for each test, with a clock that stands still until it is moved."""

from collections.abc import AsyncIterator

import pytest

from sandbox.clock import Clock
from tests.sandbox.telegram import BEGINNING, CheckedTelegram


@pytest.fixture
async def telegram() -> AsyncIterator[CheckedTelegram]:
    """A sandbox without flood limits."""
    async with CheckedTelegram.in_process(clock=Clock(lambda: BEGINNING)) as sandbox:
        yield sandbox


@pytest.fixture
async def limited_telegram() -> AsyncIterator[CheckedTelegram]:
    """A sandbox with flood limits."""
    async with CheckedTelegram.in_process(flood=True, clock=Clock(lambda: BEGINNING)) as sandbox:
        yield sandbox


@pytest.fixture
async def ada(telegram: CheckedTelegram) -> int:
    """A person who has pressed START."""
    return await telegram.friend()


@pytest.fixture
async def group(telegram: CheckedTelegram, ada: int) -> int:
    """A group of Ada and the bot."""
    return await telegram.group(ada)
