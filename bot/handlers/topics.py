"""How a forum's topics are called: told when one is opened or renamed, and by every message in it.

A message in a topic that answers to nothing else answers to the one that opened the topic, under the name it
had then. Heard beside all other handlers.
"""

from __future__ import annotations

from telegram import Message, Update
from telegram.ext import BaseHandler, ContextTypes, MessageHandler, filters

from bot.handlers.guest import thread_of
from bot.handlers.parts import Parts


def handlers(parts: Parts) -> list[BaseHandler[Update, ContextTypes.DEFAULT_TYPE, None]]:
    """Hears what is written in topics."""

    async def on_message(update: Update, _context: ContextTypes.DEFAULT_TYPE) -> None:
        """Learn the topic's name, if there is anything to learn."""
        message = update.message
        thread_id = thread_of(message)
        if message is None or not thread_id:
            return
        topics = parts.storage.topics
        name = name_told(message)
        if name is None and await topics.name(message.chat_id, thread_id) is None:
            name = _first_name(message)
        if name is None or not await topics.see(message.chat_id, thread_id, name):
            return
        table_id = await parts.tables.at(message.chat_id, thread_id)
        if table_id is not None:
            parts.presenter.mark(table_id)

    return [MessageHandler(filters.ChatType.SUPERGROUP & filters.UpdateType.MESSAGE, on_message)]


def name_told(message: Message) -> str | None:
    """The name with which the topic has just been opened, or that it has just been given."""
    if message.forum_topic_created is not None:
        return message.forum_topic_created.name
    return None if message.forum_topic_edited is None else message.forum_topic_edited.name


def _first_name(message: Message) -> str | None:
    """The name that the topic was opened with, where the message answers to that."""
    first = message.reply_to_message
    return None if first is None or first.forum_topic_created is None else first.forum_topic_created.name
