"""At the table: laying, drawing, passing, looking at one's cards, being there, and the next deal."""

from __future__ import annotations

from random import Random

from telegram import Update
from telegram.ext import BaseHandler, ContextTypes

from bot import callbacks
from bot.handlers.answer import Answer, Press
from bot.handlers.commands import command, replace_answer, reply
from bot.handlers.guest import Guest
from bot.handlers.parts import Parts
from bot.screens import answers
from bot.screens import help as guide
from bot.screens.notices import hands_sent
from bot.tables.lifecycle import Phase
from bot.tables.refusals import Refusal, Refused
from bot.tables.view import TableView
from engine.players import advise


async def lay(parts: Parts, press: Press, asked: callbacks.Lay) -> Answer:
    """Lay a card."""
    await parts.tables.lay(asked.table, press.guest.user_id, asked.stamp, asked.card, asked.suit)
    return Answer()


async def take(parts: Parts, press: Press, asked: callbacks.Take) -> Answer:
    """Draw."""
    await parts.tables.take(asked.table, press.guest.user_id, asked.stamp)
    return Answer()


async def pass_turn(parts: Parts, press: Press, asked: callbacks.PassTurn) -> Answer:
    """Pass."""
    await parts.tables.pass_turn(asked.table, press.guest.user_id, asked.stamp)
    return Answer()


async def pick_suit(parts: Parts, press: Press, asked: callbacks.PickSuit) -> Answer:
    """Show the suits to choose from. Nothing is played before one is chosen."""
    await parts.tables.check_turn(asked.table, press.guest.user_id, asked.stamp)
    parts.presenter.choose_suit(asked.table, press.guest.user_id, asked.stamp, asked.card)
    return Answer()


async def back_to_hand(parts: Parts, press: Press, asked: callbacks.BackToHand) -> Answer:
    """From the suits back to the hand."""
    await parts.tables.check_turn(asked.table, press.guest.user_id, asked.stamp)
    parts.presenter.choose_suit(asked.table, press.guest.user_id, asked.stamp, None)
    return Answer()


async def put_aside(parts: Parts, press: Press, asked: callbacks.PutAside) -> Answer:
    """Have a card laid when the turn comes; has it come already, lay it."""
    user_id = press.guest.user_id
    await parts.tables.put_aside(asked.table, user_id, asked.round, asked.card, asked.suit)
    parts.presenter.choose_suit(asked.table, user_id, asked.round, None)
    return Answer()


async def pick_aside(parts: Parts, press: Press, asked: callbacks.PickAside) -> Answer:
    """Show the suits that a wild put aside may order. Nothing is put aside before one is chosen."""
    await _require_seat(parts, asked.table, press)
    parts.presenter.choose_suit(asked.table, press.guest.user_id, asked.round, asked.card)
    return Answer()


async def leave_aside(parts: Parts, press: Press, asked: callbacks.LeaveAside) -> Answer:
    """From these suits back to the hand."""
    await _require_seat(parts, asked.table, press)
    parts.presenter.choose_suit(asked.table, press.guest.user_id, 0, None)
    return Answer()


async def take_back(parts: Parts, press: Press, asked: callbacks.TakeBack) -> Answer:
    """Have nothing laid when the turn comes."""
    await parts.tables.take_back(asked.table, press.guest.user_id)
    return Answer()


async def why(parts: Parts, press: Press, asked: callbacks.Why) -> Answer:
    """Why the other cards may not be laid."""
    await parts.tables.check_turn(asked.table, press.guest.user_id, asked.stamp)
    view = await parts.tables.view(asked.table, press.guest.user_id)
    return Answer(answers.why(view, press.guest.words), alert=True)


async def hint(parts: Parts, press: Press, asked: callbacks.Hint) -> Answer:
    """What a computer player of the middle level would do in the presser's place. Nothing is done."""
    await parts.tables.check_turn(asked.table, press.guest.user_id, asked.stamp)
    view = await parts.tables.view(asked.table, press.guest.user_id)
    if not view.hints:
        raise Refusal(Refused.NO_HINTS)
    assert view.game is not None, "it is his turn"
    chance = Random(str(asked.stamp))  # noqa: S311 - between equally good moves, the same when asked again
    return Answer(answers.hint(advise(view.game, chance), view, press.guest.words), alert=True)


