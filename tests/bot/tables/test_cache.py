"""The cache of tables: keeps tables in play, drops idle ones, and is bounded."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from bot.clock import DeadlineClock
from bot.settings import TableSettings
from bot.storage import Storage
from bot.storage.database import Database
from bot.tables import cache
from bot.tables.cache import IDLE_SECONDS, TableCache
from bot.tables.queries import TableQueries
from bot.tables.service import Tables
from tests.bot.tables.tables import ANYA, NOW, PACE, lobby


class Time:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> float:
        return self.now


def test_what_is_used_is_kept_and_what_is_idle_is_not() -> None:
    time = Time()
    tables = TableCache(time)
    used, idle = replace(lobby(), id="used"), replace(lobby(), id="idle")
    tables.keep(used)
    tables.keep(idle)
    time.now += IDLE_SECONDS
    assert tables.get("used") is used
    time.now += 1
    tables.forget_idle()
    assert tables.get("used") is used
    assert tables.get("idle") is None


def test_of_many_the_latest_used_are_kept() -> None:
    tables = TableCache(lambda: NOW)
    first, second, *others = (replace(lobby(), id=f"t{number}") for number in range(cache.MOST + 1))
    tables.keep(first)
    tables.keep(second)
    tables.get(first.id)
    for table in others:
        tables.keep(table)
    assert tables.get(first.id) is first
    assert tables.get(second.id) is None
    assert len(list(tables)) == cache.MOST


async def test_the_clock_lets_idle_tables_go_and_they_are_read_again(tmp_path: Path) -> None:
    time = Time()
    database = await Database.open(tmp_path / "101.sqlite3")
    storage = Storage(database)
    tables = Tables(storage, TableQueries(storage, time), PACE)
    opened = await tables.open(-100, 0, ANYA, TableSettings())
    before = await tables.queries.load(opened.table_id)
    time.now += IDLE_SECONDS + 1
    await DeadlineClock(storage, tables, time)._run_due()
    assert list(tables.queries.cache) == []
    assert await tables.queries.load(opened.table_id) == before
    await database.close()
