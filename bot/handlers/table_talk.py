"""Table talk: private texts that are not commands can be posted at the writer's table.

By default the writer is asked each time, and at several tables always, which one. A posted text is not a
message of its own: it is shown under the board and in everybody's hand, and removed from the private chat,
where it would bury the cards. If the writer has no hand yet, it stays there, and a note says where it is
shown.
"""

from __future__ import annotations

import logging

from telegram import Update
from telegram.ext import filters

from bot import buttons
from bot.handlers.answer import Answer, Press, on
from bot.handlers.commands import reply
from bot.handlers.confirmations import ask, removing
from bot.handlers.failures import apologizing
from bot.handlers.members import require_unmuted
from bot.handlers.registry import on_message
from bot.handlers.services import Services
from bot.handlers.visitor import Visitor, identify
from bot.messages.gateway import CallFailed
from bot.messages.kinds import Kind
from bot.screens import help as guide
from bot.screens import talk as screens
from bot.screens.answers import Done, done, refusal
from bot.settings import CHOICES, Telling
from bot.tables import transitions
from bot.tables.refusals import Refusal, Refused
from bot.tables.view import TableView
from engine import Reason

log = logging.getLogger(__name__)


@on(buttons.TellTable)
async def tell_table(services: Services, press: Press, asked: buttons.TellTable) -> Answer:
    """Post the text that the presser was asked about; `always`: post later ones without asking."""
    visitor = _in_private(press)
    text = services.pending_texts.find(visitor.user_id, asked.message_id)
    if text is None:
        return Answer(done(Done.WORDS_GONE, visitor.tr), then=removing(services, press))
    try:
        await _require_audience(services, visitor, asked.table, text)
        # The look-up may have taken long: the question may have been answered meanwhile.
        if not await _post(services, visitor, asked):
            return Answer(done(Done.WORDS_GONE, visitor.tr), then=removing(services, press))
    except Refusal as refused:
        if refused.reason is Refused.TOO_SOON:
            raise  # the question stands: in a few seconds it can be answered
        services.pending_texts.drop(visitor.user_id, asked.message_id)
        return Answer(refusal(refused.reason, visitor.tr), then=removing(services, press))
    if asked.always:
        await services.storage.people.choose(visitor.user_id, CHOICES["telling"], Telling.ALWAYS)
    remove_question = removing(services, press)

    async def then() -> None:
        if remove_question is not None:
            await remove_question()
        await _clean_up(services, visitor, asked.table, asked.message_id)

    return Answer(done(Done.TOLD, visitor.tr), then=then)


async def _post(services: Services, visitor: Visitor, asked: buttons.TellTable) -> bool:
    """Post the text once; return False if the question about it is over. Raises Refusal.

    After any exception the question is still open.
    """
    pending = services.pending_texts.take(visitor.user_id, asked.message_id)
    if pending is None:
        return False
    try:
        await services.tables.act(asked.table, visitor.user_id, transitions.say, pending.text)
    except BaseException:
        services.pending_texts.put_back(visitor.user_id, pending)
        raise
    return True


@on(buttons.KeepWords)
async def keep_words(services: Services, press: Press, asked: buttons.KeepWords) -> Answer:
    """Do not post the text; `always`: do not ask again."""
    visitor = _in_private(press)
    services.pending_texts.drop(visitor.user_id, asked.message_id)
    if asked.always:
        await services.storage.people.choose(visitor.user_id, CHOICES["telling"], Telling.NEVER)
    what = Done.WORDS_KEPT_ALWAYS if asked.always else Done.WORDS_KEPT
    return Answer(done(what, visitor.tr), then=removing(services, press))


def _in_private(press: Press) -> Visitor:
    """Return the presser. Raises Refusal: table_gone in a group, where there are no such buttons."""
    if not press.visitor.is_private:
        raise Refusal(Refused.TABLE_GONE)
    return press.visitor


_PRIVATE = filters.ChatType.PRIVATE & filters.UpdateType.MESSAGE


