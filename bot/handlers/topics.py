"""Learns the names of forum topics, and moves tables out of deleted topics.

Telegram reports a name when a topic is created or edited, and with every message in it that is not a reply to
something else: it counts as a reply to the service message that created the topic, with its first name. The
handler runs alongside all others.
"""

from __future__ import annotations

from telegram import Message, Update
from telegram.ext import filters

from bot import buttons
from bot.handlers.answer import Answer, Press, on
from bot.handlers.confirmations import removing
from bot.handlers.registry import on_message
from bot.handlers.services import Services
from bot.handlers.visitor import thread_of
from bot.screens.answers import Done, done
from bot.tables import transitions


@on(buttons.MoveTable)
async def move_table(services: Services, press: Press, asked: buttons.MoveTable) -> Answer:
    """Move a table whose topic was deleted to the forum's General topic, and remove the question."""
    await services.tables.act(asked.table, press.visitor.user_id, transitions.move_to_general)
    services.messages.access_restored(await services.queries.chat_of(asked.table))
    return Answer(done(Done.MOVED, press.visitor.tr), then=removing(services, press))


@on_message(filters.ChatType.SUPERGROUP & filters.UpdateType.MESSAGE, also_handled=True)
async def learn_name(services: Services, update: Update) -> None:
    """Store the topic's name, if the message has it and it is new."""
    message = update.message
    thread_id = thread_of(message)
    if message is None or not thread_id:
        return
    topics = services.storage.topics
    name = announced_name(message)
    if name is None and await topics.name(message.chat_id, thread_id) is None:
        name = _first_name(message)
    if name is None or not await topics.see(message.chat_id, thread_id, name):
        return
    table_id = await services.queries.at(message.chat_id, thread_id)
    if table_id is not None:
        services.messages.invalidate(table_id)


def announced_name(message: Message) -> str | None:
    """The name in a service message about a created or edited topic."""
    if message.forum_topic_created is not None:
        return message.forum_topic_created.name
    return None if message.forum_topic_edited is None else message.forum_topic_edited.name


def _first_name(message: Message) -> str | None:
    """The topic's first name, or the post commented on, if the message is a reply to it."""
    first = message if message.is_automatic_forward else message.reply_to_message
    if first is None:
        return None
    if first.is_automatic_forward:
        channel = first.sender_chat
        return first.text or first.caption or ("" if channel is None else channel.title or "")
    return None if first.forum_topic_created is None else first.forum_topic_created.name
