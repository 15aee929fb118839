"""The clock survives unreadable tables, a read-only database, and leaps of time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from bot.clock import COMPLAINT_SECONDS, HEARTBEAT_SECONDS, DeadlineClock, steady
from bot.storage import Storage
from bot.storage.database import Database
from bot.storage.errors import DatabaseClosed
from bot.storage.tables import MoveToLog
from bot.tables import transitions
from bot.tables.codec import dump_table
from bot.tables.queries import TableQueries
from bot.tables.service import Tables
from tests.bot.tables.tables import BORIS, NOW, PACE, TURN, VERA, dealt, lobby
from tests.patience import PATIENCE

LATE = NOW + PACE.lobby + 1


class Time:
    """A clock that tests set."""

    def __init__(self, now: float = NOW) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


class Ear(logging.Handler):
    """Hears what the bot's clock logs."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[logging.LogRecord] = []
        self._something = asyncio.Event()

    def emit(self, record: logging.LogRecord) -> None:
        self.heard.append(record)
        self._something.set()

    def criticals(self) -> list[str]:
        return [record.getMessage() for record in self.heard if record.levelno == logging.CRITICAL]

    def count(self, words: str) -> int:
        return sum(words in record.getMessage() for record in self.heard)

    async def hear(self, words: str, times: int = 1) -> None:
        async with asyncio.timeout(PATIENCE):
            while self.count(words) < times:
                self._something.clear()
                await self._something.wait()


class Hearing:
    """Tells the clock whether updates arrive."""

    def __init__(self) -> None:
        self.lag = 0.0
        self.wanted_in: float | None = None
        self._silence = 0.0
        self._looked = asyncio.Event()

    @property
    def silence(self) -> float:
        self._looked.set()
        return self._silence

    @silence.setter
    def silence(self, seconds: float) -> None:
        self._silence = seconds

    def want(self, seconds: float) -> None:
        self.wanted_in = seconds

    async def looked_at(self, tables: Tables) -> None:
        """Have the clock look, twice: what it does after the first time is done then."""
        for _ in range(2):
            self._looked.clear()
            wake(tables)
            await asyncio.wait_for(self._looked.wait(), PATIENCE)


@asynccontextmanager
async def ticking(
    storage: Storage, tables: Tables, time: Time, liveness: Hearing | None = None
) -> AsyncIterator[Ear]:
    """A clock that runs; in the end it still does."""
    ear = Ear()
    logger = logging.getLogger("bot.clock")
    logger.addHandler(ear)
    logger.setLevel(logging.DEBUG)
    clock = DeadlineClock(storage, tables, time, retry=0.01, liveness=liveness)
    await clock.make_up_for_downtime()
    keeping = asyncio.create_task(clock.run())
    try:
        yield ear
        assert not keeping.done()
    finally:
        logger.removeHandler(ear)
        logger.setLevel(logging.NOTSET)
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)


async def set_pragma(database: Database, pragma: str) -> None:
    """Set a pragma directly on the writer's connection."""
    await database._writer._connection.execute(f"PRAGMA {pragma}")


async def test_a_table_that_cannot_be_read_is_put_off_and_the_others_go_on(database: Database) -> None:
    storage, time = Storage(database), Time(LATE)
    tables = Tables(storage, TableQueries(storage, time), PACE)
    broken = replace(dump_table(lobby(), NOW), id="broken", document="{}")
    sound = replace(dump_table(lobby(), NOW), id="sound", chat_id=-200)
    await storage.tables.create(broken)
    await storage.tables.create(sound)
    has_changed = asyncio.Event()
    tables.on_change(lambda _table_id: has_changed.set())
    async with ticking(storage, tables, time), asyncio.timeout(PATIENCE):
        await has_changed.wait()
        assert (await tables.queries.load("sound")).host_silent
    assert await storage.tables.due(LATE) == ()


