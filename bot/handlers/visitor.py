"""Identifies the person behind an update, the chat, and the languages to answer in."""

from __future__ import annotations

from dataclasses import dataclass

from telegram import Chat, Message, Update, User
from telegram.constants import ChatType

from bot.handlers.services import Services
from bot.locales import Translator, pick_language, unmarked
from bot.settings import HandOrder, TableSettings
from bot.storage.people import Person
from bot.tables import transitions
from bot.tables.refusals import Refusal, Refused


@dataclass(frozen=True, slots=True)
class Visitor:
    """A person who makes a request in a chat.

    `name` is the full name without the bot's symbols. `tr` is the translator of the person's language,
    `chat_tr` that of the chat's (in private the same). `thread_id` is as in `thread_of`: the forum topic, or
    the post commented on, otherwise 0. `reachable`: the bot may write to the person in private. `hand_order`
    is the person's setting. `is_pressing`: the request is a callback query, which has to be answered in time.
    `message_id` is the message to reply to, otherwise 0.
    """

    user_id: int
    name: str
    chat_id: int
    thread_id: int
    is_private: bool
    reachable: bool
    tr: Translator
    chat_tr: Translator
    hand_order: HandOrder
    is_pressing: bool = False
    message_id: int = 0


async def identify(update: Update, services: Services) -> Visitor | None:
    """Identify the person behind an update, and store the person and the chat.

    Returns None if there is no identifiable person: for bots, channels, and admins who write as the group.
    """
    user, chat, message = update.effective_user, update.effective_chat, update.effective_message
    if (
        user is None
        or chat is None
        or user.is_bot
        or (message is not None and _has_hidden_author(update, message))
    ):
        return None
    is_private = chat.type == ChatType.PRIVATE
    name = name_of(user)
    person = await see(user, services)
    if is_private and not person.reachable:
        await set_reachable(user.id, services, reachable=True)
    if not is_private:
        services.members.note_seen(chat.id, user.id, services.now())
    tr = services.catalogues[pick_language(person.language, user.language_code)]
    return Visitor(
        user_id=user.id,
        name=name,
        chat_id=chat.id,
        thread_id=await _known_thread_of(message, services),
        is_private=is_private,
        reachable=person.reachable or is_private,
        tr=tr,
        chat_tr=tr if is_private else await _translator_of_group(chat, user, services),
        hand_order=person.settings.hand_order,
        is_pressing=update.callback_query is not None,
        message_id=0 if is_private or update.message is None else update.message.message_id,
    )


async def see(user: User, services: Services) -> Person:
    """Store Telegram's data about a person; a new name is also applied at their tables."""
    people, name = services.storage.people, name_of(user)
    known = await people.get(user.id)
    if known is not None and (known.name, known.language_code) == (name, user.language_code):
        return known
    if known is not None and known.name != name:
        for table_id in await services.queries.running_of(user.id):
            await services.tables.change(table_id, transitions.rename, user.id, name)
    return await people.see(user.id, name, user.language_code)


def name_of(user: User) -> str:
    """A person's full name without the bot's symbols; empty for a deleted account."""
    return unmarked(user.full_name or "")


def _has_hidden_author(update: Update, message: Message) -> bool:
    """Whether the message was written as the group or as a channel. Presses always have a person."""
    return update.callback_query is None and message.sender_chat is not None


async def translator_of_chat(chat_id: int, services: Services) -> Translator:
    """The translator of the group's language, or of the default one if it is unknown."""
    chat = await services.storage.chats.get(chat_id)
    return services.catalogues[pick_language(None if chat is None else chat.language, None)]


async def set_reachable(user_id: int, services: Services, *, reachable: bool) -> None:
    """Store whether the bot may write to a person, and update the messages of their tables.

    A match may have ended while the bot could not write to them: its hand is out of date too.
    """
    storage = services.storage
    await storage.people.set_reachable(user_id, reachable=reachable)
    table_ids = [*await services.queries.running_of(user_id)]
    if reachable:
        services.messages.access_restored(user_id)
        table_ids += await storage.shown.latest_tables_in(user_id)
    for table_id in dict.fromkeys(table_ids):
        services.messages.invalidate(table_id)


async def _translator_of_group(chat: Chat, user: User, services: Services) -> Translator:
    """The translator of the group's language: the chosen one, or that of the first person seen in it."""
    chats = services.storage.chats
    known = await chats.see(chat.id, title=chat.title or "", username=chat.username, kind=str(chat.type))
    if known.language is None:
        language = pick_language(None, user.language_code)
        await chats.set_language(chat.id, language)
        return services.catalogues[language]
    return services.catalogues[known.language]


def thread_of(message: Message | object) -> int:
    """Return the id of the forum topic a message is in; 0 outside of topics and in ordinary reply threads.

    Telegram also gives reply threads a `message_thread_id`; only `is_topic_message` marks a topic. Comments
    on a channel's post are a thread under the post's copy in the discussion group
    (https://core.telegram.org/api/discussion); for these, the copy's message id is returned with a minus
    sign.
    """
    if not isinstance(message, Message):
        return 0
    if message.is_topic_message:
        return message.message_thread_id or 0
    post = message if message.is_automatic_forward else message.reply_to_message
    return -post.message_id if post is not None and post.is_automatic_forward else 0


async def _known_thread_of(message: Message | object, services: Services) -> int:
    """Like `thread_of`, but also recognizes a reply to a comment if the post has been seen before."""
    thread_id = thread_of(message)
    if thread_id or not isinstance(message, Message) or message.message_thread_id is None:
        return thread_id
    comments = -message.message_thread_id
    return 0 if await services.storage.topics.name(message.chat_id, comments) is None else comments


async def table_here(visitor: Visitor, services: Services) -> str:
    """The running table of the visitor's group or topic. Raises Refusal: in_group (in private), no_table."""
    if visitor.is_private:
        raise Refusal(Refused.IN_GROUP)
    table_id = await services.queries.at(visitor.chat_id, visitor.thread_id)
    if table_id is None:
        raise Refusal(Refused.NO_TABLE)
    return table_id


async def settings_of(chat_id: int, services: Services) -> TableSettings:
    """The group's settings for its tables."""
    return (await services.group_settings.chosen(chat_id)).table
