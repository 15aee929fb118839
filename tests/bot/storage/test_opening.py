"""Opening a database: what is refused, with which message, and that refused files stay unchanged."""

import asyncio
import os
import shutil
import sqlite3
import stat
import sys
import tempfile
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path

import pytest

from bot.storage import Storage
from bot.storage.connection import connect
from bot.storage.database import Database
from bot.storage.errors import (
    CannotOpenDatabase,
    CorruptDatabase,
    DatabaseLocked,
    ForeignDatabase,
    MigrationFailed,
    NewerSchema,
    ReadOnlyDatabase,
    StorageError,
)
from bot.storage.migrations import MIGRATIONS, Migration, migrate
from tests.bot.storage.rows import table
from tests.patience import PATIENCE
from tests.processes import started

ROOT = Path(__file__).parents[3]


async def fill(path: Path) -> None:
    """A database with a hundred tables in it, closed."""
    database = await Database.open(path)
    for number in range(100):
        row = table(id=f"t{number}", chat_id=-number, document="x" * 4000)
        await Storage(database).tables.create(row)
    await database.close()


async def refuse(path: Path, kind: type[StorageError], words: str) -> None:
    """Opening is refused in these words, which name the file, and the file is as it was."""
    before = path.read_bytes()
    with pytest.raises(kind, match=words) as refusal:
        await (await Database.open(path, lock_wait=0.0, busy_wait=0.05)).close()
    assert str(path) in str(refusal.value)
    assert path.read_bytes() == before


# ------------------------------------------------------------------------------------------------- a new file


async def test_a_new_database_is_made_with_its_folder(tmp_path: Path) -> None:
    path = tmp_path / "data" / "of the bot" / "100% new?#.db"
    database = await Database.open(path)
    assert await Storage(database).heartbeat.last() is None
    await database.close()
    assert path.exists()


async def test_only_its_owner_can_read_the_cards(path: Path, database: Database) -> None:
    await database.execute("INSERT INTO heartbeat (id, at) VALUES (1, 1.0)")
    files = [file for file in path.parent.iterdir() if file.name.startswith(path.name)]
    assert {file.name for file in files} >= {"bot.db", "bot.db-wal", "bot.db-shm", "bot.db.lock"}
    for file in files:
        assert stat.S_IMODE(file.stat().st_mode) & 0o077 == 0, file


@pytest.mark.parametrize("opening", ["first", "second"])
async def test_a_commit_waits_for_the_disk(path: Path, opening: str) -> None:
    if opening == "second":
        await fill(path)
    database = await Database.open(path)

    async def pragma(name: str) -> object:
        ((value,),) = await database.write(lambda c: c.execute_fetchall(f"PRAGMA {name}"))
        return value

    assert await pragma("journal_mode") == "wal"
    assert await pragma("synchronous") == 2
    assert await pragma("foreign_keys") == 1
    await database.close()


# ------------------------------------------------------------------------------------------- a second process


@asynccontextmanager
async def holder(path: Path) -> AsyncIterator[Process]:
    async with started(
        *(sys.executable, "-m", "tests.bot.storage.holder", str(path)), cwd=ROOT, stdin=PIPE, stdout=PIPE
    ) as process:
        assert process.stdout is not None
        assert await process.stdout.readline() == b"open\n"
        yield process


def ask_to_stop(process: Process) -> None:
    assert process.stdin is not None
    process.stdin.close()


async def test_a_second_process_waits_and_is_then_refused_with_words(path: Path) -> None:
    async with holder(path) as process:
        with pytest.raises(DatabaseLocked, match=f"another bot .*process {process.pid}"):
            await (await Database.open(path, lock_wait=0.0)).close()


async def test_a_second_process_is_let_in_when_the_first_stops(path: Path) -> None:
    async with holder(path) as process:
        opening = asyncio.create_task(Database.open(path, lock_wait=PATIENCE))
        ask_to_stop(process)
        database = await opening
        assert await Storage(database).heartbeat.last() == 5.0
        await database.close()


async def test_a_killed_process_holds_nothing_back(path: Path) -> None:
    async with holder(path) as process:
        process.kill()
        await process.wait()
        database = await Database.open(path, lock_wait=0.0)
        assert await Storage(database).heartbeat.last() == 5.0
        await database.close()


async def test_waiting_for_the_lock_can_be_cancelled(path: Path, database: Database) -> None:
    opening = asyncio.create_task(Database.open(path, lock_wait=PATIENCE))
    await database.fetch_all("SELECT 1")
    opening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await opening


@pytest.mark.usefixtures("database")
async def test_a_link_to_a_database_is_that_database(path: Path) -> None:
    link = path.with_name("link.db")
    link.symlink_to(path)
    with pytest.raises(DatabaseLocked):
        await (await Database.open(link, lock_wait=0.0)).close()


async def test_a_refused_opening_lets_go_of_the_lock(path: Path) -> None:
    path.write_bytes(b"no database")
    await refuse(path, CorruptDatabase, "not a database")
    path.write_bytes(b"")
    database = await Database.open(path, lock_wait=0.0)
    await database.close()


# --------------------------------------------------------------------------------------------- a strange file


