"""Takes every press of a button to its handler, and gives it exactly one answer.

A press is decoded, its visitor identified, and checked against where its button may be pressed (`Where`);
then its handler does what it asks for, or refuses. It is answered right after that has been committed, before
any message is touched; if that takes longer than two seconds, with an empty answer, so that no button keeps
spinning, and what was to be said comes as a message (`late`). Last, an orphan is deleted: a message with a
table's buttons that the table does not know. Button data comes from clients and may be anything.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace

from telegram import CallbackQuery, MaybeInaccessibleMessage, Message, Update
from telegram.error import BadRequest, TelegramError
from telegram.ext import CallbackQueryHandler, ContextTypes

from bot.buttons import CallbackData, Where, decode
from bot.handlers import confirmations, members
from bot.handlers.answer import HANDLERS, Answer, Press
from bot.handlers.failures import translator_of
from bot.handlers.late import Late
from bot.handlers.services import Services
from bot.handlers.visitor import identify
from bot.screens import answers
from bot.screens.answers import refusal
from bot.tables.refusals import Refusal, Refused

log = logging.getLogger(__name__)

PATIENCE_SECONDS = 2.0

_OF_THE_PAST = (Refused.STALE, Refused.NOT_BETWEEN, Refused.NOT_IN_LOBBY, Refused.NOT_YOUR_TURN)
"""Refusals that a button of another moment gets."""

_TOO_OLD = ("query is too old", "query_id_invalid")
"""What the Bot API server says of presses that nobody waits for any more."""


def handler(services: Services) -> CallbackQueryHandler[ContextTypes.DEFAULT_TYPE, None]:
    """The one handler for all presses."""

    late = Late(services)

    async def on_press(update: Update, _context: ContextTypes.DEFAULT_TYPE) -> None:
        query = update.callback_query
        assert query is not None
        asked = decode(query.data or "")
        with services.messages.answering("" if asked is None else asked.table_id):
            work = asyncio.create_task(_work(services, update, query, asked))
            answer = await _answered(query, work, services, late)
        if answer.then is not None:
            await answer.then()

    return CallbackQueryHandler(on_press)


async def _answered(
    query: CallbackQuery, work: asyncio.Task[Answer], services: Services, late: Late
) -> Answer:
    """Do the work and give its answer, or an apology for a fault; where that takes long, as a message."""
    await asyncio.wait({work}, timeout=PATIENCE_SECONDS)
    is_late = not work.done()
    if is_late:
        await _answer(query, late.kept(query))

    async def give(answer: Answer) -> None:
        if is_late:
            late.tell(query, answer)
        else:
            await _answer(query, answer)

    try:
        answer = await work
    except Exception:
        await give(Answer(await _apology(services, query)))
        raise
    await give(answer)
    return answer


def _bears(message: MaybeInaccessibleMessage | None, data: str | None) -> bool:
    """Does this message have a button with this data?"""
    keyboard = message.reply_markup if isinstance(message, Message) else None
    return keyboard is not None and any(
        button.callback_data == data for row in keyboard.inline_keyboard for button in row
    )


async def _apology(services: Services, query: CallbackQuery) -> str:
    """The answer to a press that met a fault of ours, which the application's error handler logs."""
    return answers.fault(await translator_of(services, query.from_user, None))


async def _work(
    services: Services, update: Update, query: CallbackQuery, asked: CallbackData | None
) -> Answer:
    visitor = await identify(update, services)
    if visitor is None:
        return Answer()
    message_id = query.message.message_id if query.message is not None else 0
    press = Press(
        visitor,
        message_id,
        is_on_it=_bears(query.message, query.data),
        is_on_picture=isinstance(query.message, Message) and bool(query.message.photo),
    )
    if visitor.is_private:
        services.messages.note_activity(visitor.user_id)
    return await dispatch(services, press, asked)


