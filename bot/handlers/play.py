"""Playing at the table: moves, premoves, hints, the own hand, presence, and the next deal."""

from __future__ import annotations

from random import Random

from bot import buttons
from bot.handlers.answer import Answer, Press, on
from bot.handlers.commands import command, reply
from bot.handlers.services import Services
from bot.handlers.visitor import Visitor
from bot.messages.kinds import Kind
from bot.screens import answers
from bot.screens import help as guide
from bot.screens.notices import hands_sent
from bot.tables import transitions
from bot.tables.lifecycle import TablePhase
from bot.tables.refusals import Refusal, Refused
from bot.tables.view import TableView
from engine.players import advise


@on(buttons.Lay)
async def lay(services: Services, press: Press, asked: buttons.Lay) -> Answer:
    """Play a card."""
    await services.tables.act(
        asked.table, press.visitor.user_id, transitions.lay, asked.stamp, asked.card, asked.suit
    )
    return Answer()


@on(buttons.Take)
async def take(services: Services, press: Press, asked: buttons.Take) -> Answer:
    """Draw."""
    await services.tables.act(asked.table, press.visitor.user_id, transitions.take, asked.stamp)
    return Answer()


@on(buttons.PassTurn)
async def pass_turn(services: Services, press: Press, asked: buttons.PassTurn) -> Answer:
    """Pass."""
    await services.tables.act(asked.table, press.visitor.user_id, transitions.pass_turn, asked.stamp)
    return Answer()


@on(buttons.PickSuit)
async def pick_suit(services: Services, press: Press, asked: buttons.PickSuit) -> Answer:
    """Open the choice of a suit; nothing is played yet."""
    await services.tables.act(asked.table, press.visitor.user_id, transitions.check_turn, asked.stamp)
    services.messages.choose_suit(asked.table, press.visitor.user_id, asked.stamp, asked.card)
    return Answer()


@on(buttons.BackToHand)
async def back_to_hand(services: Services, press: Press, asked: buttons.BackToHand) -> Answer:
    """Return from the choice of a suit to the hand."""
    await services.tables.act(asked.table, press.visitor.user_id, transitions.check_turn, asked.stamp)
    services.messages.choose_suit(asked.table, press.visitor.user_id, asked.stamp, None)
    return Answer()


@on(buttons.SetPremove)
async def set_premove(services: Services, press: Press, asked: buttons.SetPremove) -> Answer:
    """Set the premove; if the turn has already come, play the card."""
    user_id = press.visitor.user_id
    await services.tables.act(
        asked.table, user_id, transitions.set_premove, asked.round, asked.card, asked.suit
    )
    services.messages.choose_suit(asked.table, user_id, asked.round, None)
    return Answer()


@on(buttons.PickPremoveSuit)
async def pick_premove_suit(services: Services, press: Press, asked: buttons.PickPremoveSuit) -> Answer:
    """Open the choice of a suit for a premove; nothing is set yet."""
    await _require_seat(services, asked.table, press)
    services.messages.choose_suit(asked.table, press.visitor.user_id, asked.round, asked.card)
    return Answer()


@on(buttons.LeavePremoveSuit)
async def leave_premove_suit(services: Services, press: Press, asked: buttons.LeavePremoveSuit) -> Answer:
    """Return from the choice of a premove's suit to the hand."""
    await _require_seat(services, asked.table, press)
    services.messages.choose_suit(asked.table, press.visitor.user_id, 0, None)
    return Answer()


@on(buttons.CancelPremove)
async def cancel_premove(services: Services, press: Press, asked: buttons.CancelPremove) -> Answer:
    """Cancel the premove."""
    await services.tables.act(asked.table, press.visitor.user_id, transitions.cancel_premove)
    return Answer()


@on(buttons.ExplainRefusal)
async def explain_refusal(services: Services, press: Press, asked: buttons.ExplainRefusal) -> Answer:
    """Explain why the other cards may not be played."""
    await services.tables.act(asked.table, press.visitor.user_id, transitions.check_turn, asked.stamp)
    view = await services.queries.view(asked.table, press.visitor.user_id)
    return Answer(answers.explain_refusal(view, press.visitor.tr), alert=True)


@on(buttons.ShowHint)
async def hint(services: Services, press: Press, asked: buttons.ShowHint) -> Answer:
    """Show what a computer player of the middle level would play; no move is made."""
    await services.tables.act(asked.table, press.visitor.user_id, transitions.check_turn, asked.stamp)
    view = await services.queries.view(asked.table, press.visitor.user_id)
    if not view.hints:
        raise Refusal(Refused.NO_HINTS)
    assert view.game is not None, "it is the presser's turn"
    chance = Random(str(asked.stamp))  # noqa: S311 - between equally good moves, the same when asked again
    return Answer(answers.hint(advise(view.game, chance), view, press.visitor.tr), alert=True)