async def test_on_a_full_disk_the_clock_says_so_once_a_minute_and_goes_on_when_there_is_room(
    database: Database,
) -> None:
    """Forty tables whose time is up, and not a page more for their moves."""
    storage, time = Storage(database), Time(NOW + TURN + HEARTBEAT_SECONDS)
    tables = Tables(storage, TableQueries(storage, time), PACE)
    for number in range(40):
        row = dump_table(dealt(BORIS, VERA), NOW)
        row = replace(row, id=f"t{number}", chat_id=-number - 1)
        await storage.tables.create(row, [MoveToLog(NOW, 1, "x" * 50)] * 20)
    await database._writer._connection.execute("VACUUM")
    await set_pragma(database, "max_page_count = 1")
    async with ticking(storage, tables, time) as ear:
        await ear.hear("no room left")
        for minute in (1, 2):
            time.now += COMPLAINT_SECONDS / 2
            await ear.hear("still no writing", ear.count("still no writing") + 3)
            assert len(ear.criticals()) == minute
            time.now += COMPLAINT_SECONDS / 2
            await ear.hear("takes no writes", minute + 1)
        assert all("takes no writes" in words for words in ear.criticals())
        await set_pragma(database, "max_page_count = 1000000")
        await ear.hear("takes writes again")
        has_changed = asyncio.Event()
        tables.on_change(lambda _table_id: has_changed.set())
        await let_pass(TURN, storage, tables, time)
        async with asyncio.timeout(PATIENCE):
            while await storage.tables.due(time.now):
                await has_changed.wait()
                has_changed.clear()
        logs = [await storage.tables.move_log(f"t{number}") for number in range(40)]
        assert all(len(log) > 20 for log in logs), "each table has moved on"


async def test_nobodys_time_runs_while_nothing_can_be_written(database: Database) -> None:
    storage, time = Storage(database), Time()
    tables = Tables(storage, TableQueries(storage, time), PACE)
    table = dealt(BORIS, VERA)
    assert table.deadline is not None
    await storage.tables.create(dump_table(table, NOW))
    async with ticking(storage, tables, time) as ear:
        await set_pragma(database, "query_only = ON")
        time.now += TURN - 1.0
        wake(tables)
        await ear.hear("takes no writes")
        time.now += 300.0
        await set_pragma(database, "query_only = OFF")
        await ear.hear("takes writes again")
        after = await tables.queries.load(table.id)
        assert after.deadline is not None
        assert after.deadline.at == table.deadline.at + TURN - 1.0 + 300.0
        assert after.match == table.match
        assert await storage.tables.move_log(table.id) == ()


