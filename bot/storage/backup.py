"""Backs up the database as a consistent snapshot while the bot goes on writing."""

from __future__ import annotations

import asyncio
import os
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path

import aiosqlite

from bot.storage.connection import connect, require_sound, resolved
from bot.storage.errors import BackupRefused, CannotOpenDatabase, typed_errors


async def back_up(source: Path, target: Path, *, busy_wait: float = 5.0) -> None:
    """Copy the database at `source` to a new file.

    Needs no process lock: it has a connection of its own and only reads. The file appears under its name
    once it is complete, checked and synced; only its owner can read it, since it holds everybody's cards. To
    restore it, put it in the database's place while no bot runs, and remove the old `-wal` and `-shm` files.

    Raises BackupRefused if `target` exists, CorruptDatabase if the copy is not sound, or another
    StorageError.
    """
    source = resolved(source)
    async with AsyncExitStack() as stack:
        with typed_errors(source):
            reader = await connect(source, busy_wait)
            stack.push_async_callback(reader.close)
            await reader.execute("PRAGMA query_only = ON")
        await save(reader, source, target)


async def save(reader: aiosqlite.Connection, source: Path, target: Path) -> None:
    """Copy what this connection reads to a new file, as `back_up` does; `source` is named in errors."""
    part = _make_part(target)
    try:
        await _copy(reader, source, part)
        await asyncio.to_thread(_publish, part, target)
    finally:
        part.unlink(missing_ok=True)


async def _copy(reader: aiosqlite.Connection, source: Path, part: Path) -> None:
    async with AsyncExitStack() as stack:
        with typed_errors(part):
            writer = await connect(part, 0.0)
            stack.push_async_callback(writer.close)
            # All pages in one step, which reads one snapshot of the write-ahead log while writing goes
            # on. Smaller steps would start over after each write
            # (https://www.sqlite.org/c3ref/backup_finish.html).
            await reader.backup(writer, pages=-1)
            # The copied header asks for a write-ahead log; a backup is one file.
            await writer.execute("PRAGMA journal_mode = DELETE")
            await require_sound(writer, source)


def _make_part(target: Path) -> Path:
    try:
        if target.exists():
            raise BackupRefused(f"{target}: there is a file already, and a backup overwrites nothing")
        descriptor, name = tempfile.mkstemp(prefix=f"{target.name}.", suffix=".part", dir=target.parent)
    except OSError as error:
        raise CannotOpenDatabase(f"{target}: cannot be made ({error.strerror})") from error
    os.close(descriptor)
    return Path(name)


def _publish(part: Path, target: Path) -> None:
    part.rename(target)
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
