"""Keeps other processes from a database by a lock file beside it, held while the database is open.

SQLite would let two bots take turns writing; but each caches tables, deadlines and shown messages, and would
act on stale state. The kernel holds the lock (`flock`), so it is released however the process ends; the file
itself stays, since removing it would let two processes hold locks on two files of the same name.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
from pathlib import Path

from bot.storage.errors import CannotOpenDatabase, DatabaseLocked, DiskFailure

_POLL_SECONDS = 0.1


class ProcessLock:
    """The lock that keeps other processes from a database. Made by `acquire`."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self._path = path
        self._descriptor: int | None = descriptor

    @classmethod
    async def acquire(cls, database: Path, wait: float) -> ProcessLock:
        """Take this database's lock, waiting up to `wait` seconds while another process holds it.

        Raises DatabaseLocked if it is held for longer, CannotOpenDatabase if the file cannot be created.
        """
        path = database.with_name(database.name + ".lock")
        descriptor = _open(path)
        try:
            # Polled, since a blocking flock() would hold a thread that cannot be cancelled.
            async with asyncio.timeout(wait):
                while not _try(descriptor):  # noqa: ASYNC110 - another process cannot set an event of ours
                    await asyncio.sleep(_POLL_SECONDS)
        except TimeoutError as error:
            holder = os.pread(descriptor, 20, 0).decode(errors="replace").strip()
            os.close(descriptor)
            raise DatabaseLocked(
                f"{database}: another bot has this database open (process {holder or 'unknown'}); "
                f"waited {wait:g} s for it to stop"
            ) from error
        except BaseException:
            os.close(descriptor)
            raise
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        return cls(path, descriptor)

    @property
    def is_in_place(self) -> bool:
        """True if another process would see this lock; its file may have been removed."""
        return self._descriptor is not None and file_id(self._path) == _id(os.fstat(self._descriptor))

    def release(self) -> None:
        """Release the lock."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def file_id(path: Path) -> tuple[int, int] | None:
    """Return the device and inode of the file of this name; None if there is none.

    Does not open it: opening and closing a database's file would release SQLite's locks on it
    (https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_).
    """
    try:
        return _id(path.stat())
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise DiskFailure(f"{path}: cannot be looked at ({error.strerror})") from error


def _id(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino


def _open(path: Path) -> int:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise CannotOpenDatabase(f"{path}: the lock file cannot be made ({error.strerror})") from error


def _try(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
