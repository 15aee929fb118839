"""One table that cannot be read does not stop the clock of the others."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

from bot.clock import Clock
from bot.storage import Storage
from bot.storage.database import Database
from bot.tables.codec import dump_table
from bot.tables.lifecycle import Phase
from bot.tables.service import Tables
from tests.bot.tables.tables import NOW, PACE, lobby

LATE = NOW + PACE.lobby + 1


async def test_a_table_that_cannot_be_read_is_put_off_and_the_others_go_on(tmp_path: Path) -> None:
    database = await Database.open(tmp_path / "101.sqlite3")
    storage = Storage(database)
    tables = Tables(storage, PACE, lambda: LATE)
    broken = replace(dump_table(lobby(), NOW), id="broken", document="{}")
    sound = replace(dump_table(lobby(), NOW), id="sound", chat_id=-200)
    await storage.tables.create(broken)
    await storage.tables.create(sound)
    has_changed = asyncio.Event()
    tables.on_change(lambda _table_id: has_changed.set())
    keeping = asyncio.create_task(Clock(storage, tables, lambda: LATE).run())
    async with asyncio.timeout(20):
        await has_changed.wait()
        assert (await tables.load("sound")).phase is Phase.OVER
    assert await storage.tables.due(LATE) == ()
    assert not keeping.done()
    keeping.cancel()
    await asyncio.gather(keeping, return_exceptions=True)
    await database.close()
