"""Processes updates concurrently, but those of one person in order and in a limited number.

A person's actions are handled in the order in which they were made, and flooding the bot delays only the
person who does it. If a handler takes long, for instance because its answer waits for the rate limit, nothing
waits for it: neither the person's next update, nor other people, nor the start or the shutdown. Telegram may
deliver an update twice; the second one is skipped.
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
"""The most updates being handled or waiting for an earlier one, each for a few seconds at most."""
MOST_WAITING = 16
"""The most updates of one person; more are dropped, since every button can be pressed again."""
PATIENCE_SECONDS = 2.0
"""The longest wait for an update's handling, which continues after that."""
REMEMBERED = 512
"""The number of updates that are recognized when they are delivered again."""


class PerPersonUpdateProcessor(BaseUpdateProcessor):
    """The library's update processor with a queue for each sender (person or chat).

    `patience` replaces `PATIENCE_SECONDS`.
    """

    def __init__(self, patience: float = PATIENCE_SECONDS) -> None:
        super().__init__(MOST_AT_ONCE)
        self._patience = patience
        self._queues: dict[Hashable, _Queue] = {}
        self._under_way: set[asyncio.Task[None]] = set()
        self._lately: deque[int] = deque(maxlen=REMEMBERED)

    async def initialize(self) -> None:
        """Do nothing; the base class requires this method."""

    async def shutdown(self) -> None:
        """Cancel the handling of updates that is still under way."""
        for work in self._under_way:
            work.cancel()
        await asyncio.gather(*self._under_way, return_exceptions=True)

    async def do_process_update(self, update: object, coroutine: Awaitable[Any]) -> None:
        """Handle an update once the person's earlier ones are handled or have taken too long."""
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
        if queue.waiting >= MOST_WAITING and not _is_membership_update(update):
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
        await asyncio.wait({work}, timeout=2 * self._patience)  # for the earlier one and for this one
        if work.done():
            work.result()

    async def _handle(self, before: asyncio.Task[None] | None, coroutine: Awaitable[Any]) -> None:
        """Handle an update after the one before it, or once that has taken too long."""
        try:
            if before is not None:
                await asyncio.wait({before}, timeout=self._patience)
        except asyncio.CancelledError:
            _close(coroutine)
            raise
        await coroutine


def _queue_key(update: Update) -> Hashable | None:
    """Return the key of the update's queue: its sender, or for a membership update the member.

    An admin who removes many people at once is the sender of all these updates.
    """
    member = update.chat_member or update.my_chat_member
    if member is not None:
        return member.chat.id, member.new_chat_member.user.id
    message = update.message
    if message is not None and message.left_chat_member is not None:
        return message.chat.id, message.left_chat_member.id
    sender = update.effective_sender
    return None if sender is None else sender.id


def _is_membership_update(update: Update) -> bool:
    """Whether the update reports a change of members or of a chat's id, and so must not be dropped."""
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
    """Close a coroutine that will not be awaited, to avoid a warning."""
    if isinstance(coroutine, Coroutine):
        coroutine.close()


class _Queue:
    """A sender's queue: `waiting` counts the updates not yet handled; `last` is the newest of them."""

    __slots__ = ("last", "waiting")

    def __init__(self) -> None:
        self.last: asyncio.Task[None] | None = None
        self.waiting = 0
