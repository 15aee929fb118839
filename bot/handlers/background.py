"""Background tasks: they run alongside the handling of updates, and the shutdown waits for them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

log = logging.getLogger(__name__)

LAST_SECONDS = 5.0
"""The longest wait of the shutdown for them."""


class Background:
    """The running background tasks. Their exceptions are logged."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_closed = False

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Start a task, unless `close` has been called: what it needs is about to be closed."""
        if self._is_closed:
            work.close()
            return
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    async def close(self) -> None:
        """Wait for the running tasks and cancel those that take too long. No task is running afterwards."""
        self._is_closed = True
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=LAST_SECONDS)
            for task in late:
                task.cancel()
            if late:
                await asyncio.wait(late)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            log.error("background work failed", exc_info=error)