async def dispatch(services: Services, press: Press, asked: CallbackData | None) -> Answer:
    """Have a press carried out by its button's handler; where that may not be, say why.

    None, which is data that no button of ours has, asks for nothing.
    """
    visitor = press.visitor
    if asked is None:
        return Answer(refusal(Refused.TABLE_GONE, visitor.tr))
    facts = {
        "user": visitor.user_id,
        "chat": visitor.chat_id,
        "table": asked.table_id,
        "action": type(asked).__name__,
    }
    try:
        if asked.table_id:
            location = await services.queries.location_of(asked.table_id)
            facts["revision"] = location.revision
            if location.chat_id != visitor.chat_id:
                await _require_allowed_elsewhere(services, press, asked)
                members.watch(services, location.chat_id, visitor.user_id)
        try:
            answer = await HANDLERS[type(asked)](services, press, asked)
        finally:
            if asked.table_id:  # what only reads has not marked this person present
                await services.tables.mark_present(asked.table_id, visitor.user_id)
        log.debug("press carried out", extra=facts)
    except Refusal as refused:
        log.info("press refused: %s", refused.reason, extra=facts)
        answer = await _refusal_answer(services, press, asked, refused)
    if _is_on_table_message(press, asked):
        return _with_orphan_deleted(services, press, asked, answer)
    return answer


async def _require_allowed_elsewhere(services: Services, press: Press, asked: CallbackData) -> None:
    """Raises Refusal: elsewhere, if this may not be pressed outside of its table's own chat.

    Where a press was made is told by Telegram, as is by whom; a client can make up nothing but the data.
    """
    if Where.TABLE_CHAT in asked.where:
        raise Refusal(Refused.ELSEWHERE)
    if Where.TABLE_CHAT_OR_PLAYER in asked.where:
        view = await services.queries.view(asked.table_id, press.visitor.user_id)
        if all(person.user_id != press.visitor.user_id for person in (*view.players, *view.waiting)):
            raise Refusal(Refused.ELSEWHERE)


async def _refusal_answer(services: Services, press: Press, asked: CallbackData, refused: Refusal) -> Answer:
    """The refusal in words that fit what the person sees; a question or menu that is over goes with it."""
    tr, reason = press.visitor.tr, refused.reason
    view = None
    if reason is not Refused.TABLE_GONE and Where.TABLE_MESSAGE in asked.where:
        view = await services.queries.view(asked.table_id, press.visitor.user_id)
    text = refusal(reason, tr, view, refused.who)
    if reason in _OF_THE_PAST and await _is_superseded(services, press, asked):
        text = answers.old_message(tr, is_private=press.visitor.is_private)
    is_moot = Where.QUESTION in asked.where and reason in confirmations.MOOT
    is_over = Where.TABLE_MENU in asked.where and reason in confirmations.OVER
    return Answer(text, then=confirmations.removing(services, press) if is_moot or is_over else None)


def _is_on_table_message(press: Press, asked: CallbackData) -> bool:
    """Was this pressed on a message that has it, and that only a table's messages may have?"""
    return Where.TABLE_MESSAGE in asked.where and press.is_on_it


async def _is_superseded(services: Services, press: Press, asked: CallbackData) -> bool:
    """Was this pressed on a message of the table that another has replaced?"""
    if not _is_on_table_message(press, asked):
        return False
    return not await services.messages.is_living(asked.table_id, press.visitor.chat_id, press.message_id)


def _with_orphan_deleted(services: Services, press: Press, asked: CallbackData, answer: Answer) -> Answer:
    """The same answer; afterwards the message that was pressed is deleted if its table does not know it."""

    async def then() -> None:
        await services.messages.delete_orphan(asked.table_id, press.visitor.chat_id, press.message_id)
        if answer.then is not None:
            await answer.then()

    return replace(answer, then=then)


async def _answer(query: CallbackQuery, answer: Answer) -> None:
    where = {"user": query.from_user.id}
    try:
        await query.answer(text=answer.text or None, show_alert=answer.alert or None, url=answer.url)
    except BadRequest as error:
        if any(text in error.message.lower() for text in _TOO_OLD):
            # Nobody waits for this answer any more, and what was asked for is done.
            log.info("press answered too late: %s", error, extra=where)
        else:
            log.error("Telegram finds the answer to a press wrong: %s", error, extra=where)
    except TelegramError as error:
        log.warning("press not answered: %s", error, extra=where)
