"""Lets updates in: many at a time, each person's one after another, and no more of them than a person makes.

So what somebody does is handled in the order he did it, and who floods the bot waits behind himself alone.
Where the answer to an update waits long for its turn at Telegram, nothing waits for that: neither what the
same person does next, nor anybody else, nor the clock at the start, nor the end. Telegram may deliver an
update twice: the second time it is left out.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Coroutine, Hashable
from typing import Any

from telegram import Update
from telegram.ext import BaseUpdateProcessor

log = logging.getLogger(__name__)

MOST_AT_ONCE = 4096
"""Updates that are being handled or wait for the one before; each does so for a few seconds at most."""
MOST_WAITING = 16
"""Updates of one person that may wait; more are dropped. Every screen can be pressed again."""
PATIENCE_SECONDS = 2.0
"""How long anything waits for an update to be handled; then that goes on by itself."""
REMEMBERED = 512
"""Updates that are recognised when they come again."""


class PerPersonUpdateProcessor(BaseUpdateProcessor):
    """The library's update processor with a queue for each person, and each group that somebody writes as.

    `patience`: as `PATIENCE_SECONDS`.
    """

    def __init__(self, patience: float = PATIENCE_SECONDS) -> None:
        super().__init__(MOST_AT_ONCE)
        self._patience = patience
        self._queues: dict[Hashable, _Queue] = {}
        self._under_way: set[asyncio.Task[None]] = set()
        self._lately: deque[int] = deque(maxlen=REMEMBERED)

    async def initialize(self) -> None:
        """Nothing is needed before the first update."""

    async def shutdown(self) -> None:
        """End what still waits for its turn: it will not come any more."""
        for work in self._under_way:
            work.cancel()
        await asyncio.gather(*self._under_way, return_exceptions=True)

    async def do_process_update(self, update: object, coroutine: Awaitable[Any]) -> None:
        """Handle one update when those before it of the same person are handled, or have taken too long."""
        if not isinstance(update, Update):
            await coroutine
            return
        if update.update_id in self._lately:
            log.info("an update came twice", extra={"update": update.update_id})
            _close(coroutine)
            return
        self._lately.append(update.update_id)
        key = _queue_key(update)
        queue = _Queue() if key is None else self._queues.setdefault(key, _Queue())
        if queue.waiting >= MOST_WAITING and not _tells_of_membership(update):
            log.warning("too many updates at once: one dropped", extra={"user": key})
            _close(coroutine)
            return
        work = asyncio.create_task(self._handle(queue.last, coroutine))
        queue.last = work
        queue.waiting += 1
        self._under_way.add(work)

        def ended(_work: asyncio.Task[None]) -> None:
            self._under_way.discard(work)
            queue.waiting -= 1
            if key is not None and queue.waiting == 0:
                self._queues.pop(key, None)

        work.add_done_callback(ended)
        await asyncio.wait({work}, timeout=2 * self._patience)  # for the one before it, and for itself
        if work.done():
            work.result()

    async def _handle(self, before: asyncio.Task[None] | None, coroutine: Awaitable[Any]) -> None:
        """Handle an update after the one before it, or when that takes too long."""
        try:
            if before is not None:
                await asyncio.wait({before}, timeout=self._patience)
        except asyncio.CancelledError:
            _close(coroutine)
            raise
        await coroutine


def _queue_key(update: Update) -> Hashable | None:
    """Whose queue this update waits in: its sender's, or where it tells of a membership that of the member.

    An admin who throws out many people at once is the sender of all these updates.
    """
    member = update.chat_member or update.my_chat_member
    if member is not None:
        return member.chat.id, member.new_chat_member.user.id
    message = update.message
    if message is not None and message.left_chat_member is not None:
        return message.chat.id, message.left_chat_member.id
    sender = update.effective_sender
    return None if sender is None else sender.id


def _tells_of_membership(update: Update) -> bool:
    """Does it tell who is in a chat, or which chat it is? Such an update comes once and is never dropped."""
    message = update.message
    return (
        update.chat_member is not None
        or update.my_chat_member is not None
        or (
            message is not None
            and (message.left_chat_member or message.migrate_to_chat_id or message.migrate_from_chat_id)
            is not None
        )
    )


def _close(coroutine: Awaitable[Any]) -> None:
    """It will not be awaited, and shall not complain of that."""
    if isinstance(coroutine, Coroutine):
        coroutine.close()


class _Queue:
    """One person's: `waiting` counts the updates being handled too; `last` is the newest of them."""

    __slots__ = ("last", "waiting")

    def __init__(self) -> None:
        self.last: asyncio.Task[None] | None = None
        self.waiting = 0
