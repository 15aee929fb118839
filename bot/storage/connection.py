"""One connection to the database, which runs transactions one at a time and each as a whole.

It knows transactions, cancellation and threads; not what is stored, nor how a database is opened.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import aiosqlite

from bot.storage.errors import CannotOpenDatabase, CorruptDatabase, DatabaseClosed, typed_errors

log = logging.getLogger(__name__)

# At DEBUG the library logs every statement with its values, and so every hand and seed. A level of its own
# keeps it silent whatever the root logger is set to.
logging.getLogger("aiosqlite").setLevel(logging.WARNING)

T = TypeVar("T")
Work = Callable[[aiosqlite.Connection], Awaitable[T]]
Values = Sequence[str | int | float | None]


def resolved(path: Path) -> Path:
    """Resolve links, so that everyone who opens a database uses the same path and so the same lock.

    Raises CannotOpenDatabase if the path cannot be a file's, or exists and is no file.
    """
    try:
        path = path.resolve()
        is_none = path.exists() and not path.is_file()
    except (OSError, RuntimeError) as error:  # a name that is too long; a cycle of links
        raise CannotOpenDatabase(f"{path}: this leads to no file ({error})") from error
    if is_none:
        raise CannotOpenDatabase(f"{path}: this is no file")
    return path


async def connect(path: Path, busy_wait: float) -> aiosqlite.Connection:
    """Open a plain connection to an existing file.

    It begins no transactions by itself. `busy_wait`: seconds to wait for another program's lock.
    """
    opened = await asyncio.to_thread(_open_file, path)
    # When connecting fails, aiosqlite leaves a thread behind that may outlive the loop and complain about
    # it; so it is given a connection that is already open.
    connection = await aiosqlite.Connection(lambda: opened, iter_chunk_size=64)
    try:
        await connection.execute(f"PRAGMA busy_timeout = {round(busy_wait * 1000):d}")
        await connection.execute("PRAGMA foreign_keys = ON")
        # A commit returns when it is on the disk. At NORMAL, the default of some builds, the log is synced
        # later, and a loss of power undoes moves that people have seen
        # (https://www.sqlite.org/pragma.html#pragma_synchronous).
        await connection.execute("PRAGMA synchronous = FULL")
    except BaseException:
        await connection.close()
        raise
    return connection


def _open_file(path: Path) -> sqlite3.Connection:
    # With an isolation level, sqlite3 would begin some transactions by itself. The connection is used by
    # another thread than this one, and only by that.
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None, check_same_thread=False
    )


async def require_sound(connection: aiosqlite.Connection, path: Path) -> None:
    """Raise CorruptDatabase if the file is damaged. Reads all of it, at about a gigabyte a second."""
    ((verdict,),) = await connection.execute_fetchall("PRAGMA quick_check(1)")
    if verdict != "ok":
        raise CorruptDatabase(f"{path}: the file is damaged; restore a backup ({verdict})")


class SerialConnection:
    """A connection shared by many tasks: each transaction has exclusive use of it.

    `begin` is the statement a transaction starts with.
    """

    prepare: Callable[[aiosqlite.Connection], Awaitable[aiosqlite.Connection]] | None = None
    """Called with the connection before each transaction; returns the one to use from then on."""

    def __init__(self, connection: aiosqlite.Connection, path: Path, begin: str) -> None:
        self._connection = connection
        self._path = path
        self._begin = begin
        self._lock = asyncio.Lock()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._inside: asyncio.Task[Any] | None = None
        self._is_closed = False

    async def run(self, work: Work[T]) -> T:
        """Run `work` in its own transaction: committed when it returns, rolled back when it raises.

        Once requested, it is completed even if the caller is cancelled: the transaction is a task of its
        own, which takes the lock itself. (If the caller held the lock, cancelling the caller would release
        it while the transaction still runs, and the next one's statements would end up in it.)

        Raises what `work` raises, or a StorageError if the database refuses something.
        """
        if self._inside is not None and asyncio.current_task() is self._inside:
            raise RuntimeError("a transaction within a transaction would wait for itself for ever")
        task = asyncio.create_task(self._transaction(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            task.add_done_callback(_report_abandoned)
            raise

    async def fetch_all(self, sql: str, values: Values = ()) -> list[tuple[Any, ...]]:
        """Return one query's rows. A single statement sees one committed state without a transaction."""
        async with self._lock:
            self._check_open()
            with typed_errors(self._path):
                return [tuple(row) for row in await self._connection.execute_fetchall(sql, values)]

    async def exchange(self, connection: aiosqlite.Connection) -> None:
        """Use this connection from now on, and close the previous one."""
        async with self._lock:
            before, self._connection = self._connection, connection
            await before.close()

    async def close(self) -> None:
        """Wait for pending transactions, then close. Later calls raise DatabaseClosed."""
        if self._tasks:
            await asyncio.wait(self._tasks)
        async with self._lock:
            if not self._is_closed:
                self._is_closed = True
                await self._connection.close()

    async def _transaction(self, work: Work[T]) -> T:
        async with self._lock:
            self._check_open()
            self._inside = asyncio.current_task()
            try:
                if self.prepare is not None:
                    self._connection = await self.prepare(self._connection)
                with typed_errors(self._path):
                    await self._connection.execute(self._begin)
                    result = await work(self._connection)
                    # Not connection.commit(), which succeeds without a transaction: if SQLite has ended it
                    # by itself, that must not pass for a commit.
                    await self._connection.execute("COMMIT")
                    return result
            except BaseException:
                # This succeeds without one. The connection's thread takes statements in order, so even if
                # this task is cancelled here too, nothing overtakes the rollback.
                await self._connection.rollback()
                raise
            finally:
                self._inside = None

    def _check_open(self) -> None:
        if self._is_closed:
            raise DatabaseClosed(f"{self._path}: the database has been closed")


def _report_abandoned(task: asyncio.Task[Any]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        log.error("a transaction failed whose caller had been cancelled", exc_info=error)
