"""Reposts a table's message at the bottom of the chat when other messages have buried it.

Only messages that the bot receives count: all where it is an admin or its privacy mode is off, otherwise only
commands.
"""

from __future__ import annotations

from telegram import Update
from telegram.ext import filters

from bot.handlers.registry import on_message
from bot.handlers.services import Services
from bot.handlers.visitor import thread_of
from bot.storage.shown import Shown


@on_message(
    filters.ChatType.GROUPS & filters.UpdateType.MESSAGE & ~filters.StatusUpdate.ALL, also_handled=True
)
async def count_message(services: Services, update: Update) -> None:
    """Repost the table if this message has buried it."""
    message = update.message
    assert message is not None
    place = message.chat_id, thread_of(message)
    if not services.repost_trigger.count(place, services.now()):
        return
    services.repost_trigger.reset(place, services.now())  # even if there is no table
    table_id = await services.queries.at(*place)
    if table_id is not None:
        await services.messages.repost(table_id)


async def note_sent(services: Services, shown: Shown) -> None:
    """Restart the count, because a table's message has just been sent."""
    place = await services.queries.location_of(shown.table_id)
    services.repost_trigger.reset((place.chat_id, place.thread_id), services.now())
