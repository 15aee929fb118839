"""SQLite on the loop: what aiosqlite would do in a thread of its own is done between other callbacks.

The file is a real one. A statement is executed at once or not at all, so a killed process leaves behind what
it has committed, and nothing of a transaction that it was in.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import aiosqlite

from tests.simulation.loop import PROCESS, Process, settle

Work = tuple[asyncio.Future[Any] | None, Callable[[], Any]]


class _Queue:
    """In place of the queue to the thread: the work is done soon, in order."""

    def __init__(self, process: Process | None) -> None:
        self._process = process

    def put_nowait(self, work: Work) -> None:
        """Have some work done."""
        asyncio.get_running_loop().call_soon(self._do, *work)

    def _do(self, future: asyncio.Future[Any] | None, function: Callable[[], Any]) -> None:
        if self._process is not None:
            self._process.step()
            if not self._process.is_alive:
                return
        settle(future or asyncio.get_running_loop().create_future(), function)


class _NoThread:
    """In place of the thread."""

    def start(self) -> None:
        """Nothing is to be started."""


class _Connection(aiosqlite.Connection):
    """A connection without a thread. It ends with the process that has opened it."""

    def __init__(self, connector: Callable[[], Any], iter_chunk_size: int) -> None:
        super().__init__(connector, iter_chunk_size)
        process = PROCESS.get()
        self._tx: Any = _Queue(process)
        self._thread: Any = _NoThread()
        if process is not None:
            process.close.append(self._end)

    def _end(self) -> None:
        connection, self._connection, self._running = self._connection, None, False
        if connection is not None:
            connection.close()


@contextmanager
def on_the_loop() -> Iterator[None]:
    """Within this, connections have no threads."""
    with patch.object(aiosqlite, "Connection", _Connection):
        yield
