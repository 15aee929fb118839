"""The database: opened by one process, written by one transaction at a time, read beside that.

It knows files, connections and transactions; the repositories know what is stored.

Two connections. The writer's transactions follow one another, each `BEGIN IMMEDIATE … COMMIT`. The reader
cannot write, and with the write-ahead log reads the last committed state while a commit is waiting for the
disk. So a read never sees half a write, and whoever has awaited `write` finds what he wrote: his commit was
over before his read began.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import aiosqlite

from bot.storage.backup import back_up
from bot.storage.connection import SerialConnection, T, Values, Work, connect, require_sound, resolved
from bot.storage.errors import CannotOpenDatabase, ForeignDatabase, NewerSchema, typed_errors
from bot.storage.migrations import APPLICATION_ID, MIGRATIONS, Migration, migrate, schema_version
from bot.storage.process_lock import ProcessLock


class Database:
    """An open database. Made by `open`; to be closed, since an open connection keeps the process alive."""

    def __init__(
        self, path: Path, lock: ProcessLock, writer: SerialConnection, reader: SerialConnection
    ) -> None:
        self._path = path
        self._lock = lock
        self._writer = writer
        self._reader = reader

    @classmethod
    async def open(
        cls,
        path: Path | str,
        lock_wait: float = 30.0,
        *,
        busy_wait: float = 5.0,
        migrations: Sequence[Migration] = MIGRATIONS,
    ) -> Database:
        """Open the database at `path`, made with its folder where there is none, and migrate it.

        `lock_wait`: seconds to wait for another bot to let go of it. `busy_wait`: seconds to wait, here and
        in every later write, for a program that knows nothing of our lock (a shell, a replication).

        Raises DatabaseLocked, CorruptDatabase, ForeignDatabase, NewerSchema, MigrationFailed,
        ReadOnlyDatabase, DatabaseFull, DiskFailure or CannotOpenDatabase. Unless it is a migration that
        failed, the file is then as it was.
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
                reader = await connect(path, busy_wait)
                stack.push_async_callback(reader.close)
                await reader.execute("PRAGMA query_only = ON")
            stack.pop_all()
        return cls(
            path,
            lock,
            SerialConnection(writer, path, "BEGIN IMMEDIATE"),
            SerialConnection(reader, path, "BEGIN"),
        )

    async def close(self) -> None:
        """Finish what has been asked for, close, and let the next process in."""
        async with AsyncExitStack() as stack:
            stack.callback(self._lock.release)
            stack.push_async_callback(self._writer.close)
            stack.push_async_callback(self._reader.close)

    async def write(self, work: Work[T]) -> T:
        """Do `work` in one transaction: all of it is on the disk when this returns, or none of it.

        A cancelled caller does not stop it. The connection passed to `work` must not be used after it, and
        `work` must not call `write`. Raises what `work` raises, and DatabaseFull, ReadOnlyDatabase,
        DatabaseLocked, CorruptDatabase, DiskFailure or DatabaseClosed; writing is possible again as soon as
        the reason is gone.
        """
        return await self._writer.run(work)

    async def execute(self, sql: str, values: Values = ()) -> int:
        """Carry out one statement in a transaction of its own; the number of rows it changed."""

        async def statement(connection: aiosqlite.Connection) -> int:
            return (await connection.execute(sql, values)).rowcount

        return await self.write(statement)

    async def read(self, work: Work[T]) -> T:
        """Let `work` make several queries that see one and the same committed state."""
        return await self._reader.run(work)

    async def fetch_all(self, sql: str, values: Values = ()) -> list[tuple[Any, ...]]:
        """All rows of one query."""
        return await self._reader.fetch_all(sql, values)

    async def fetch_one(self, sql: str, values: Values = ()) -> tuple[Any, ...] | None:
        """The first row of one query; None if there is none."""
        rows = await self._reader.fetch_all(sql, values)
        return rows[0] if rows else None

    async def backup(self, path: Path | str) -> None:
        """Copy the database to a new file while writing goes on. See `back_up`."""
        await back_up(self._path, Path(path))


def _make_private(path: Path) -> None:
    """Make an empty file that only its owner can read (it will hold everybody's cards), where there is none.

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
    """Raise what writing would raise: SQLite opens a file that may only be read and says nothing."""
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
