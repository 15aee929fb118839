"""The database's file is removed or replaced under a running bot: no committed write is lost."""

from __future__ import annotations

import logging
import shutil
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from pathlib import Path

import pytest

from bot.storage.database import Database
from bot.storage.errors import PASSING, DatabaseLocked, DatabaseReplaced, DiskFailure
from bot.storage.process_lock import ProcessLock


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "bot.db"


@pytest.fixture
async def notes(path: Path) -> AsyncIterator[Database]:
    """A database with one note in its file, and one in its write-ahead log."""
    database = await Database.open(path, lock_wait=0.0, busy_wait=0.05)
    await database.execute("CREATE TABLE notes (text TEXT NOT NULL)")
    await note(database, "checkpointed")
    await database.fetch_all("PRAGMA wal_checkpoint")
    await note(database, "before")
    yield database
    await database.close()


async def note(database: Database, text: str) -> None:
    await database.execute("INSERT INTO notes (text) VALUES (?)", (text,))


BEFORE = ["checkpointed", "before"]


def texts(path: Path) -> list[str]:
    """Return what another process would find under this name."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return [text for (text,) in connection.execute("SELECT text FROM notes ORDER BY rowid")]


def after_a_power_failure(path: Path, folder: Path) -> list[str]:
    """Return what would be found if the bot ended now, from the existing files only."""
    folder.mkdir()
    for file in path.parent.glob("bot.db*"):
        shutil.copyfile(file, folder / file.name)
    return texts(folder / path.name)


def side_files(path: Path) -> list[Path]:
    return [path.with_name(path.name + ending) for ending in ("-wal", "-shm")]


def remove(path: Path) -> None:
    path.unlink()


def remove_all_three(path: Path) -> None:
    for file in (path, *side_files(path)):
        file.unlink()


def remove_the_folder(path: Path) -> None:
    shutil.rmtree(path.parent)


def move_away(path: Path) -> None:
    path.rename(path.with_name("moved"))


@pytest.mark.parametrize("lose", [remove, remove_all_three, remove_the_folder, move_away])
async def test_a_file_that_is_removed_is_written_anew_from_what_is_open(
    path: Path,
    tmp_path: Path,
    notes: Database,
    lose: Callable[[Path], None],
    caplog: pytest.LogCaptureFixture,
) -> None:
    lose(path)
    await note(notes, "unseen")
    assert texts(path) == [*BEFORE, "unseen"]
    assert path.stat().st_mode & 0o077 == 0
    (record,) = caplog.records
    assert record.levelno == logging.CRITICAL
    assert "removed while the bot ran" in record.getMessage()
    await note(notes, "after")
    assert await notes.fetch_all("SELECT count(*) FROM notes") == [(4,)]
    assert after_a_power_failure(path, tmp_path / "copy") == [*BEFORE, "unseen", "after"]
    lose(path)
    await note(notes, "twice")
    await notes.close()
    assert texts(path) == [*BEFORE, "unseen", "after", "twice"]
    with pytest.raises(DatabaseLocked):
        await second_after(await Database.open(path, lock_wait=0.0), path)


async def second_after(first: Database, path: Path) -> None:
    """Open it a second time."""
    try:
        await Database.open(path, lock_wait=0.0)
    finally:
        await first.close()


async def test_another_file_in_its_place_is_left_alone_and_nothing_that_was_open_is_lost(
    path: Path, tmp_path: Path, notes: Database, caplog: pytest.LogCaptureFixture
) -> None:
    await notes.backup(tmp_path / "backup")
    await note(notes, "after the backup")
    shutil.move(tmp_path / "backup", path)
    for _ in range(2):
        with pytest.raises(DatabaseReplaced):
            await note(notes, "refused")
    assert not issubclass(DatabaseReplaced, PASSING), (
        "the bot ends, rather than to wait for what does not pass"
    )
    (saved,) = path.parent.glob("bot.db.saved-*")
    assert texts(saved) == [*BEFORE, "after the backup"]
    assert [record.levelno for record in caplog.records] == [logging.CRITICAL]
    assert saved.name in caplog.text
    await notes.close()
    assert texts(path) == BEFORE, "a backup's own, without what stood in the other's log"


async def test_while_nothing_can_be_saved_nothing_is_written_and_what_is_open_is_kept(
    path: Path, notes: Database
) -> None:
    shutil.rmtree(path.parent)
    path.parent.touch()
    for _ in range(2):
        with pytest.raises(DiskFailure, match="cannot be saved"):
            await note(notes, "refused")
    assert issubclass(DiskFailure, PASSING), "it is tried again"
    path.parent.unlink()
    await note(notes, "after")
    assert texts(path) == [*BEFORE, "after"]


@pytest.mark.parametrize("failing", ["connect", "_use_write_ahead_log", "_connect_reader"])
async def test_a_file_written_anew_that_cannot_be_opened_at_once_is_opened_later(
    path: Path, notes: Database, failing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_args: object) -> None:
        error = sqlite3.OperationalError("unable to open database file")
        error.sqlite_errorcode = sqlite3.SQLITE_CANTOPEN
        raise error

    remove_all_three(path)
    with monkeypatch.context() as patched:
        patched.setattr(f"bot.storage.database.{failing}", fail)
        for _ in range(2):
            with pytest.raises(DiskFailure, match="cannot be saved"):
                await note(notes, "refused")
    assert texts(path) == BEFORE
    await note(notes, "after")
    assert await notes.fetch_all("SELECT count(*) FROM notes") == [(3,)]
    await notes.close()
    assert texts(path) == [*BEFORE, "after"]
    assert list(path.parent.glob("bot.db.saved-*")) == []


async def test_a_lock_that_is_removed_is_made_again(path: Path, notes: Database) -> None:
    lock = path.with_name("bot.db.lock")
    lock.unlink()
    await note(notes, "after")
    with pytest.raises(DatabaseLocked):
        await ProcessLock.acquire(path, 0.0)


async def test_where_another_bot_has_taken_the_lock_meanwhile_nothing_more_is_written(
    path: Path, notes: Database
) -> None:
    path.with_name("bot.db.lock").unlink()
    other = await ProcessLock.acquire(path, 0.0)
    try:
        with pytest.raises(DatabaseReplaced, match="another bot"):
            await note(notes, "refused")
        remove_all_three(path)
        with pytest.raises(DatabaseReplaced, match="another bot"):
            await note(notes, "refused")
        (saved,) = path.parent.glob("bot.db.saved-*")
        assert texts(saved) == BEFORE
    finally:
        other.release()
