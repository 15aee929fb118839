"""Delivers a new message: notifies people, and queues the bot's update if the bot may see it."""

import re

from sandbox.access import is_admin, is_present
from sandbox.events import Rang
from sandbox.model import BOT, Chat, Json, Message
from sandbox.objects import message as message_object
from sandbox.state import Notification, Sandbox
from sandbox.text.units import from_utf16


def post(sandbox: Sandbox, message: Message) -> Message:
    """Add a message to its chat, notify its readers, and queue the bot's update if the bot may see it."""
    sandbox.world.post(message)
    if not message.silent:
        _ring(sandbox, message)
    chat = sandbox.world.chats[message.chat]
    if (message.sender != BOT or _is_pin(message)) and bot_hears(sandbox, chat, message):
        sandbox.tell("message", message_object(sandbox.world, message))
    return message


def _is_pin(message: Message) -> bool:
    """Return whether it is a pin, the only own message that a bot gets (telegram-bot-api, Client.cpp)."""
    return message.service is not None and message.service["kind"] == "pinned_message"


def tell_of_edit(sandbox: Sandbox, message: Message) -> None:
    """Queue the update for an edited message, if the bot could see the message itself."""
    sandbox.world.edited(message)
    if bot_hears(sandbox, sandbox.world.chats[message.chat], message):
        sandbox.tell("edited_message", message_object(sandbox.world, message))


def bot_hears(sandbox: Sandbox, chat: Chat, message: Message) -> bool:
    """Return whether privacy mode lets the bot see a message (core.telegram.org/bots/features#privacy-mode).

    In groups, a bot that is not an admin gets messages that begin with «/» and are not for another bot, that
    mention it or reply to it, and service messages. A bare command belongs to the bot that wrote last; here
    there is only one bot.
    """
    if not is_present(chat.bot.status):
        return False
    if chat.type == "private" or is_admin(chat.bot.status) or message.service is not None:
        return True
    answered = chat.messages.get(message.reply_to) if message.reply_to else None
    if answered is not None and answered.sender == BOT:
        return True
    text, entities = message.text or message.caption or "", message.entities or message.caption_entities
    name = f"@{sandbox.world.bot.username}".lower()
    return any(_concerns(text, entity, name) for entity in entities)


def _concerns(text: str, entity: Json, bot_name: str) -> bool:
    part = from_utf16(text, entity["offset"], entity["length"]).lower()
    if entity["type"] == "bot_command":
        addressee = re.search(r"@\w+$", part)
        return entity["offset"] == 0 if addressee is None else addressee.group() == bot_name
    return entity["type"] == "mention" and part == bot_name


def _ring(sandbox: Sandbox, message: Message) -> None:
    world = sandbox.world
    chat = world.chats[message.chat]
    title, text = world.chat_title(chat), preview(message)
    for user in world.audience(chat):
        person = world.users[user]
        is_deaf = person.deactivated or (chat.type == "private" and person.blocked)
        if user == message.sender or is_deaf:
            continue
        note = Notification(chat.id, message.message_id, title, text, message.date)
        sandbox.notifications.setdefault(user, []).append(note)
        world.emit(Rang(user, chat.id, message.message_id, title, text))


def preview(message: Message) -> str:
    """Return the line that a lock screen or a chat list shows for a message."""
    if message.text is not None:
        return message.text
    if message.caption:
        return message.caption
    if message.service is not None and message.service["kind"] == "pinned_message":
        return "📌"
    return "🖼" if message.photo else "📎"
