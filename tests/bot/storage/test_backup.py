"""Backups: whole, of one moment, taken while the bot writes, and good to start from."""

import asyncio
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import aiosqlite
import pytest

from bot.storage import Storage
from bot.storage.backup import back_up
from bot.storage.database import Database
from bot.storage.errors import BackupRefused, CannotOpenDatabase, CorruptDatabase
from tests.bot.storage.rows import move, table


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "backups" / "copy.db"


@pytest.fixture(autouse=True)
def folder(target: Path) -> None:
    target.parent.mkdir()


async def test_a_backup_is_restored_by_being_put_in_the_place(
    path: Path, target: Path, database: Database, storage: Storage
) -> None:
    row = table(revision=1, deadline_at=9.0)
    await storage.tables.create(table())
    await storage.tables.commit(row, 0, [move("a")])
    await database.backup(target)
    await storage.tables.commit(table(revision=2), 1, [move("b")])
    await database.close()

    for side_file in ("bot.db-wal", "bot.db-shm"):
        path.with_name(side_file).unlink(missing_ok=True)
    target.replace(path)
    restored = await Database.open(path)
    assert await Storage(restored).tables.load("t1") == row
    assert [logged.move for logged in await Storage(restored).tables.move_log("t1")] == ["a"]
    await Storage(restored).tables.commit(table(revision=2), 1, [move("c")])
    await restored.close()


async def test_writing_goes_on_during_a_backup_which_is_of_one_moment(
    path: Path, target: Path, database: Database
) -> None:
    """Every transaction writes one number to both tables; the copy has the same in both."""
    await database.execute("CREATE TABLE one (number INTEGER NOT NULL, filler BLOB)")
    await database.execute("CREATE TABLE two (number INTEGER NOT NULL, filler BLOB)")

    async def write_both(number: int, size: int) -> None:
        async def work(connection: aiosqlite.Connection) -> None:
            await connection.execute("INSERT INTO one VALUES (?, zeroblob(?))", (number, size))
            await connection.execute("INSERT INTO two VALUES (?, zeroblob(?))", (number, size))

        await database.write(work)

    for number in range(20):
        await write_both(number, 500_000)
    # By the path alone, as the command does while the bot holds the lock.
    copying = asyncio.create_task(back_up(path, target))
    number = 20
    while not copying.done():
        await write_both(number, 10)
        number += 1
    await copying

    assert number > 21
    with closing(sqlite3.connect(target)) as copy:
        ones = copy.execute("SELECT number FROM one ORDER BY number").fetchall()
        twos = copy.execute("SELECT number FROM two ORDER BY number").fetchall()
    assert ones == twos == [(n,) for n in range(len(ones))]
    assert 20 <= len(ones) <= number


async def test_a_backup_is_one_file_that_only_its_owner_can_read(target: Path, database: Database) -> None:
    await database.backup(target)
    assert [file.name for file in target.parent.iterdir()] == ["copy.db"]
    assert stat.S_IMODE(target.stat().st_mode) & 0o077 == 0
    with closing(sqlite3.connect(target)) as copy:
        assert copy.execute("PRAGMA journal_mode").fetchall() == [("delete",)]


async def test_a_backup_needs_no_running_bot(path: Path, target: Path, database: Database) -> None:
    await Storage(database).heartbeat.beat(7.0)
    await database.close()
    await back_up(path, target)
    copy = await Database.open(target)
    assert await Storage(copy).heartbeat.last() == 7.0
    await copy.close()


async def test_a_backup_takes_paths_as_people_type_them(
    path: Path, target: Path, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    await Storage(database).heartbeat.beat(7.0)
    monkeypatch.chdir(path.parent)
    await back_up(Path("bot.db"), Path("backups/copy.db"))
    with closing(sqlite3.connect(target)) as copy:
        assert copy.execute("SELECT at FROM heartbeat").fetchall() == [(7.0,)]


async def test_a_backup_overwrites_nothing(path: Path, target: Path, database: Database) -> None:
    target.write_bytes(b"last week's")
    with pytest.raises(BackupRefused, match="already"):
        await database.backup(target)
    with pytest.raises(BackupRefused, match="already"):
        await database.backup(path)
    assert target.read_bytes() == b"last week's"


async def test_a_database_that_is_not_there_is_not_backed_up(tmp_path: Path, target: Path) -> None:
    with pytest.raises(CannotOpenDatabase):
        await back_up(tmp_path / "nowhere.db", target)
    assert list(target.parent.iterdir()) == []
    assert not (tmp_path / "nowhere.db").exists()


async def test_a_backup_to_a_folder_that_is_not_there_is_refused(tmp_path: Path, database: Database) -> None:
    with pytest.raises(CannotOpenDatabase, match="No such file"):
        await database.backup(tmp_path / "nowhere" / "copy.db")
    with pytest.raises(CannotOpenDatabase, match="name too long"):
        await database.backup(tmp_path / ("x" * 300))


async def test_a_damaged_database_gives_no_backup(path: Path, target: Path, database: Database) -> None:
    for number in range(50):
        await Storage(database).tables.create(table(id=f"t{number}", chat_id=number, document="x" * 4000))
    await database.close()
    content = bytearray(path.read_bytes())
    middle = len(content) // 2 // 4096 * 4096
    content[middle : middle + 4096] = b"\xa5" * 4096
    path.write_bytes(content)
    with pytest.raises(CorruptDatabase, match="damaged"):
        await back_up(path, target)
    assert list(target.parent.iterdir()) == []
