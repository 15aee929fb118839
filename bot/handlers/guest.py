"""Who is asking, where, and in which language he is answered."""

from __future__ import annotations

from dataclasses import dataclass

from telegram import Chat, Message, Update, User
from telegram.constants import ChatType

from bot.handlers.parts import Parts
from bot.locales import Words, pick_language, unmarked
from bot.screens.screen import HandOrder
from bot.storage.people import Person
from bot.tables.refusals import Refusal, Refused
from bot.tables.settings import TableSettings


@dataclass(frozen=True, slots=True)
class Guest:
    """A person in a chat.

    `name` is his full name without marks of ours. `words` are his own language's, `chat_words` those of the
    chat he is in (in private the same). `thread_id` is the forum topic, 0 outside topics. `reachable`: the
    bot may write to him in private. `hand_order`: how he wants his cards sorted. `is_pressing`: a button,
    whose answer is waited for.
    """

    user_id: int
    name: str
    chat_id: int
    thread_id: int
    is_private: bool
    reachable: bool
    words: Words
    chat_words: Words
    hand_order: HandOrder
    is_pressing: bool = False


async def meet(update: Update, parts: Parts) -> Guest | None:
    """The person behind an update, remembered with his chat; None where nobody in particular is asking.

    Nobody in particular are channels, and admins who write as the group.
    """
    user, chat, message = update.effective_user, update.effective_chat, update.effective_message
    if user is None or chat is None or user.is_bot or (message is not None and _is_masked(update, message)):
        return None
    is_private = chat.type == ChatType.PRIVATE
    name = name_of(user)
    person = await see(user, parts)
    if is_private and not person.reachable:
        await set_reachable(user.id, parts, reachable=True)
    if not is_private:
        parts.members.notice(chat.id, user.id, parts.now())
    words = parts.catalogues[pick_language(person.language, user.language_code)]
    return Guest(
        user_id=user.id,
        name=name,
        chat_id=chat.id,
        thread_id=thread_of(message),
        is_private=is_private,
        reachable=person.reachable or is_private,
        words=words,
        chat_words=words if is_private else await _words_of_group(chat, user, parts),
        hand_order=HandOrder(person.hand_order),
        is_pressing=update.callback_query is not None,
    )


async def see(user: User, parts: Parts) -> Person:
    """Take down what Telegram says of a person; under a new name they are known at their tables, too."""
    people, name = parts.storage.people, name_of(user)
    known = await people.get(user.id)
    if known is not None and (known.name, known.language_code) == (name, user.language_code):
        return known
    if known is not None and known.name != name:
        await parts.tables.rename(user.id, name)
    return await people.see(user.id, name, user.language_code)


def name_of(user: User) -> str:
    """A person's full name without marks of ours; empty for a deleted account, which has none."""
    return unmarked(user.full_name or "")


def _is_masked(update: Update, message: Message) -> bool:
    """Has somebody written this as the group or as a channel? Who presses a button is always himself."""
    return update.callback_query is None and message.sender_chat is not None


async def words_of_chat(chat_id: int, parts: Parts) -> Words:
    """The group's language, or the default where it has none yet."""
    chat = await parts.storage.chats.get(chat_id)
    return parts.catalogues[pick_language(None if chat is None else chat.language, None)]


async def set_reachable(user_id: int, parts: Parts, *, reachable: bool) -> None:
    """Remember whether the bot may write to somebody; his tables show it, and he gets his hands."""
    if reachable:
        parts.presenter.reachable_again(user_id)
    await parts.storage.people.set_reachable(user_id, reachable=reachable)
    for table_id in await parts.tables.running_of(user_id):
        parts.presenter.mark(table_id)


async def _words_of_group(chat: Chat, user: User, parts: Parts) -> Words:
    """The group's language: its own choice, or that of the first person the bot has met in it."""
    chats = parts.storage.chats
    known = await chats.see(chat.id, title=chat.title or "", username=chat.username, kind=str(chat.type))
    if known.language is None:
        language = pick_language(None, user.language_code)
        await chats.set_language(chat.id, language)
        return parts.catalogues[language]
    return parts.catalogues[known.language]


def thread_of(message: Message | object) -> int:
    """The forum topic a message is in; 0 outside of topics, and in ordinary reply threads.

    Telegram gives reply threads a `message_thread_id` too; only `is_topic_message` tells a topic.
    """
    if isinstance(message, Message) and message.is_topic_message and message.message_thread_id is not None:
        return message.message_thread_id
    return 0


async def table_here(guest: Guest, parts: Parts) -> str:
    """The running table of the group (or topic) he is in. Raises Refusal: in_group (he is not), no_table."""
    if guest.is_private:
        raise Refusal(Refused.IN_GROUP)
    table_id = await parts.tables.at(guest.chat_id, guest.thread_id)
    if table_id is None:
        raise Refusal(Refused.NO_TABLE)
    return table_id


async def settings_of(chat_id: int, parts: Parts) -> TableSettings:
    """What a group has chosen for its tables."""
    return (await parts.house.chosen(chat_id)).table
