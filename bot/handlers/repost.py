"""The table's message comes down the chat again when talk has buried it.

How much is talked can be counted only where the bot hears it: where it is an admin or its privacy mode is
off. Elsewhere it hears commands alone, and those count too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from telegram import Update
from telegram.ext import BaseHandler, ContextTypes, MessageHandler, filters

from bot.handlers.services import Services
from bot.handlers.visitor import thread_of
from bot.storage.shown import Shown

MESSAGES: Final = 15

Place: TypeAlias = tuple[int, int]
"""A chat and a topic of it (0 outside of topics)."""


@dataclass(slots=True)
class _Below:
    """What lies below a table's message that came at `since` (unix seconds)."""

    messages: int
    since: float


class RepostTrigger:
    """Counts the messages below the last message of each table. Pure: time is passed in.

    It lets a table come down at most once in so many `seconds`.
    """

    MOST_PLACES: Final = 4096

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._places: dict[Place, _Below] = {}

    def came_down(self, place: Place, now: float) -> None:
        """The table's message is the last one there."""
        self._places[place] = _Below(0, now)

    def heard(self, place: Place, now: float) -> bool:
        """One message more. Is it time for the table to come down?"""
        if place not in self._places and len(self._places) >= self.MOST_PLACES:
            self._places.clear()
        below = self._places.setdefault(place, _Below(0, -self._seconds))
        below.messages += 1
        return below.messages >= MESSAGES and now - below.since >= self._seconds


def handlers(
    services: Services, trigger: RepostTrigger
) -> list[BaseHandler[Update, ContextTypes.DEFAULT_TYPE, None]]:
    """Hears everything that is written in groups, beside all other handlers."""

    async def on_message(update: Update, _context: ContextTypes.DEFAULT_TYPE) -> None:
        """Somebody has written something."""
        message = update.message
        assert message is not None
        place = message.chat_id, thread_of(message)
        if not trigger.heard(place, services.now()):
            return
        trigger.came_down(place, services.now())  # or there is no table here, and the count begins anew
        table_id = await services.queries.at(*place)
        if table_id is not None:
            await services.messages.repost(table_id)

    heard = filters.ChatType.GROUPS & filters.UpdateType.MESSAGE & ~filters.StatusUpdate.ALL
    return [MessageHandler(heard, on_message)]


async def note_sent(services: Services, trigger: RepostTrigger, shown: Shown) -> None:
    """A table's message has been sent, and so is the last one in its place."""
    place = await services.queries.location_of(shown.table_id)
    trigger.came_down((place.chat_id, place.thread_id), services.now())
