"""Lets updates in: many at a time, each person's one after another, and no more of them than a person makes.

So what somebody does is handled in the order he did it, and who floods the bot waits behind himself alone.
Telegram may deliver an update twice: the second time it is left out.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Coroutine
from typing import Any

from telegram import Update
from telegram.ext import BaseUpdateProcessor

log = logging.getLogger(__name__)

MOST_AT_ONCE = 256
MOST_WAITING = 16
"""Updates of one person that may wait; more are dropped. Every screen can be pressed again."""
REMEMBERED = 512
"""Updates that are recognised when they come again."""


class Turnstile(BaseUpdateProcessor):
    """The library's update processor with a queue for each person."""

    def __init__(self) -> None:
        super().__init__(MOST_AT_ONCE)
        self._queues: dict[int, _Queue] = {}
        self._lately: deque[int] = deque(maxlen=REMEMBERED)

    async def initialize(self) -> None:
        """Nothing is needed before the first update."""

    async def shutdown(self) -> None:
        """Nothing is kept after the last."""

    async def do_process_update(self, update: object, coroutine: Awaitable[Any]) -> None:
        """Handle one update when those before it of the same person are handled."""
        if not isinstance(update, Update):
            await coroutine
            return
        if update.update_id in self._lately:
            log.info("an update came twice", extra={"update": update.update_id})
            _close(coroutine)
            return
        self._lately.append(update.update_id)
        user = update.effective_user
        if user is None:
            await coroutine
            return
        queue = self._queues.setdefault(user.id, _Queue())
        if queue.waiting >= MOST_WAITING:
            log.warning("too many updates at once: one dropped", extra={"user": user.id})
            _close(coroutine)
            return
        queue.waiting += 1
        try:
            async with queue.lock:
                await coroutine
        finally:
            queue.waiting -= 1
            if queue.waiting == 0:
                self._queues.pop(user.id, None)


def _close(coroutine: Awaitable[Any]) -> None:
    """It will not be awaited, and shall not complain of that."""
    if isinstance(coroutine, Coroutine):
        coroutine.close()


class _Queue:
    """One person's: `waiting` counts the update being handled too."""

    __slots__ = ("lock", "waiting")

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.waiting = 0
