"""Pins a table's message silently once a round, and unpins the previous one, where the bot may do so.

Telegram posts a service message for each pin, which is deleted. Without the permissions nothing is tried;
they are stored (`bot_permissions`) until Telegram reports a change.
"""

from __future__ import annotations

import logging

from telegram import Update
from telegram.ext import filters

from bot.handlers.registry import on_message
from bot.handlers.services import Services
from bot.messages.desired import board_key, is_for_good
from bot.messages.gateway import CallFailed, NotAllowed
from bot.messages.rate_limit import Priority
from bot.storage.pins import Pin
from bot.storage.shown import Shown
from bot.tables.lifecycle import TablePhase
from bot.tables.refusals import Refusal

log = logging.getLogger(__name__)


class Pins:
    """Pins and unpins the messages of tables, one after another for each table."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._busy: dict[str, Shown | None] = {}
        """The tables with a call under way, and the message shown meanwhile, which is pinned next."""

    def note_shown(self, shown: Shown) -> None:
        """Pin a table's message in the background, once an earlier call for the table has ended."""
        if not is_for_good(shown.key):
            return
        if shown.table_id in self._busy:
            self._busy[shown.table_id] = shown
        else:
            self._busy[shown.table_id] = None
            self._services.background.start(self._follow(shown))

    async def _follow(self, shown: Shown) -> None:
        try:
            await self._pin_or_unpin(shown)
        except NotAllowed:
            await self._services.storage.chats.set_may_pin(shown.chat_id, False)
        except (CallFailed, Refusal) as failure:
            log.info("not pinned: %s", failure, extra={"chat": shown.chat_id, "table": shown.table_id})
        finally:
            newer = self._busy.pop(shown.table_id)
        if newer is not None:
            self.note_shown(newer)

    async def _pin_or_unpin(self, shown: Shown) -> None:
        chat = await self._services.storage.chats.get(shown.chat_id)
        if chat is None or not chat.may_pin:
            return
        pins = self._services.storage.pins
        place = await self._services.queries.location_of(shown.table_id)
        view = await self._services.queries.view(shown.table_id, None)
        there = await pins.get(place.chat_id, place.thread_id)
        if view.phase is TablePhase.OVER:
            if there is not None and there.table_id == shown.table_id:
                await self._unpin(there)
                await pins.drop(there)
            return
        is_pinned = there is not None and (there.table_id, there.key) == (shown.table_id, shown.key)
        if is_pinned or view.game is None or shown.key != board_key(view.game.number):
            return
        await self._services.outbox.pin(shown.chat_id, shown.message_id)
        await pins.put(Pin(place.chat_id, place.thread_id, shown.table_id, shown.key, shown.message_id))
        if there is not None:
            await self._unpin(there)

    async def _unpin(self, pin: Pin) -> None:
        """Unpin; errors are only logged, since the message may be gone or already unpinned."""
        try:
            await self._services.outbox.unpin(pin.chat_id, pin.message_id)
        except CallFailed as failure:
            log.info("not unpinned: %s", failure, extra={"chat": pin.chat_id})


@on_message(filters.StatusUpdate.PINNED_MESSAGE)
async def on_pin(services: Services, update: Update) -> None:
    """Delete the service message about a pin of the bot's."""
    message = update.message
    if message is None or message.from_user is None or message.from_user.id != services.bot.id:
        return
    try:
        await services.outbox.remove(message.chat_id, message.message_id, priority=Priority.HISTORY)
    except CallFailed as failure:
        log.info("the line about a pin stays: %s", failure, extra={"chat": message.chat_id})
