"""Choosing: so far, the language."""

from __future__ import annotations

from telegram import Update
from telegram.ext import BaseHandler, ContextTypes

from bot import callbacks
from bot.handlers.answer import Answer, Press
from bot.handlers.commands import command, reply
from bot.handlers.guest import Guest, is_admin
from bot.handlers.parts import Parts
from bot.screens import help as guide
from bot.screens.answers import Done, done
from bot.tables.refusals import Refusal, Refused


async def set_language(parts: Parts, press: Press, asked: callbacks.SetLanguage) -> Answer:
    """One's own language in private; the group's in a group, where the host and admins may choose."""
    guest = press.guest
    words = parts.catalogues.get(asked.language)
    if words is None:
        raise Refusal(Refused.TABLE_GONE)
    if guest.is_private:
        await parts.storage.people.set_language(guest.user_id, asked.language)
        for table_id in await parts.tables.running_of(guest.user_id):
            parts.presenter.mark(table_id)
    else:
        await _require_say(parts, guest)
        await parts.storage.chats.set_language(guest.chat_id, asked.language)
        here = await parts.tables.at(guest.chat_id, guest.thread_id)
        if here is not None:
            parts.presenter.mark(here)

    async def show() -> None:
        await parts.presenter.change(guest.chat_id, press.message_id, guide.language_chosen(words))

    return Answer(done(Done.LANGUAGE, words), then=show if press.is_on_it else None)


async def _require_say(parts: Parts, guest: Guest) -> None:
    """Raises Refusal: not_host, unless this person may choose for the group."""
    table_id = await parts.tables.at(guest.chat_id, guest.thread_id)
    if table_id is not None:
        view = await parts.tables.view(table_id, None)
        if any(player.is_host and player.user_id == guest.user_id for player in view.players):
            return
    if not await is_admin(guest.chat_id, guest.user_id, parts):
        raise Refusal(Refused.NOT_HOST)


def handlers(parts: Parts) -> list[BaseHandler[Update, ContextTypes.DEFAULT_TYPE, None]]:
    """The commands of this room."""

    async def language(guest: Guest) -> None:
        """`/language`: a button for each language there is."""
        await reply(parts, guest, guide.choose_language(guest.chat_words, parts.catalogues))

    return [command("language", parts, language)]
