"""The bell: who has asked for it is called in private when a table is opened in his group.

At most once a day from each group, never who sits at that table already, and never who has left the group.
"""

from __future__ import annotations

import logging

from telegram import Update
from telegram.ext import BaseHandler, ContextTypes

from bot import callbacks
from bot.handlers.answer import Answer, Press
from bot.handlers.commands import command, replace_answer
from bot.handlers.guest import Guest
from bot.handlers.members import require_member
from bot.handlers.parts import Parts
from bot.locales import pick_language
from bot.presenter.courier import CallFailed
from bot.screens import help as guide
from bot.screens.answers import Done, done
from bot.screens.bell import bell, bell_muted, bell_set
from bot.screens.screen import Screen
from bot.tables.player import Player
from bot.tables.refusals import Refusal, Refused

log = logging.getLogger(__name__)

DAY_SECONDS = 86_400.0


async def ring_me(parts: Parts, press: Press, _asked: callbacks.RingMe) -> Answer:
    """Be called from now on when a table is opened in this group."""
    guest = press.guest
    if guest.is_private:
        raise Refusal(Refused.IN_GROUP)
    if not guest.reachable:
        raise Refusal(Refused.NO_PRIVATE_CHAT)
    await parts.storage.bells.add(guest.user_id, guest.chat_id)
    return Answer(done(Done.BELL_ON, guest.words))


async def answer_bell(parts: Parts, press: Press, asked: callbacks.AnswerBell) -> Answer:
    """Sit down at the table one was called to: for who has a bell in its group, as members of it alone do."""
    guest = press.guest
    chat_id = await parts.tables.chat_of(asked.table)
    if not await parts.storage.bells.has(guest.user_id, chat_id):
        raise Refusal(Refused.ELSEWHERE)
    if not (await parts.tables.view(asked.table, None)).has_place(guest.user_id):
        await require_member(parts, chat_id, guest.user_id)
    await parts.tables.sit(asked.table, Player(guest.user_id, guest.name))
    view = await parts.tables.view(asked.table, guest.user_id)

    async def show() -> None:
        url = await parts.presenter.table_url(asked.table)
        await _change(parts, press, guide.seated(view, guest.words, url))

    return Answer(done(Done.SEATED, guest.words), then=show if press.is_on_it else None)


async def mute_bell(parts: Parts, press: Press, asked: callbacks.MuteBell) -> Answer:
    """Be called no more from the group of this table: for who has been called from it."""
    guest = press.guest
    view = await parts.tables.view(asked.table, None)
    had_one = await parts.storage.bells.remove(guest.user_id, await parts.tables.chat_of(asked.table))
    if not (had_one or press.is_on_it):
        raise Refusal(Refused.ELSEWHERE)

    async def show() -> None:
        await _change(parts, press, bell_muted(guest.words, view.chat_title, parts.bot_username))

    return Answer(done(Done.BELL_OFF, guest.words), then=show if press.is_on_it else None)


async def ring(parts: Parts, table_id: str) -> None:
    """Call everybody who wants to be called to a table that has just been opened."""
    view = await parts.tables.view(table_id, None)
    chat_id = await parts.tables.chat_of(table_id)
    seated = [player.user_id for player in view.players]
    now = parts.now()
    called = await parts.storage.bells.ring(chat_id, seated, now - DAY_SECONDS, now)
    people = await parts.storage.people.get_many(called)
    for person in people.values():
        if not person.reachable:
            continue
        words = parts.catalogues[pick_language(person.language, person.language_code)]
        try:
            await parts.presenter.say(
                person.user_id, 0, bell(table_id, view.chat_title, words), silent=not person.sound
            )
        except CallFailed as failure:
            log.info("not called: %s", failure, extra={"user": person.user_id, "chat": chat_id})


async def _change(parts: Parts, press: Press, screen: Screen) -> None:
    parts.presenter.redraw(press.guest.chat_id, press.message_id, screen)


def handlers(parts: Parts) -> list[BaseHandler[Update, ContextTypes.DEFAULT_TYPE, None]]:
    """The commands of this room."""

    async def toggle(guest: Guest) -> None:
        """`/bell`: be called when a table is opened here; once more, and one is not."""
        if guest.is_private:
            raise Refusal(Refused.IN_GROUP)
        if await parts.storage.bells.remove(guest.user_id, guest.chat_id):
            is_on = False
        elif not guest.reachable:
            raise Refusal(Refused.NO_PRIVATE_CHAT)
        else:
            await parts.storage.bells.add(guest.user_id, guest.chat_id)
            is_on = True
        screen = bell_set(guest.chat_words, guest.name, parts.bot_username, is_on=is_on)
        await replace_answer(parts, guest, "bell", screen)

    return [command("bell", parts, toggle)]
