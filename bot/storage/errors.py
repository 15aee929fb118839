"""Error types for the database, by which callers decide what to tell players and operators.

Each message is written for whoever runs the bot and names the file. What the repositories refuse (a stale
revision, a second table in one place) is defined beside them; an error that only a fault in our own SQL can
cause stays what `sqlite3` raised.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class StorageError(Exception):
    """Base class for whatever the storage refuses or fails to do; nothing of the request is stored."""


class CannotOpenDatabase(StorageError):
    """The file, its folder or its lock cannot be opened or created."""


class DatabaseLocked(StorageError):
    """Another process uses the file: a second bot, or another program in the middle of a write."""


class CorruptDatabase(StorageError):
    """The file is damaged, or is no database at all. It is left as it was found."""


class ForeignDatabase(StorageError):
    """The file is a sound database, but some other program's. It is left as it was found."""


class NewerSchema(StorageError):
    """A newer version of the bot has written this database; this one would misread it."""


class MigrationFailed(StorageError):
    """A migration could not be carried out; the database is as the version before left it."""


class DatabaseFull(StorageError):
    """The disk has no space for this write."""


class ReadOnlyDatabase(StorageError):
    """The file can be read but not written."""


class DiskFailure(StorageError):
    """The disk failed to read, write or sync."""


class DatabaseClosed(StorageError):
    """The database has been closed; no more reads or writes."""


class DatabaseReplaced(StorageError):
    """Another file has replaced the database; the open one is saved beside it, and writing stops."""


class BackupRefused(StorageError):
    """The backup's target exists already; it is not overwritten."""


PASSING = (DatabaseFull, DatabaseLocked, DiskFailure, ReadOnlyDatabase)
"""What may pass while the bot runs: writing is possible again as soon as the reason is gone."""

_BY_CODE: dict[int, tuple[type[StorageError], str]] = {
    sqlite3.SQLITE_BUSY: (DatabaseLocked, "another program is writing to it"),
    sqlite3.SQLITE_LOCKED: (DatabaseLocked, "another program is writing to it"),
    sqlite3.SQLITE_CORRUPT: (CorruptDatabase, "the file is damaged; restore a backup"),
    sqlite3.SQLITE_NOTADB: (CorruptDatabase, "the file is not a database, or its beginning is damaged"),
    sqlite3.SQLITE_FULL: (DatabaseFull, "there is no room left"),
    sqlite3.SQLITE_READONLY: (ReadOnlyDatabase, "the file may not be written"),
    sqlite3.SQLITE_PERM: (ReadOnlyDatabase, "the file may not be written"),
    sqlite3.SQLITE_IOERR: (DiskFailure, "the disk failed"),
    sqlite3.SQLITE_CANTOPEN: (CannotOpenDatabase, "it cannot be opened"),
}
"""By SQLite's primary result code (https://www.sqlite.org/rescode.html)."""


def storage_error(error: sqlite3.Error, path: Path) -> StorageError | None:
    """Return the typed form of an error caused by the state of the file or the machine.

    None for all others: those are bugs in the code that made the statement, and stay as they are.
    """
    # Only errors that SQLite itself reported have a code; its low byte is the primary one.
    code = getattr(error, "sqlite_errorcode", None)
    if code is None or code & 0xFF not in _BY_CODE:
        return None
    kind, words = _BY_CODE[code & 0xFF]
    return kind(f"{path}: {words} ({error})")


@contextmanager
def typed_errors(path: Path) -> Iterator[None]:
    """Translate `sqlite3` errors raised inside to the `StorageError` they mean, if any."""
    try:
        yield
    except sqlite3.Error as error:
        typed = storage_error(error, path)
        if typed is None:
            raise
        raise typed from error