async def test_nobodys_time_runs_while_no_updates_arrive(database: Database) -> None:
    """Neither of who waits since before, nor of whose turn began meanwhile; nor if the process ends then."""
    storage, time = Storage(database), Time()
    tables = Tables(storage, TableQueries(storage, time), PACE)
    hearing = Hearing()

    async def pass_time(seconds: int) -> None:
        for _ in range(seconds // 4):
            time.now += 4.0
            hearing.silence = time.now - since
            await hearing.looked_at(tables)

    waiting = dealt(BORIS, VERA)
    assert waiting.deadline is not None
    deadline = replace(waiting.deadline, at=NOW + 120.0 + TURN)
    begun = replace(waiting, id="t2", chat_id=-200, deadline=deadline)
    await storage.tables.create(dump_table(waiting, NOW))
    async with ticking(storage, tables, time, hearing) as ear:
        since = time.now
        await pass_time(120)
        await storage.tables.create(dump_table(begun, time.now))
        await pass_time(80)
        last_beat = await storage.heartbeat.last()
        assert last_beat is not None
        assert last_beat <= NOW + HEARTBEAT_SECONDS
        hearing.silence = 0.0
        wake(tables)
        await ear.hear("people are heard again")
        await let_pass(HEARTBEAT_SECONDS, storage, tables, time)
        after = [(await tables.queries.load(table.id)).deadline for table in (waiting, begun)]
        logs = [await storage.tables.move_log(table.id) for table in (waiting, begun)]
    assert [it.at for it in after if it is not None] == [waiting.deadline.at + 200.0, deadline.at + 80.0]
    assert logs == [(), ()]


async def test_nobodys_time_is_up_before_all_that_was_pressed_until_then_has_arrived(
    database: Database,
) -> None:
    """The last update came three seconds before the deadline: that is not silence yet."""
    storage, time, hearing = Storage(database), Time(), Hearing()
    tables = Tables(storage, TableQueries(storage, time), PACE)
    table = dealt(BORIS, VERA)
    assert table.deadline is not None
    await storage.tables.create(dump_table(table, NOW))
    has_changed = asyncio.Event()
    tables.on_change(lambda _table_id: has_changed.set())
    async with ticking(storage, tables, time, hearing):
        await let_pass(TURN - HEARTBEAT_SECONDS, storage, tables, time)
        assert hearing.wanted_in == HEARTBEAT_SECONDS
        time.now, hearing.lag = table.deadline.at + 4.0, 7.0
        await hearing.looked_at(tables)
        assert await storage.tables.move_log(table.id) == ()
        has_changed.clear()
        hearing.lag = 4.0
        await asyncio.wait_for(has_changed.wait(), PATIENCE)
        assert await storage.tables.move_log(table.id)


@pytest.mark.parametrize("leap", [3600.0, -3600.0])
async def test_nobodys_time_runs_while_the_machine_sleeps_or_its_clock_is_set(
    database: Database, leap: float
) -> None:
    """One table waits as before; at the other somebody moves after the leap, before the clock sees it."""
    storage, time = Storage(database), Time()
    tables = Tables(storage, TableQueries(storage, time), PACE)
    waiting = dealt(BORIS, VERA)
    going_on = replace(waiting, id="t2", chat_id=-200)
    assert waiting.deadline is not None
    for table in (waiting, going_on):
        await storage.tables.create(dump_table(table, NOW))
    async with ticking(storage, tables, time) as ear:
        await let_pass(2 * HEARTBEAT_SECONDS, storage, tables, time)
        before = time.now
        time.now += leap
        # as good as a move: it waits for a moment of the new time
        await tables.change("t2", transitions.postpone, leap)
        await ear.hear("clock was set")
        await let_pass(HEARTBEAT_SECONDS, storage, tables, time)
        after = [(await tables.queries.load(table.id)).deadline for table in (waiting, going_on)]
        assert after[0] is not None
        left_before, left_after = waiting.deadline.at - before, after[0].at - time.now
        assert 0 <= left_after - (left_before - HEARTBEAT_SECONDS) <= HEARTBEAT_SECONDS
        assert after[1] is not None
        assert after[1].at == waiting.deadline.at + leap
        assert await storage.tables.move_log(waiting.id) == ()
        assert await storage.heartbeat.last() == time.now


async def test_a_clock_that_was_set_back_while_the_bot_was_down_takes_the_deadlines_along(
    database: Database,
) -> None:
    storage, time = Storage(database), Time()
    tables = Tables(storage, TableQueries(storage, time), PACE)
    table = dealt(BORIS, VERA)
    assert table.deadline is not None
    await storage.tables.create(dump_table(table, NOW))
    await storage.heartbeat.beat(NOW)
    time.now -= 3600.0
    async with ticking(storage, tables, time):
        after = (await tables.queries.load(table.id)).deadline
    assert after is not None
    assert after.at == table.deadline.at - 3600.0


def test_steady_time_goes_by_and_does_not_leap() -> None:
    wall, passed = Time(), Time(5.0)
    now = steady(wall, passed)
    wall.now -= 3600.0
    passed.now += 2.0
    assert now() == NOW + 2.0


async def test_what_no_waiting_mends_ends_the_clock(database: Database) -> None:
    storage = Storage(database)
    clock = DeadlineClock(storage, Tables(storage, TableQueries(storage), PACE))
    await database.close()
    with pytest.raises(DatabaseClosed):
        await clock.run()


async def let_pass(seconds: float, storage: Storage, tables: Tables, time: Time) -> None:
    """Let time go by as it does: at each heartbeat the clock looks."""
    async with asyncio.timeout(PATIENCE):
        for _ in range(round(seconds / HEARTBEAT_SECONDS)):
            time.now += HEARTBEAT_SECONDS
            wake(tables)
            while True:
                if await storage.heartbeat.last() == time.now:
                    break
                await asyncio.sleep(0.01)


def wake(tables: Tables) -> None:
    """Have the clock look again at once, as after any change of a table."""
    for listener in tables._listeners:
        listener("t1")
