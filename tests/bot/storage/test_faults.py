"""A running bot whose disk is full, whose file is read-only, or whose database is locked.

Each time the failed write leaves nothing, says what was wrong, and writing goes on when the reason has gone.
"""

import resource
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from bot.storage import Storage
from bot.storage.database import Database
from bot.storage.errors import DatabaseFull, DatabaseLocked, DiskFailure, ReadOnlyDatabase, StorageError
from tests.bot.storage.rows import move, table

BEFORE = table(revision=3)
AFTER = table(revision=4, people=(5, 6, 7), deadline_at=5000.0, document="x" * 200_000)


async def refuse_the_next_commit(storage: Storage, kind: type[StorageError], words: str) -> None:
    with pytest.raises(kind, match=words):
        await storage.tables.commit(AFTER, 3, [move("a"), move("b")])
    assert await storage.tables.load("t1") == BEFORE
    assert [logged.move for logged in await storage.tables.move_log("t1")] == ["dealt"]
    assert await storage.tables.running_of(5) == ()
    assert await storage.tables.next_deadline() is None


async def accept_the_next_commit(storage: Storage) -> None:
    await storage.tables.commit(AFTER, 3, [move("a"), move("b")])
    assert await storage.tables.load("t1") == AFTER
    assert [logged.move for logged in await storage.tables.move_log("t1")] == ["dealt", "a", "b"]


async def set_pragma(database: Database, pragma: str) -> None:
    await database.write(lambda connection: connection.execute_fetchall(f"PRAGMA {pragma}"))


@pytest.fixture
async def playing(storage: Storage) -> Storage:
    await storage.tables.create(BEFORE, [move("dealt")])
    return storage


async def test_a_full_disk(database: Database, playing: Storage) -> None:
    await set_pragma(database, "max_page_count = 1")
    await refuse_the_next_commit(playing, DatabaseFull, "no room left")
    await refuse_the_next_commit(playing, DatabaseFull, "no room left")
    await set_pragma(database, "max_page_count = 1000000")
    await accept_the_next_commit(playing)


@contextmanager
def files_no_larger_than(size: int) -> Iterator[None]:
    """Let the kernel refuse to write files beyond this size, as a failing disk would."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


async def test_a_failing_disk(path: Path, playing: Storage) -> None:
    log_size = path.with_name("bot.db-wal").stat().st_size
    with files_no_larger_than(log_size + 50_000):
        await refuse_the_next_commit(playing, DiskFailure, "disk failed")
    await accept_the_next_commit(playing)


async def test_a_file_that_may_not_be_written(database: Database, playing: Storage) -> None:
    await set_pragma(database, "query_only = ON")
    await refuse_the_next_commit(playing, ReadOnlyDatabase, "may not be written")
    # No pragma can be set by a write now, so straight on the connection.
    await database._writer._connection.execute("PRAGMA query_only = OFF")
    await accept_the_next_commit(playing)


async def test_another_program_that_writes(path: Path, playing: Storage) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        await refuse_the_next_commit(playing, DatabaseLocked, "another program is writing")
        other.execute("ROLLBACK")
    await accept_the_next_commit(playing)


async def test_our_own_mistakes_stay_what_they_are(database: Database) -> None:
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        await database.execute("INSERT INTO nowhere VALUES (1)")
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        await database.fetch_all("SELECT * FROM nowhere")
    with pytest.raises(sqlite3.IntegrityError):
        await database.execute("INSERT INTO heartbeat (id, at) VALUES (2, 1.0)")
