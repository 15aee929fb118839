"""What is shown is written down even where the database has refused it at first."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.messages.shown_cache import ShownCache
from bot.messages.table_messages import TableMessages
from bot.storage import Storage
from bot.storage.database import Database
from bot.storage.errors import ReadOnlyDatabase
from bot.storage.shown import Shown


def message(table_id: str, key: str, message_id: int) -> Shown:
    return Shown(table_id, key, 5, message_id, "abc", "plain", 1000.0)


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    database = await Database.open(tmp_path / "101.sqlite3")
    yield database
    await database.close()


async def test_what_could_not_be_written_is_known_and_goes_into_the_next_commit(database: Database) -> None:
    """Else a message that was sent while the disk was full would be sent again, and the first one stay."""
    store = Storage(database).shown
    shown_cache, first, second = (
        ShownCache(store),
        TableMessages("t1", shown={}),
        TableMessages("t2", shown={}),
    )
    old, new = message("t1", "hand:5", 7), message("t1", "hand:5", 8)
    await shown_cache.put(first, old)

    await database._writer._connection.execute("PRAGMA query_only = ON")
    with pytest.raises(ReadOnlyDatabase):
        await shown_cache.replace(first, new)
    with pytest.raises(ReadOnlyDatabase):
        await shown_cache.drop(first, "old:hand:5:7")
    again = TableMessages("t1")
    await shown_cache.load(again)
    assert again.shown == first.shown == {"hand:5": new}

    await database._writer._connection.execute("PRAGMA query_only = OFF")
    await shown_cache.put(second, message("t2", "hand:6", 9))
    assert await store.of_table("t1") == {"hand:5": new}
