"""Work that nobody waits for: it goes on beside the updates, its faults are logged, the end waits for it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

log = logging.getLogger(__name__)

LAST_SECONDS = 5.0
"""How long the end waits."""


class Background:
    """Such work, under way."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_closed = False

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Begin some work; once the end has come, none any more: what it needs is about to be closed."""
        if self._is_closed:
            work.close()
            return
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    async def close(self) -> None:
        """Wait for what is under way, and cancel what takes too long. When this returns, nothing is."""
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
