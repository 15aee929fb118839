"""Dispatches callback queries to the handlers of their buttons, and answers each exactly once.

The data is decoded, the visitor identified, and the place checked (`Where`); then the handler carries out the
request or refuses it. The answer is sent right after the commit, before any message is touched. If that takes
longer than two seconds, an empty answer is sent, so that the button stops spinning, and the text follows as a
message (`late`). Finally, an orphan is deleted: a message with a table's buttons that the table does not
know. Callback data comes from clients and may be anything.
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
from bot.handlers.late import LateAnswers
from bot.handlers.services import Services
from bot.handlers.visitor import identify
from bot.screens import answers
from bot.screens.answers import refusal
from bot.tables.refusals import Refusal, Refused

log = logging.getLogger(__name__)

PATIENCE_SECONDS = 2.0

_OUTDATED = (Refused.STALE, Refused.NOT_BETWEEN, Refused.NOT_IN_LOBBY, Refused.NOT_YOUR_TURN)
"""Refusals of buttons that were made for an earlier state of the table."""

_TOO_OLD = ("query is too old", "query_id_invalid")
"""Parts of the Bot API's error messages for callback queries that can no longer be answered."""


def handler(services: Services) -> CallbackQueryHandler[ContextTypes.DEFAULT_TYPE, None]:
    """The handler of all callback queries."""

    late = LateAnswers(services)

    async def on_press(update: Update, _context: ContextTypes.DEFAULT_TYPE) -> None:
        query = update.callback_query
        assert query is not None
        asked = decode(query.data or "")
        with services.messages.answering("" if asked is None else asked.table_id):
            work = asyncio.create_task(_handle_press(services, update, query, asked))
            answer = await _await_answer(query, work, services, late)
        if answer.then is not None:
            await answer.then()

    return CallbackQueryHandler(on_press)


async def _await_answer(
    query: CallbackQuery, work: asyncio.Task[Answer], services: Services, late: LateAnswers
) -> Answer:
    """Wait for the work and send its answer, or an apology for an error; as a message if it took too long."""
    await asyncio.wait({work}, timeout=PATIENCE_SECONDS)
    is_late = not work.done()
    if is_late:
        await _send_answer(query, late.take_kept(query))

    async def give(answer: Answer) -> None:
        if is_late:
            late.tell(query, answer)
        else:
            await _send_answer(query, answer)

    try:
        answer = await work
    except Exception:
        await give(Answer(await _apology(services, query)))
        raise
    await give(answer)
    return answer


def _has_button(message: MaybeInaccessibleMessage | None, data: str | None) -> bool:
    keyboard = message.reply_markup if isinstance(message, Message) else None
    return keyboard is not None and any(
        button.callback_data == data for row in keyboard.inline_keyboard for button in row
    )


async def _apology(services: Services, query: CallbackQuery) -> str:
    """The answer after an internal error, which the application's error handler logs."""
    return answers.fault(await translator_of(services, query.from_user, None))


async def _handle_press(
    services: Services, update: Update, query: CallbackQuery, asked: CallbackData | None
) -> Answer:
    visitor = await identify(update, services)
    if visitor is None:
        return Answer()
    message_id = query.message.message_id if query.message is not None else 0
    press = Press(
        visitor,
        message_id,
        is_on_it=_has_button(query.message, query.data),
        is_on_picture=isinstance(query.message, Message) and bool(query.message.photo),
    )
    if visitor.is_private:
        services.messages.note_activity(visitor.user_id)
    return await dispatch(services, press, asked)


async def dispatch(services: Services, press: Press, asked: CallbackData | None) -> Answer:
    """Have the button's handler carry out a press, and return its answer or the text of the refusal.

    `asked` is None for data that no button has.
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
            if asked.table_id:  # a handler that only reads has not marked the person present
                await services.tables.mark_present(asked.table_id, visitor.user_id)
        log.debug("press carried out", extra=facts)
    except Refusal as refused:
        log.info("press refused: %s", refused.reason, extra=facts)
        answer = await _refusal_answer(services, press, asked, refused)
    if _is_on_table_message(press, asked):
        return _with_orphan_deleted(services, press, asked, answer)
    return answer


async def _require_allowed_elsewhere(services: Services, press: Press, asked: CallbackData) -> None:
    """Raise Refusal (elsewhere) if the button may not be pressed outside of its table's own chat.

    Telegram says where a button was pressed and by whom; a client can forge only the data.
    """
    if Where.TABLE_CHAT in asked.where:
        raise Refusal(Refused.ELSEWHERE)
    if Where.TABLE_CHAT_OR_PLAYER in asked.where:
        view = await services.queries.view(asked.table_id, press.visitor.user_id)
        if all(person.user_id != press.visitor.user_id for person in (*view.players, *view.waiting)):
            raise Refusal(Refused.ELSEWHERE)


async def _refusal_answer(services: Services, press: Press, asked: CallbackData, refused: Refusal) -> Answer:
    """Word the refusal according to what the person sees; remove a question or menu that is pointless now."""
    tr, reason = press.visitor.tr, refused.reason
    view = None
    if reason is not Refused.TABLE_GONE and Where.TABLE_MESSAGE in asked.where:
        view = await services.queries.view(asked.table_id, press.visitor.user_id)
    text = refusal(reason, tr, view, refused.who)
    if reason in _OUTDATED and _is_on_table_message(press, asked):
        place = asked.table_id, press.visitor.chat_id, press.message_id
        if await services.messages.is_living(*place):
            await services.messages.show_again(*place)
        else:
            text = answers.old_message(tr, is_private=press.visitor.is_private)
    is_moot = Where.QUESTION in asked.where and reason in confirmations.MOOT
    is_over = Where.TABLE_MENU in asked.where and reason in confirmations.OVER
    return Answer(text, then=confirmations.removing(services, press) if is_moot or is_over else None)


def _is_on_table_message(press: Press, asked: CallbackData) -> bool:
    """Whether the button is on the message, and belongs only to a table's messages."""
    return Where.TABLE_MESSAGE in asked.where and press.is_on_it


def _with_orphan_deleted(services: Services, press: Press, asked: CallbackData, answer: Answer) -> Answer:
    """Return an answer after which the pressed message is deleted if its table does not know it."""

    async def then() -> None:
        await services.messages.delete_orphan(asked.table_id, press.visitor.chat_id, press.message_id)
        if answer.then is not None:
            await answer.then()

    return replace(answer, then=then)


async def _send_answer(query: CallbackQuery, answer: Answer) -> None:
    where = {"user": query.from_user.id}
    try:
        await query.answer(text=answer.text or None, show_alert=answer.alert or None, url=answer.url)
    except BadRequest as error:
        if any(text in error.message.lower() for text in _TOO_OLD):
            # Telegram no longer accepts an answer; the request itself has been carried out.
            log.info("press answered too late: %s", error, extra=where)
        else:
            log.error("Telegram finds the answer to a press wrong: %s", error, extra=where)
    except TelegramError as error:
        log.warning("press not answered: %s", error, extra=where)
