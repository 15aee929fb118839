"""Transactions: atomic and serial, whatever happens to their callers."""

import asyncio
import logging
import random
from pathlib import Path

import aiosqlite
import pytest

from bot.storage.connection import Work
from bot.storage.database import Database
from bot.storage.errors import DatabaseClosed


@pytest.fixture
async def notes(database: Database) -> Database:
    """A database with a table to write to."""
    await database.execute("CREATE TABLE notes (text TEXT NOT NULL)")
    return database


async def texts(database: Database) -> list[str]:
    return [text for (text,) in await database.fetch_all("SELECT text FROM notes ORDER BY rowid")]


async def note(connection: aiosqlite.Connection, text: str) -> None:
    await connection.execute("INSERT INTO notes (text) VALUES (?)", (text,))


def noting(text: str) -> Work[None]:
    """A transaction of one statement."""

    async def work(connection: aiosqlite.Connection) -> None:
        await note(connection, text)

    return work


class Pausing:
    """A transaction of two statements that waits between them until it is told to go on."""

    def __init__(self, *, fails: bool = False) -> None:
        self.is_inside = asyncio.Event()
        self.may_go_on = asyncio.Event()
        self._fails = fails

    async def __call__(self, connection: aiosqlite.Connection) -> None:
        await note(connection, "first half")
        self.is_inside.set()
        await self.may_go_on.wait()
        if self._fails:
            raise LookupError("second half")
        await note(connection, "second half")


async def test_what_is_written_is_read_at_once(notes: Database) -> None:
    for number in range(20):
        await notes.write(noting(str(number)))
        assert (await texts(notes))[-1] == str(number)


async def test_a_write_returns_what_its_work_returns(notes: Database) -> None:
    async def work(connection: aiosqlite.Connection) -> str:
        await note(connection, "a")
        return "done"

    assert await notes.write(work) == "done"


async def test_a_write_that_raises_leaves_nothing_and_the_next_one_works(notes: Database) -> None:
    async def failing(connection: aiosqlite.Connection) -> None:
        await note(connection, "a")
        raise LookupError

    with pytest.raises(LookupError):
        await notes.write(failing)
    await notes.write(noting("b"))
    assert await texts(notes) == ["b"]


async def test_nobody_sees_half_a_write(notes: Database) -> None:
    pausing = Pausing()
    writing = asyncio.create_task(notes.write(pausing))
    await pausing.is_inside.wait()
    assert await texts(notes) == []
    pausing.may_go_on.set()
    await writing
    assert await texts(notes) == ["first half", "second half"]


async def test_a_cancelled_callers_transaction_is_carried_through_alone(notes: Database) -> None:
    pausing = Pausing()
    caller = asyncio.create_task(notes.write(pausing))
    await pausing.is_inside.wait()
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller

    has_begun = asyncio.Event()

    async def other(connection: aiosqlite.Connection) -> None:
        has_begun.set()
        await note(connection, "other")

    writing = asyncio.create_task(notes.write(other))
    for _ in range(20):
        assert await texts(notes) == []
    assert not has_begun.is_set()
    pausing.may_go_on.set()
    await writing
    assert await texts(notes) == ["first half", "second half", "other"]


async def test_a_caller_cancelled_while_he_waits_is_served_all_the_same(notes: Database) -> None:
    pausing = Pausing()
    writing = asyncio.create_task(notes.write(pausing))
    await pausing.is_inside.wait()
    caller = asyncio.create_task(notes.write(noting("waited")))
    await notes.fetch_all("SELECT 1")
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    pausing.may_go_on.set()
    await writing
    await notes.write(noting("last"))
    assert await texts(notes) == ["first half", "second half", "waited", "last"]


async def test_a_failure_that_no_caller_is_left_to_hear_of_is_logged(
    notes: Database, caplog: pytest.LogCaptureFixture
) -> None:
    pausing = Pausing(fails=True)
    caller = asyncio.create_task(notes.write(pausing))
    await pausing.is_inside.wait()
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    pausing.may_go_on.set()
    await notes.write(noting("next"))
    (record,) = [record for record in caplog.records if record.name == "bot.storage.connection"]
    assert record.levelno == logging.ERROR
    assert record.exc_info is not None
    assert record.exc_info[0] is LookupError
    assert await texts(notes) == ["next"]


async def test_a_transaction_that_is_cancelled_itself_is_undone(notes: Database) -> None:
    """As at the end of a program, when the loop cancels every task there is."""
    pausing = Pausing()
    caller = asyncio.create_task(notes.write(pausing))
    await pausing.is_inside.wait()
    for task in asyncio.all_tasks() - {asyncio.current_task()}:
        task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    await notes.write(noting("next"))
    assert await texts(notes) == ["next"]


