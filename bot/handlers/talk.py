"""Words that are no command, in private: nobody reads them, unless their writer has them told at the table.

Whoever has not chosen otherwise is asked each time. At several tables the writer says which one, always. What
is told makes no message of its own: it goes from the chat, where it would bury the cards, and stands under
the table and in everybody's hand. Before there is a hand it stays, and the writer is told where it stands.
"""

from __future__ import annotations

import logging

from telegram import Update
from telegram.ext import BaseHandler, ContextTypes, MessageHandler, filters

from bot import callbacks
from bot.handlers.answer import Answer, Press
from bot.handlers.commands import replace_answer
from bot.handlers.guest import Guest, meet
from bot.handlers.members import require_unmuted
from bot.handlers.parts import Parts
from bot.handlers.questions import ask, removing
from bot.presenter.courier import CallFailed
from bot.screens import help as guide
from bot.screens import talk as screens
from bot.screens.answers import Done, done, refusal
from bot.tables.company import Telling
from bot.tables.refusals import Refusal, Refused
from bot.tables.view import TableView
from engine import Reason

log = logging.getLogger(__name__)


async def tell_table(parts: Parts, press: Press, asked: callbacks.TellTable) -> Answer:
    """Tell the table what the presser was asked about; `always`: from now on without a question."""
    guest = _in_private(press)
    text = parts.unsaid.find(guest.user_id, asked.message_id)
    if text is None:
        return Answer(done(Done.WORDS_GONE, guest.words), then=removing(parts, press))
    try:
        await _say(parts, guest, asked.table, text)
    except Refusal as refused:
        if refused.reason is Refused.TOO_SOON:
            raise  # the question stands: in a few seconds it can be answered
        parts.unsaid.drop(guest.user_id, asked.message_id)
        return Answer(refusal(refused.reason, guest.words), then=removing(parts, press))
    parts.unsaid.drop(guest.user_id, asked.message_id)
    if asked.always:
        await parts.storage.people.set_telling(guest.user_id, Telling.ALWAYS)
    remove_question = removing(parts, press)

    async def then() -> None:
        if remove_question is not None:
            await remove_question()
        await _tidy(parts, guest, asked.table, asked.message_id)

    return Answer(done(Done.TOLD, guest.words), then=then)


async def keep_words(parts: Parts, press: Press, asked: callbacks.KeepWords) -> Answer:
    """Tell nobody; `always`: and ask no more."""
    guest = _in_private(press)
    parts.unsaid.drop(guest.user_id, asked.message_id)
    if asked.always:
        await parts.storage.people.set_telling(guest.user_id, Telling.NEVER)
    what = Done.WORDS_KEPT_ALWAYS if asked.always else Done.WORDS_KEPT
    return Answer(done(what, guest.words), then=removing(parts, press))


def _in_private(press: Press) -> Guest:
    """Who presses. Raises Refusal: table_gone outside of private chats, where there are no such buttons."""
    if not press.guest.is_private:
        raise Refusal(Refused.TABLE_GONE)
    return press.guest


def handlers(parts: Parts) -> list[BaseHandler[Update, ContextTypes.DEFAULT_TYPE, None]]:
    """What is written in private and is no command."""

    async def on_text(update: Update, _context: ContextTypes.DEFAULT_TYPE) -> None:
        """Ask about it, tell it, or keep it, as its writer has chosen; where nobody would hear it, say so."""
        message = update.message
        guest = await meet(update, parts)
        if message is None or guest is None or not message.text:
            return
        try:
            tables = await _listening(parts, guest)
            if tables:
                await _hear(parts, guest, tables, message.message_id, message.text)
            else:
                screen = guide.way_to_tables([], guest.words, parts.bot_username)
                await replace_answer(parts, guest, "talk", screen)
        except Refusal as refused:
            await _refuse(parts, guest, refused.reason)

    async def on_unknown_command(update: Update, _context: ContextTypes.DEFAULT_TYPE) -> None:
        """What begins as a command, and none of the handlers before this one has taken."""
        guest = await meet(update, parts)
        if guest is not None:
            await _refuse(parts, guest, Refused.UNKNOWN_COMMAND)

    private = filters.ChatType.PRIVATE & filters.UpdateType.MESSAGE
    return [
        MessageHandler(private & filters.TEXT & ~filters.COMMAND, on_text),
        MessageHandler(private & filters.COMMAND, on_unknown_command),
    ]


async def _listening(parts: Parts, guest: Guest) -> list[TableView]:
    """The tables at which this person may say something; none where there is no table at all.

    Raises Refusal: why none of them listens.
    """
    listening = []
    reason: Refused | Reason | None = None
    for table_id in await parts.tables.running_of(guest.user_id):
        view = await parts.tables.view(table_id, guest.user_id)
        if view.is_alone:
            reason = reason or Refused.NOBODY_LISTENS
            continue
        try:
            await parts.tables.check_voice(table_id, guest.user_id)
        except Refusal as refused:
            reason = refused.reason
        else:
            listening.append(view)
    if not listening and reason is not None:
        raise Refusal(reason)
    return listening


async def _hear(parts: Parts, guest: Guest, tables: list[TableView], message_id: int, text: str) -> None:
    """Do with these words as their writer has chosen. Raises Refusal."""
    person = await parts.storage.people.get(guest.user_id)
    telling = Telling.ASK if person is None else Telling(person.telling)
    if telling is Telling.NEVER:
        await replace_answer(parts, guest, "talk", screens.kept(guest.words))
    elif telling is Telling.ALWAYS and len(tables) == 1:
        await _say(parts, guest, tables[0].id, text)
        await _tidy(parts, guest, tables[0].id, message_id)
    else:
        parts.unsaid.keep(guest.user_id, message_id, text)
        await ask(parts, guest, "talk", screens.ask_telling(tables, text, message_id, guest.words))


async def _say(parts: Parts, guest: Guest, table_id: str, text: str) -> None:
    """Tell it at the table. Raises Refusal: not_member, muted, and as `say`.

    Telegram is asked last: only about words that could be told, of which there are few.
    """
    await parts.tables.check_talk(table_id, guest.user_id)
    await require_unmuted(parts, await parts.tables.chat_of(table_id), guest.user_id)
    await parts.tables.say(table_id, guest.user_id, text)


async def _tidy(parts: Parts, guest: Guest, table_id: str, message_id: int) -> None:
    """What was told goes from the chat where the hand shows it; else its writer is told where it stands."""
    view = await parts.tables.view(table_id, guest.user_id)
    if view.you is None:
        await replace_answer(parts, guest, "talk", screens.told(view, guest.words))
        return
    try:
        await parts.presenter.remove(guest.chat_id, message_id)
    except CallFailed as failure:
        log.info("words not removed: %s", failure, extra={"user": guest.user_id})


async def _refuse(parts: Parts, guest: Guest, reason: Refused | Reason) -> None:
    """Say why it is not done."""
    notice = guide.notice(refusal(reason, guest.words), reason, guest.words, parts.bot_username)
    await replace_answer(parts, guest, "talk", notice)
