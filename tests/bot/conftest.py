"""A new database, and the repositories over it, for each test that asks for them."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.storage import Storage
from bot.storage.database import Database


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    database = await Database.open(tmp_path / "101.sqlite3")
    yield database
    await database.close()


@pytest.fixture
def storage(database: Database) -> Storage:
    return Storage(database)