@on(buttons.Peek)
async def peek(services: Services, press: Press, asked: buttons.Peek) -> Answer:
    """Show the presser's own hand in an alert."""
    view = await services.queries.view(asked.table, press.visitor.user_id)
    if view.phase is TablePhase.OVER:
        raise Refusal(Refused.TABLE_OVER)
    if view.you is None:
        is_waiting = any(player.user_id == press.visitor.user_id for player in view.waiting)
        raise Refusal(Refused.NOT_DEALT_IN if is_waiting else Refused.STRANGER)
    return Answer(answers.peek(view, press.visitor.tr, press.visitor.hand_order), alert=True)


@on(buttons.Here)
async def here(services: Services, press: Press, asked: buttons.Here) -> Answer:
    """Confirm that the presser is present; `dispatch` marks them as with every button of a table."""
    view = await services.queries.view(asked.table, press.visitor.user_id)
    if view.banished:
        raise Refusal(Refused.BANISHED)
    if view.you is None:
        raise Refusal(Refused.NOT_SEATED)
    return Answer(answers.done(answers.Done.HERE, press.visitor.tr))


@on(buttons.Nudge)
async def nudge(services: Services, press: Press, asked: buttons.Nudge) -> Answer:
    """Notify the player to move again, where no clock runs; anybody in the group may do that."""
    await services.tables.act(asked.table, press.visitor.user_id, transitions.nudge)
    return Answer(answers.done(answers.Done.NUDGED, press.visitor.tr))


@on(buttons.DealNext)
async def deal_next(services: Services, press: Press, asked: buttons.DealNext) -> Answer:
    """Deal the next round now."""
    await services.tables.act(asked.table, press.visitor.user_id, transitions.deal_next, asked.round)
    return Answer()


@on(buttons.CutDeck)
async def cut_deck(services: Services, press: Press, asked: buttons.CutDeck) -> Answer:
    """Cut and deal the deck."""
    await services.tables.act(asked.table, press.visitor.user_id, transitions.cut, asked.round, asked.at)
    return Answer()


async def _require_seat(services: Services, table_id: str, press: Press) -> TableView:
    """Return the presser's view of the table. Raises Refusal: table_gone, not_seated."""
    view = await services.queries.view(table_id, press.visitor.user_id)
    if view.you is None:
        raise Refusal(Refused.NOT_SEATED)
    return view


@command("hand")
async def hand(services: Services, visitor: Visitor) -> None:
    """`/hand`: send all of the person's hands again."""
    tables = await services.queries.running_of(visitor.user_id)
    if not tables:
        raise Refusal(Refused.AT_NO_TABLE)
    if not visitor.reachable:
        raise Refusal(Refused.NO_PRIVATE_CHAT)
    has_any = False
    for table_id in tables:
        await services.tables.mark_present(table_id, visitor.user_id)
        view = await services.queries.view(table_id, visitor.user_id)
        if view.you is not None:
            has_any = True
            await services.messages.renew_hand(table_id, visitor.user_id)
    if not has_any:
        raise Refusal(Refused.NO_CARDS)
    if not visitor.is_private:
        await reply(services, visitor, Kind.HANDS_SENT, hands_sent(visitor.chat_tr, services.bot_username))


@command("table")
async def table(services: Services, visitor: Visitor) -> None:
    """`/table`: repost the table; in private, links to the person's tables."""
    if visitor.is_private:
        tables = []
        for table_id in await services.queries.running_of(visitor.user_id):
            view = await services.queries.view(table_id, visitor.user_id)
            if view.is_solo:
                await services.messages.renew_hand(table_id, visitor.user_id)
            else:
                tables.append((view, await services.messages.table_url(table_id)))
        if not tables and await services.queries.at(visitor.chat_id, 0) is not None:
            return
        await reply(
            services, visitor, Kind.OWN_TABLES, guide.own_tables(tables, visitor.tr, services.bot_username)
        )
        return
    here = await services.queries.at(visitor.chat_id, visitor.thread_id)
    if here is None:
        raise Refusal(Refused.NO_TABLE)
    await services.tables.change_in(visitor.chat_id, transitions.bot_returned)
    services.messages.access_restored(visitor.chat_id)
    await services.messages.repost(here)