@on_message(_PRIVATE & filters.TEXT & ~filters.COMMAND)
async def on_text(services: Services, update: Update) -> None:
    """Handle a private text as its writer has chosen, or say that there is no table for it."""
    async with apologizing(services, update):
        message = update.message
        visitor = await identify(update, services)
        if message is None or visitor is None or not message.text:
            return
        try:
            tables = await _listening_tables(services, visitor)
            if tables:
                await _handle_text(services, visitor, tables, message.message_id, message.text)
            else:
                screen = guide.own_tables([], visitor.tr, services.bot_username)
                await reply(services, visitor, Kind.TALK, screen)
        except Refusal as refused:
            await _refuse(services, visitor, refused.reason)


@on_message(_PRIVATE & filters.COMMAND)
async def on_unknown_command(services: Services, update: Update) -> None:
    """Answer a private message that begins like a command but is none."""
    async with apologizing(services, update):
        visitor = await identify(update, services)
        if visitor is not None:
            await _refuse(services, visitor, Refused.UNKNOWN_COMMAND)


async def _listening_tables(services: Services, visitor: Visitor) -> list[TableView]:
    """Return the tables where this person may chat; empty if they are at no table.

    Raises Refusal if they are at tables, but may chat at none of them.
    """
    listening = []
    reason: Refused | Reason | None = None
    for table_id in await services.queries.running_of(visitor.user_id):
        view = await services.queries.view(table_id, visitor.user_id)
        if view.is_solo:
            reason = reason or Refused.NOBODY_LISTENS
            continue
        try:
            await services.queries.check_voice(table_id, visitor.user_id)
        except Refusal as refused:
            reason = refused.reason
        else:
            listening.append(view)
    if not listening and reason is not None:
        raise Refusal(reason)
    return listening


async def _handle_text(
    services: Services, visitor: Visitor, tables: list[TableView], message_id: int, text: str
) -> None:
    """Post the text, ask about it or ignore it, as its writer has chosen. Raises Refusal."""
    if await _telling(services, visitor) is Telling.ALWAYS and len(tables) == 1:
        await _require_audience(services, visitor, tables[0].id, text)
    telling = await _telling(
        services, visitor
    )  # once more: it may have been changed while Telegram was asked
    if telling is Telling.NEVER:
        await reply(services, visitor, Kind.TALK, screens.not_posted(visitor.tr))
    elif telling is Telling.ALWAYS and len(tables) == 1:
        await services.tables.act(tables[0].id, visitor.user_id, transitions.say, text)
        await _clean_up(services, visitor, tables[0].id, message_id)
    else:
        table_id = tables[0].id if len(tables) == 1 else ""
        services.pending_texts.keep(visitor.user_id, message_id, text, table_id)
        screen = screens.ask_telling(tables, text, message_id, visitor.tr)
        await ask(services, visitor, Kind.TALK_QUESTION, screen, table_id=table_id)


async def _telling(services: Services, visitor: Visitor) -> Telling:
    person = await services.storage.people.get(visitor.user_id)
    return Telling.ASK if person is None else person.settings.telling


async def _require_audience(services: Services, visitor: Visitor, table_id: str, text: str) -> None:
    """Raise Refusal unless the text may be posted at the table: not_member, muted, and those of `say`.

    The look-up at Telegram comes last, so that it is made only for the few texts that could be posted.
    """
    await services.tables.check(table_id, transitions.say, visitor.user_id, text)
    await require_unmuted(services, await services.queries.chat_of(table_id), visitor.user_id)


async def _clean_up(services: Services, visitor: Visitor, table_id: str, message_id: int) -> None:
    """Remove a posted text from the private chat; if there is no hand to show it, confirm instead."""
    view = await services.queries.view(table_id, visitor.user_id)
    if view.you is None:
        await reply(services, visitor, Kind.TALK, screens.posted(view, visitor.tr))
        return
    try:
        await services.outbox.remove(visitor.chat_id, message_id)
    except CallFailed as failure:
        log.info("words not removed: %s", failure, extra={"user": visitor.user_id})


async def _refuse(services: Services, visitor: Visitor, reason: Refused | Reason) -> None:
    notice = guide.notice(refusal(reason, visitor.tr), reason, visitor.tr, services.bot_username)
    await reply(services, visitor, Kind.TALK, notice)
