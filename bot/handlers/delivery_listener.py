"""Applies the outcomes of the reconciler's calls to tables, people and chats.

The reconciler reports outcomes and awaits the listener, without knowing what it does.
"""

from __future__ import annotations

from typing import assert_never

from bot.handlers import repost
from bot.handlers.pins import Pins
from bot.handlers.services import Services
from bot.handlers.write_forbidden import WriteForbiddenNotices
from bot.messages import outcomes
from bot.messages.outcomes import CallOutcome
from bot.storage import Storage
from bot.tables import transitions
from bot.tables.service import Tables


class DeliveryListener:
    """Handles outcomes: `services.messages.on_outcome(listener.handle)`."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._pins = Pins(services)
        self._write_forbidden = WriteForbiddenNotices(services)

    async def handle(self, outcome: CallOutcome) -> None:
        """Update the stored state at once; pin and send private messages in the background."""
        match outcome:
            case outcomes.MessageShown(shown, is_new):
                self._pins.note_shown(shown)
                if is_new:
                    self._services.background.start(repost.note_sent(self._services, shown))
            case outcomes.WriteForbidden(table_id):
                self._write_forbidden.note(table_id, is_topic_gone=False)
            case outcomes.TopicDeleted(table_id):
                self._write_forbidden.note(table_id, is_topic_gone=True)
            case _:
                await apply_outcome(outcome, self._services.storage, self._services.tables)


async def apply_outcome(outcome: outcomes.StateOutcome, storage: Storage, tables: Tables) -> None:
    """Store what a call has revealed about a table, a person or a chat."""
    match outcome:
        case outcomes.MoverDelayed(table_id, seconds):
            await tables.change(table_id, transitions.postpone, seconds)
        case outcomes.ChatMoved(chat_id, new_chat_id):
            await tables.move_chat(chat_id, new_chat_id)
        case outcomes.BotRemoved(chat_id):
            await tables.change_in(chat_id, transitions.bot_removed)
        case outcomes.PersonUnreachable(user_id):
            await storage.people.set_reachable(user_id, reachable=False)
        case outcomes.PicturesRefused(chat_id, table_id):
            await storage.chats.set_refused_pictures(chat_id, table_id)
        case _:
            assert_never(outcome)