async def peek(parts: Parts, press: Press, asked: callbacks.Peek) -> Answer:
    """The presser's own hand, in an alert that only he sees."""
    view = await parts.tables.view(asked.table, press.guest.user_id)
    if view.phase is Phase.OVER:
        raise Refusal(Refused.TABLE_OVER)
    if view.you is None:
        is_waiting = any(player.user_id == press.guest.user_id for player in view.waiting)
        raise Refusal(Refused.NOT_DEALT_IN if is_waiting else Refused.STRANGER)
    return Answer(answers.peek(view, press.guest.words, press.guest.hand_order), alert=True)


async def here(parts: Parts, press: Press, asked: callbacks.Here) -> Answer:
    """Back at the table. That he has pressed has been noticed already, as with every button of the table."""
    view = await parts.tables.view(asked.table, press.guest.user_id)
    if view.banished:
        raise Refusal(Refused.BANISHED)
    if view.you is None:
        raise Refusal(Refused.NOT_SEATED)
    return Answer(answers.done(answers.Done.HERE, press.guest.words))


async def hurry(parts: Parts, press: Press, asked: callbacks.Hurry) -> Answer:
    """Anybody in the group may hurry the player to move on, where no clock does."""
    await parts.tables.hurry(asked.table)
    return Answer(answers.done(answers.Done.HURRIED, press.guest.words))


async def deal_next(parts: Parts, press: Press, asked: callbacks.DealNext) -> Answer:
    """The next round, now."""
    await parts.tables.deal_next(asked.table, press.guest.user_id, asked.round)
    return Answer()


async def cut_deck(parts: Parts, press: Press, asked: callbacks.CutDeck) -> Answer:
    """Cut the deck, which is then dealt."""
    await parts.tables.cut(asked.table, press.guest.user_id, asked.round, asked.at)
    return Answer()


async def _require_seat(parts: Parts, table_id: str, press: Press) -> TableView:
    """The table as who presses sees it from his seat. Raises Refusal: table_gone, not_seated."""
    view = await parts.tables.view(table_id, press.guest.user_id)
    if view.you is None:
        raise Refusal(Refused.NOT_SEATED)
    return view


def handlers(parts: Parts) -> list[BaseHandler[Update, ContextTypes.DEFAULT_TYPE, None]]:
    """The commands of this room."""

    async def hand(guest: Guest) -> None:
        """`/hand`: all one's hands anew."""
        tables = await parts.tables.running_of(guest.user_id)
        if not tables:
            raise Refusal(Refused.AT_NO_TABLE)
        if not guest.reachable:
            raise Refusal(Refused.NO_PRIVATE_CHAT)
        has_any = False
        for table_id in tables:
            await parts.tables.notice(table_id, guest.user_id)
            view = await parts.tables.view(table_id, guest.user_id)
            if view.you is not None:
                has_any = True
                await parts.presenter.renew_hand(table_id, guest.user_id)
        if not has_any:
            raise Refusal(Refused.NO_CARDS)
        if not guest.is_private:
            await replace_answer(parts, guest, "hand", hands_sent(guest.chat_words, parts.bot_username))

    async def table(guest: Guest) -> None:
        """`/table`: the table down here; in private, the way to one's tables."""
        if guest.is_private:
            tables = []
            for table_id in await parts.tables.running_of(guest.user_id):
                view = await parts.tables.view(table_id, guest.user_id)
                if view.is_alone:
                    await parts.presenter.renew_hand(table_id, guest.user_id)
                else:
                    tables.append((view, await parts.presenter.table_url(table_id)))
            if not tables and await parts.tables.at(guest.chat_id, 0) is not None:
                return
            await reply(parts, guest, guide.way_to_tables(tables, guest.words, parts.bot_username))
            return
        here = await parts.tables.at(guest.chat_id, guest.thread_id)
        if here is None:
            raise Refusal(Refused.NO_TABLE)
        await parts.tables.readmit(guest.chat_id)
        parts.presenter.reachable_again(guest.chat_id)
        await parts.presenter.bring_down(here)

    return [command("hand", parts, hand), command("table", parts, table)]
