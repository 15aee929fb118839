"""A new database for each test."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.storage.database import Database


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "bot.db"


@pytest.fixture
async def database(path: Path) -> AsyncIterator[Database]:
    # Where a test lets another program hold a lock, the wait for it is short.
    database = await Database.open(path, lock_wait=0.0, busy_wait=0.05)
    yield database
    await database.close()