async def test_interleaved_writers_each_have_the_database_alone(notes: Database) -> None:
    """Each adds one to what it has read, with pauses between; some fail, some callers are cancelled."""
    await notes.execute("CREATE TABLE counter (value INTEGER NOT NULL)")
    await notes.execute("INSERT INTO counter (value) VALUES (0)")
    chance = random.Random(101)

    async def add_one(connection: aiosqlite.Connection, fails: bool) -> None:
        ((value,),) = await connection.execute_fetchall("SELECT value FROM counter")
        for _ in range(chance.randrange(4)):
            await asyncio.sleep(0)
        await connection.execute("UPDATE counter SET value = ?", (value + 1,))
        if fails:
            raise LookupError

    async def caller(fails: bool) -> None:
        await notes.write(lambda connection: add_one(connection, fails))

    failing = [chance.random() < 0.3 for _ in range(200)]
    tasks = [asyncio.create_task(caller(fails)) for fails in failing]
    for task, fails in zip(tasks, failing, strict=True):
        if not fails and chance.random() < 0.3:
            await notes.fetch_all("SELECT 1")
            task.cancel()
    outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    assert sum(isinstance(outcome, LookupError) for outcome in outcomes) == sum(failing)
    await notes.write(noting("after all of them"))
    assert await notes.fetch_one("SELECT value FROM counter") == (failing.count(False),)


async def test_a_read_of_several_queries_sees_one_state(notes: Database) -> None:
    has_read = asyncio.Event()
    may_go_on = asyncio.Event()

    async def twice(connection: aiosqlite.Connection) -> list[object]:
        before = list(await connection.execute_fetchall("SELECT count(*) FROM notes"))
        has_read.set()
        await may_go_on.wait()
        return [before, list(await connection.execute_fetchall("SELECT count(*) FROM notes"))]

    reading = asyncio.create_task(notes.read(twice))
    await has_read.wait()
    await notes.write(noting("meanwhile"))
    may_go_on.set()
    before, after = await reading
    assert before == after == [(0,)]
    assert await texts(notes) == ["meanwhile"]


async def test_a_read_cannot_write(notes: Database) -> None:
    with pytest.raises(Exception, match="readonly"):
        await notes.read(noting("a"))
    assert await texts(notes) == []


async def test_a_write_within_a_write_is_refused_rather_than_waited_for(notes: Database) -> None:
    async def outer(_connection: aiosqlite.Connection) -> None:
        await notes.write(noting("never"))

    with pytest.raises(RuntimeError, match="within a transaction"):
        await notes.write(outer)
    assert await texts(notes) == []


async def test_a_read_within_a_write_sees_what_was_committed(notes: Database) -> None:
    async def outer(connection: aiosqlite.Connection) -> list[str]:
        await note(connection, "not yet")
        return await texts(notes)

    assert await notes.write(outer) == []


async def test_work_that_ends_its_own_transaction_does_not_pass_for_committed(notes: Database) -> None:
    async def impatient(connection: aiosqlite.Connection) -> None:
        await note(connection, "a")
        await connection.execute("ROLLBACK")
        await note(connection, "b")

    with pytest.raises(Exception, match="no transaction is active"):
        await notes.write(impatient)


async def test_closing_finishes_what_was_asked_for_and_refuses_the_rest(path: Path) -> None:
    database = await Database.open(path)
    await database.execute("CREATE TABLE notes (text TEXT NOT NULL)")
    writing = [asyncio.create_task(database.write(noting(str(n)))) for n in range(5)]
    reading = asyncio.create_task(database.read(lambda c: c.execute_fetchall("SELECT 101")))
    await asyncio.sleep(0)
    await database.close()
    await asyncio.gather(*writing)
    assert [tuple(row) for row in await reading] == [(101,)]
    with pytest.raises(DatabaseClosed):
        await database.write(noting("late"))
    with pytest.raises(DatabaseClosed):
        await database.fetch_all("SELECT 1")
    await database.close()

    reopened = await Database.open(path)
    assert await texts(reopened) == ["0", "1", "2", "3", "4"]
    await reopened.close()


async def test_what_is_stored_is_in_no_log_at_any_level(
    notes: Database, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    await notes.execute("INSERT INTO notes (text) VALUES (?)", ("queen of spades",))
    await texts(notes)
    assert "queen of spades" not in caplog.text
    assert not [record for record in caplog.records if record.name.startswith("aiosqlite")]
