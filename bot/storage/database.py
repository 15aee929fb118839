"""The database: opened by one process, written by one transaction at a time, read concurrently.

It knows files, connections and transactions; the repositories know what is stored.

Two connections. The writer's transactions follow one another, each `BEGIN IMMEDIATE … COMMIT`. The reader
cannot write, and with the write-ahead log reads the last committed state while a commit is waiting for the
disk. So a read never sees half a write, and a caller that has awaited `write` reads its own write: the commit
finished before the read began.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import aiosqlite

from bot.storage.backup import back_up, save
from bot.storage.connection import SerialConnection, T, Values, Work, connect, require_sound, resolved
from bot.storage.errors import (
    CannotOpenDatabase,
    DatabaseLocked,
    DatabaseReplaced,
    DiskFailure,
    ForeignDatabase,
    NewerSchema,
    StorageError,
    typed_errors,
)
from bot.storage.migrations import APPLICATION_ID, MIGRATIONS, Migration, migrate, schema_version
from bot.storage.process_lock import ProcessLock, file_id

log = logging.getLogger(__name__)


class Database:
    """An open database, made by `open`. It must be closed: an open connection keeps the process alive."""

    def __init__(
        self,
        path: Path,
        lock: ProcessLock,
        writer: SerialConnection,
        reader: SerialConnection,
        busy_wait: float = 5.0,
    ) -> None:
        self._path = path
        self._lock = lock
        self._writer = writer
        self._reader = reader
        self._busy_wait = busy_wait
        self._file, self._log = file_id(path), file_id(_beside(path, "-wal"))
        self._is_replaced = False
        self._unopened: tuple[int, int] | None = None
        """The file that was written anew, while it could not be opened."""
        writer.prepare = self._with_file_in_place

    @classmethod
    async def open(
        cls,
        path: Path | str,
        lock_wait: float = 30.0,
        *,
        busy_wait: float = 5.0,
        migrations: Sequence[Migration] = MIGRATIONS,
    ) -> Database:
        """Open the database at `path`, creating it and its folder if necessary, and migrate it.

        `lock_wait`: seconds to wait for another bot to let go of it. `busy_wait`: seconds to wait, here and
        in every later write, for a program that knows nothing of our lock (a shell, a replication).

        Raises DatabaseLocked, CorruptDatabase, ForeignDatabase, NewerSchema, MigrationFailed,
        ReadOnlyDatabase, DatabaseFull, DiskFailure or CannotOpenDatabase. The file is then unchanged, unless
        a migration failed.
        """
        path = resolved(Path(path))
        async with AsyncExitStack() as stack:
            lock = await ProcessLock.acquire(path, lock_wait)
            stack.callback(lock.release)
            with typed_errors(path):
                _make_private(path)
                writer = await connect(path, busy_wait)
                stack.push_async_callback(writer.close)
                await _refuse_unknown(writer, path, migrations)
                await require_sound(writer, path)
                await _require_writable(writer)
                await _use_write_ahead_log(writer, path)
                await migrate(writer, path, migrations)
                reader = await _connect_reader(path, busy_wait)
            stack.pop_all()
        return cls(
            path,
            lock,
            SerialConnection(writer, path, "BEGIN IMMEDIATE"),
            SerialConnection(reader, path, "BEGIN"),
            busy_wait,
        )

    async def close(self) -> None:
        """Finish pending transactions, close, and release the process lock."""
        async with AsyncExitStack() as stack:
            stack.callback(self._lock.release)
            stack.push_async_callback(self._writer.close)
            stack.push_async_callback(self._reader.close)

    async def write(self, work: Work[T]) -> T:
        """Run `work` in one transaction: all of it is on the disk when this returns, or none of it.

        A cancelled caller does not stop it. The connection passed to `work` must not be used after it, and
        `work` must not call `write`. Raises what `work` raises, and DatabaseFull, ReadOnlyDatabase,
        DatabaseLocked, CorruptDatabase, DiskFailure or DatabaseClosed; writing works again as soon as the
        cause is gone.
        """
        return await self._writer.run(work)

    async def execute(self, sql: str, values: Values = ()) -> int:
        """Run one statement in its own transaction; return the number of rows it changed."""

        async def statement(connection: aiosqlite.Connection) -> int:
            return (await connection.execute(sql, values)).rowcount

        return await self.write(statement)

    async def read(self, work: Work[T]) -> T:
        """Let `work` make several queries that all see the same committed state."""
        return await self._reader.run(work)

    async def fetch_all(self, sql: str, values: Values = ()) -> list[tuple[Any, ...]]:
        """Return all rows of one query."""
        return await self._reader.fetch_all(sql, values)

    async def fetch_one(self, sql: str, values: Values = ()) -> tuple[Any, ...] | None:
        """Return the first row of one query; None if there is none."""
        rows = await self._reader.fetch_all(sql, values)
        return rows[0] if rows else None

    async def _with_file_in_place(self, writer: aiosqlite.Connection) -> aiosqlite.Connection:
        """Return the connection to write with, to the file that has the database's name.

        SQLite silently goes on writing to a file that has been removed or replaced, so this is checked before
        each write (and so at each heartbeat). A file that was removed is written again from the open
        connection, which still has all of it. A file that was replaced is not overwritten: the open database
        is saved beside it, and nothing more is written.

        Raises DatabaseReplaced, and DiskFailure for as long as nothing can be saved.
        """
        now = file_id(self._path)
        if now == self._file and self._lock.is_in_place and not self._is_replaced:
            return writer
        try:
            if now in (None, self._unopened) and not self._is_replaced:
                return await self._write_anew(writer)
            if now == self._file and not self._is_replaced:
                await self._take_lock_again()
                return writer
            await self._save_beside(writer)
        except DatabaseReplaced:
            raise
        except (StorageError, OSError) as error:
            raise DiskFailure(f"{self._path}: the file is lost, and cannot be saved: {error}") from error
        raise DatabaseReplaced(f"{self._path}: the file was replaced while the bot ran")

    async def _take_lock_again(self) -> None:
        """Recreate the lock file if it is gone. Raises DatabaseReplaced if another bot was quicker."""
        if self._lock.is_in_place:
            return
        try:
            anew = await ProcessLock.acquire(self._path, 0.0)
        except DatabaseLocked as error:
            raise DatabaseReplaced(str(error)) from error
        self._lock.release()
        self._lock = anew

    async def _write_anew(self, writer: aiosqlite.Connection) -> aiosqlite.Connection:
        try:
            await self._take_lock_again()
        except DatabaseReplaced:
            await self._save_beside(writer)
            raise
        if file_id(self._path) is None:
            await save(writer, self._path, self._path)
            self._unopened = file_id(self._path)
        # They belong to the lost file; the new one has their contents.
        for ending in ("-wal", "-shm"):
            _beside(self._path, ending).unlink(missing_ok=True)
        async with AsyncExitStack() as stack:
            with typed_errors(self._path):
                anew = await connect(self._path, self._busy_wait)
                stack.push_async_callback(anew.close)
                await _use_write_ahead_log(anew, self._path)
                await self._reader.exchange(await _connect_reader(self._path, self._busy_wait))
            stack.pop_all()
        await writer.close()
        self._file, self._log = file_id(self._path), file_id(_beside(self._path, "-wal"))
        self._unopened = None
        log.critical("%s: the file was removed while the bot ran, and has been written anew", self._path)
        return anew

    async def _save_beside(self, writer: aiosqlite.Connection) -> None:
        """Save the open database, once, and keep the lost file's log from being taken for the new one's."""
        if self._is_replaced:
            return
        saved = _beside(self._path, f".saved-{time.time_ns() // 1_000_000}")
        await save(writer, self._path, saved)
        self._is_replaced = True
        if self._log is not None and file_id(_beside(self._path, "-wal")) == self._log:
            for name in ("-wal", "-shm"):
                _beside(self._path, name).unlink(missing_ok=True)
        log.critical(
            "%s: the file was replaced while the bot ran; what was played is in %s", self._path, saved
        )

    async def backup(self, path: Path | str) -> None:
        """Copy the database to a new file while writing goes on; see `back_up`."""
        await back_up(self._path, Path(path))


def _beside(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)


async def _connect_reader(path: Path, busy_wait: float) -> aiosqlite.Connection:
    """Open a connection that cannot write, and has the write-ahead log open."""
    reader = await connect(path, busy_wait)
    try:
        await reader.execute("PRAGMA query_only = ON")
        await schema_version(reader)
    except BaseException:
        await reader.close()
        raise
    return reader


def _make_private(path: Path) -> None:
    """Create an empty file that only its owner can read (it will hold everybody's cards), if there is none.

    SQLite gives its side files the same permissions.
    """
    if not path.exists():
        try:
            path.touch(mode=0o600)
        except OSError as error:
            raise CannotOpenDatabase(f"{path}: the file cannot be made ({error.strerror})") from error


async def _refuse_unknown(
    connection: aiosqlite.Connection, path: Path, migrations: Sequence[Migration]
) -> None:
    """Refuse a file that is not ours to write, before anything is written to it."""
    version = await schema_version(connection)
    ((application_id,),) = await connection.execute_fetchall("PRAGMA application_id")
    ((objects,),) = await connection.execute_fetchall("SELECT count(*) FROM sqlite_master")
    is_new = version == 0 and application_id == 0 and objects == 0
    if not is_new and application_id != APPLICATION_ID:
        raise ForeignDatabase(f"{path}: this is another program's database")
    newest = max((migration.version for migration in migrations), default=0)
    if version > newest:
        raise NewerSchema(
            f"{path}: the database has schema {version}, written by a newer version of the bot; "
            f"this version knows schemas up to {newest}"
        )


async def _require_writable(connection: aiosqlite.Connection) -> None:
    """Raise what writing would raise, since SQLite opens a read-only file without complaint."""
    version = await schema_version(connection)
    await connection.execute("BEGIN IMMEDIATE")
    try:
        await connection.execute(f"PRAGMA user_version = {version:d}")
    finally:
        await connection.rollback()


async def _use_write_ahead_log(connection: aiosqlite.Connection, path: Path) -> None:
    ((mode,),) = await connection.execute_fetchall("PRAGMA journal_mode = WAL")
    if mode != "wal":
        raise CannotOpenDatabase(
            f"{path}: no write-ahead log is possible there (is it on a network drive?); got {mode!r}"
        )