@pytest.mark.parametrize(
    "content", [b"hello", b"SQLite format 3\0" + b"\xff" * 5000], ids=["text", "only a header"]
)
async def test_what_is_no_database_is_refused(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    await refuse(path, CorruptDatabase, "not a database")


async def test_a_truncated_file_is_refused(path: Path) -> None:
    await fill(path)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    await refuse(path, CorruptDatabase, "damaged")


@pytest.mark.parametrize("at", [0.2, 0.5, 0.9])
async def test_a_file_damaged_in_the_middle_is_refused(path: Path, at: float) -> None:
    await fill(path)
    content = bytearray(path.read_bytes())
    start = int(len(content) * at) // 4096 * 4096
    content[start : start + 4096] = b"\xa5" * 4096
    path.write_bytes(content)
    await refuse(path, CorruptDatabase, "damaged")


async def test_another_programs_database_is_refused(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE accounts (name TEXT)")
    await refuse(path, ForeignDatabase, "another program's")


async def test_a_newer_schema_is_refused(path: Path) -> None:
    await fill(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 999")
    await refuse(path, NewerSchema, "schema 999.* newer version")


async def test_a_folder_is_refused(path: Path) -> None:
    path.mkdir()
    with pytest.raises(CannotOpenDatabase):
        await Database.open(path)


async def test_what_leads_to_no_file_is_refused(path: Path) -> None:
    path.symlink_to(path)
    device, long_name = Path(os.devnull), path.with_name("x" * 300)
    for wrong in (path, device, long_name):
        with pytest.raises(CannotOpenDatabase, match="no file"):
            await Database.open(wrong)


async def test_a_database_that_another_program_is_writing_to_is_refused(path: Path) -> None:
    await fill(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        await refuse(path, DatabaseLocked, "another program is writing")
        other.execute("ROLLBACK")


# --------------------------------------------------------------------------------------------- without rights


@contextmanager
def without_privileges() -> Iterator[None]:
    """Run as an ordinary user; root may do everything."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder in which everybody may make files."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o777)
    yield folder.resolve()
    folder.chmod(0o700)
    shutil.rmtree(folder)


async def test_a_read_only_file_is_refused(open_folder: Path) -> None:
    path = open_folder / "bot.db"
    await fill(path)
    path.chmod(0o444)
    path.with_name("bot.db.lock").unlink()
    with without_privileges():
        await refuse(path, ReadOnlyDatabase, "may not be written")


async def test_a_folder_in_which_nothing_may_be_made_is_refused(open_folder: Path) -> None:
    open_folder.chmod(0o555)
    with without_privileges(), pytest.raises(CannotOpenDatabase, match="Permission denied"):
        await Database.open(open_folder / "bot.db")


# ------------------------------------------------------------------------------------------------- migrations


def test_migrations_are_numbered_from_one_on() -> None:
    assert [migration.version for migration in MIGRATIONS] == list(range(1, len(MIGRATIONS) + 1))


def following(*statements: str) -> tuple[Migration, ...]:
    """The migrations there are and one more."""
    return (*MIGRATIONS, Migration(len(MIGRATIONS) + 1, statements))


async def test_a_migration_runs_once_and_keeps_what_is_stored(path: Path) -> None:
    await fill(path)
    migrations = following(
        "ALTER TABLE tables ADD COLUMN colour TEXT NOT NULL DEFAULT 'green'",
        "UPDATE tables SET colour = 'red' WHERE id = 't7'",
    )
    for _ in range(2):
        database = await Database.open(path, migrations=migrations)
        assert await database.fetch_one("SELECT count(*) FROM tables WHERE colour = 'green'") == (99,)
        assert await database.fetch_one("PRAGMA user_version") == (len(migrations),)
        await database.close()


async def test_a_migration_may_rebuild_a_table_that_others_refer_to(path: Path) -> None:
    await fill(path)
    migrations = following(
        "CREATE TABLE new_tables AS SELECT * FROM tables",
        "DROP TABLE tables",
        "ALTER TABLE new_tables RENAME TO tables",
        "CREATE UNIQUE INDEX tables_id ON tables (id)",
    )
    database = await Database.open(path, migrations=migrations)
    assert await database.fetch_one("SELECT count(*) FROM table_people") == (200,)
    await database.close()


@pytest.mark.parametrize(
    "statements",
    [
        ("DROP TABLE table_people", "INSERT INTO nowhere VALUES (1)"),
        ("DELETE FROM tables WHERE id = 't7'",),
    ],
    ids=["fails half-way", "leaves references to nothing"],
)
async def test_a_failing_migration_leaves_the_old_version_intact(
    path: Path, statements: tuple[str, ...]
) -> None:
    await fill(path)
    with pytest.raises(MigrationFailed, match=f"migration {len(MIGRATIONS) + 1} "):
        await (await Database.open(path, migrations=following(*statements))).close()

    database = await Database.open(path, lock_wait=0.0)
    assert await database.fetch_one("PRAGMA user_version") == (len(MIGRATIONS),)
    assert await database.fetch_one("SELECT count(*) FROM table_people") == (200,)
    assert len(await Storage(database).tables.ids_to_reconcile()) == 100
    await database.close()


async def test_a_failing_migration_leaves_no_transaction_open(path: Path) -> None:
    await fill(path)
    connection = await connect(path, busy_wait=0.05)
    with pytest.raises(MigrationFailed):
        await migrate(connection, path, following("INSERT INTO nowhere VALUES (1)"))
    assert not connection.in_transaction
    await connection.close()
