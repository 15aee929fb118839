"""Words that are no command, in private: nobody reads them, unless their writer has them told at the table.

Whoever has not chosen otherwise is asked each time. At several tables the writer says which one, always. What
is told makes no message of its own: it goes from the chat, where it would bury the cards, and stands under
the table and in everybody's hand. Before there is a hand it stays, and the writer is told where it stands.
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
    """Tell the table what the presser was asked about; `always`: from now on without a question."""
    visitor = _in_private(press)
    text = services.unsaid.find(visitor.user_id, asked.message_id)
    if text is None:
        return Answer(done(Done.WORDS_GONE, visitor.tr), then=removing(services, press))
    try:
        await _require_audience(services, visitor, asked.table, text)
        # Telegram may have taken long: words that were kept meanwhile, or forgotten, are told to nobody.
        if not await _is_told(services, visitor, asked):
            return Answer(done(Done.WORDS_GONE, visitor.tr), then=removing(services, press))
    except Refusal as refused:
        if refused.reason is Refused.TOO_SOON:
            raise  # the question stands: in a few seconds it can be answered
        services.unsaid.drop(visitor.user_id, asked.message_id)
        return Answer(refusal(refused.reason, visitor.tr), then=removing(services, press))
    if asked.always:
        await services.storage.people.choose(visitor.user_id, CHOICES["telling"], Telling.ALWAYS)
    remove_question = removing(services, press)

    async def then() -> None:
        if remove_question is not None:
            await remove_question()
        await _tidy(services, visitor, asked.table, asked.message_id)

    return Answer(done(Done.TOLD, visitor.tr), then=then)


async def _is_told(services: Services, visitor: Visitor, asked: buttons.TellTable) -> bool:
    """Tell the table these words, once; False if the question about them has passed. Raises Refusal.

    Whatever comes in the way, they are kept.
    """
    words = services.unsaid.take(visitor.user_id, asked.message_id)
    if words is None:
        return False
    try:
        await services.tables.act(asked.table, visitor.user_id, transitions.say, words.text)
    except BaseException:
        services.unsaid.put_back(visitor.user_id, words)
        raise
    return True


@on(buttons.KeepWords)
async def keep_words(services: Services, press: Press, asked: buttons.KeepWords) -> Answer:
    """Tell nobody; `always`: and ask no more."""
    visitor = _in_private(press)
    services.unsaid.drop(visitor.user_id, asked.message_id)
    if asked.always:
        await services.storage.people.choose(visitor.user_id, CHOICES["telling"], Telling.NEVER)
    what = Done.WORDS_KEPT_ALWAYS if asked.always else Done.WORDS_KEPT
    return Answer(done(what, visitor.tr), then=removing(services, press))


def _in_private(press: Press) -> Visitor:
    """Who presses. Raises Refusal: table_gone outside of private chats, where there are no such buttons."""
    if not press.visitor.is_private:
        raise Refusal(Refused.TABLE_GONE)
    return press.visitor


_PRIVATE = filters.ChatType.PRIVATE & filters.UpdateType.MESSAGE


@on_message(_PRIVATE & filters.TEXT & ~filters.COMMAND)
async def on_text(services: Services, update: Update) -> None:
    """Ask about it, tell it, or keep it, as its writer has chosen; where nobody would hear it, say so."""
    async with apologizing(services, update):
        message = update.message
        visitor = await identify(update, services)
        if message is None or visitor is None or not message.text:
            return
        try:
            tables = await _listening(services, visitor)
            if tables:
                await _hear(services, visitor, tables, message.message_id, message.text)
            else:
                screen = guide.own_tables([], visitor.tr, services.bot_username)
                await reply(services, visitor, Kind.TALK, screen)
        except Refusal as refused:
            await _refuse(services, visitor, refused.reason)


@on_message(_PRIVATE & filters.COMMAND)
async def on_unknown_command(services: Services, update: Update) -> None:
    """What begins as a command, and none of the handlers before this one has taken."""
    async with apologizing(services, update):
        visitor = await identify(update, services)
        if visitor is not None:
            await _refuse(services, visitor, Refused.UNKNOWN_COMMAND)


async def _listening(services: Services, visitor: Visitor) -> list[TableView]:
    """The tables at which this person may say something; none where there is no table at all.

    Raises Refusal: why none of them listens.
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


async def _hear(
    services: Services, visitor: Visitor, tables: list[TableView], message_id: int, text: str
) -> None:
    """Do with these words as their writer has chosen. Raises Refusal."""
    if await _telling(services, visitor) is Telling.ALWAYS and len(tables) == 1:
        await _require_audience(services, visitor, tables[0].id, text)
    telling = await _telling(
        services, visitor
    )  # once more: it may have been changed while Telegram was asked
    if telling is Telling.NEVER:
        await reply(services, visitor, Kind.TALK, screens.not_posted(visitor.tr))
    elif telling is Telling.ALWAYS and len(tables) == 1:
        await services.tables.act(tables[0].id, visitor.user_id, transitions.say, text)
        await _tidy(services, visitor, tables[0].id, message_id)
    else:
        table_id = tables[0].id if len(tables) == 1 else ""
        services.unsaid.keep(visitor.user_id, message_id, text, table_id)
        screen = screens.ask_telling(tables, text, message_id, visitor.tr)
        await ask(services, visitor, Kind.TALK_QUESTION, screen, table_id=table_id)


async def _telling(services: Services, visitor: Visitor) -> Telling:
    """What this person has chosen."""
    person = await services.storage.people.get(visitor.user_id)
    return Telling.ASK if person is None else person.settings.telling


async def _require_audience(services: Services, visitor: Visitor, table_id: str, text: str) -> None:
    """Raise Refusal unless this may be told at the table: not_member, muted, and as `say`.

    Telegram is asked last: only about words that could be told, of which there are few.
    """
    await services.tables.check(table_id, transitions.say, visitor.user_id, text)
    await require_unmuted(services, await services.queries.chat_of(table_id), visitor.user_id)


async def _tidy(services: Services, visitor: Visitor, table_id: str, message_id: int) -> None:
    """What was told goes from the chat where the hand shows it; else its writer is told where it stands."""
    view = await services.queries.view(table_id, visitor.user_id)
    if view.you is None:
        await reply(services, visitor, Kind.TALK, screens.posted(view, visitor.tr))
        return
    try:
        await services.outbox.remove(visitor.chat_id, message_id)
    except CallFailed as failure:
        log.info("words not removed: %s", failure, extra={"user": visitor.user_id})


async def _refuse(services: Services, visitor: Visitor, reason: Refused | Reason) -> None:
    """Say why it is not done."""
    notice = guide.notice(refusal(reason, visitor.tr), reason, visitor.tr, services.bot_username)
    await reply(services, visitor, Kind.TALK, notice)
