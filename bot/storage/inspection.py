"""Inspects a database without changing it: does it exist, is it sound, ours, free, and is there disk space?

Used by `python -m bot check`, while a bot may be running. It leaves nothing behind, not even SQLite's side
files.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.storage.connection import resolved
from bot.storage.errors import CannotOpenDatabase, CorruptDatabase, ForeignDatabase, NewerSchema, typed_errors
from bot.storage.migrations import APPLICATION_ID, MIGRATIONS

NEWEST_SCHEMA = max(migration.version for migration in MIGRATIONS)


@dataclass(frozen=True, slots=True)
class Inspection:
    """The findings of an inspection.

    `schema` is None if there is no file yet; `holder` is the process that has the database open (None: none;
    "" if it has not written which it is). `free` and `size` are bytes. `is_writable`: this user may write
    the file, or create it and SQLite's files beside it. `is_private`: nobody else may read it.
    """

    schema: int | None
    holder: str | None
    free: int
    size: int
    is_writable: bool
    is_private: bool


def inspect(path: Path) -> Inspection:
    """Inspect the database at `path`; reads all of it.

    Raises CannotOpenDatabase, CorruptDatabase, ForeignDatabase, NewerSchema, DatabaseLocked, DiskFailure.
    """
    path = resolved(path)
    folder = next(parent for parent in path.parents if parent.exists())
    is_there = path.exists()
    _try_to_make(path, folder)
    holder = _holder(path.with_name(path.name + ".lock"))
    return Inspection(
        schema=_schema(path, is_open=holder is not None) if is_there else None,
        holder=holder,
        free=shutil.disk_usage(folder).free,
        size=path.stat().st_size if is_there else 0,
        is_writable=os.access(folder, os.W_OK) and (not is_there or os.access(path, os.W_OK)),
        is_private=not is_there or path.stat().st_mode & 0o077 == 0,
    )


def _try_to_make(path: Path, folder: Path) -> None:
    """Raise CannotOpenDatabase unless files can be created beside the database, or missing parent folders.

    It tries, since permissions tell little: nobody can create a file in /proc. It leaves nothing behind.
    """
    try:
        if folder == path.parent:
            tempfile.TemporaryFile(dir=folder).close()
        else:
            Path(tempfile.mkdtemp(dir=folder)).rmdir()
    except OSError as error:
        raise CannotOpenDatabase(f"{path}: no file can be made there ({error.strerror})") from error


def _holder(lock: Path) -> str | None:
    """Return who holds the lock file. Takes a shared lock for an instant; a bot starting then retries."""
    try:
        descriptor = os.open(lock, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CannotOpenDatabase(f"{lock}: cannot be read ({error.strerror})") from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return os.pread(descriptor, 20, 0).decode(errors="replace").strip()
    finally:
        os.close(descriptor)
    return None


def _schema(path: Path, *, is_open: bool) -> int:
    """Return the schema version of a sound database of ours; 0 for an empty file, as for a new one."""
    with typed_errors(path), _unchanged(path, is_open=is_open) as connection:
        (verdict,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
        if verdict != "ok":
            raise CorruptDatabase(f"{path}: the file is damaged; restore a backup ({verdict})")
        (schema,) = connection.execute("PRAGMA user_version").fetchone()
        (application_id,) = connection.execute("PRAGMA application_id").fetchone()
        (objects,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if (schema or application_id or objects) and application_id != APPLICATION_ID:
        raise ForeignDatabase(f"{path}: this is another program's database")
    if schema > NEWEST_SCHEMA:
        raise NewerSchema(
            f"{path}: the database has schema {schema}, written by a newer version of the bot; "
            f"this version knows schemas up to {NEWEST_SCHEMA}"
        )
    return int(schema)


@contextmanager
def _unchanged(path: Path, *, is_open: bool) -> Iterator[sqlite3.Connection]:
    """Connect to a database, or to a copy of it, without leaving anything behind.

    SQLite creates the side files of a write-ahead log even to read. If a bot has the database open, they
    exist; without a log, the file is complete and can be read as immutable
    (https://www.sqlite.org/wal.html#read_only_databases). A log left by a killed bot is read from a copy.
    """
    log = path.with_name(path.name + "-wal")
    if is_open or not log.exists() or log.stat().st_size == 0:
        mode = "mode=ro" if is_open else "mode=ro&immutable=1"
        with closing(sqlite3.connect(f"{path.as_uri()}?{mode}", uri=True)) as connection:
            yield connection
        return
    with ExitStack() as stack:
        try:
            copy = Path(stack.enter_context(tempfile.TemporaryDirectory())) / path.name
            shutil.copyfile(path, copy)
            shutil.copyfile(log, copy.with_name(log.name))
        except OSError as error:
            raise CannotOpenDatabase(f"{path}: cannot be copied to look at it ({error.strerror})") from error
        yield stack.enter_context(closing(sqlite3.connect(copy)))
