"""Every press of a button: who pressed what, the room it belongs to, and exactly one answer.

A press is answered right after what it does has been committed, before any message is touched; if that takes
longer than two seconds, with an empty answer, so that no button keeps spinning; what was to be said comes as
a message then (`late`). Button data comes from clients and may be anything.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from telegram import CallbackQuery, MaybeInaccessibleMessage, Message, Update
from telegram.error import BadRequest, TelegramError
from telegram.ext import CallbackQueryHandler, ContextTypes

from bot import buttons
from bot.buttons import Intention
from bot.handlers import (
    computers,
    confirmations,
    leaderboards,
    lobby,
    members,
    membership,
    onboarding,
    own_settings,
    play,
    rule_sets,
    scores,
    settings,
    solo,
    subscriptions,
    table_talk,
    topics,
    voting,
)
from bot.handlers.answer import Answer, Press
from bot.handlers.late import Late
from bot.handlers.services import Services
from bot.handlers.visitor import identify
from bot.locales import pick_language
from bot.screens import answers
from bot.screens.answers import refusal
from bot.tables.refusals import Refusal, Refused

log = logging.getLogger(__name__)

PATIENCE_SECONDS = 2.0

Handler = Callable[[Services, Press, Any], Awaitable[Answer]]

_HANDLERS: dict[type[Intention], Handler] = {
    buttons.Sit: lobby.sit,
    buttons.Stand: lobby.stand,
    buttons.StartMatch: lobby.start_match,
    buttons.Rematch: lobby.rematch,
    buttons.Peek: play.peek,
    buttons.Lay: play.lay,
    buttons.PickSuit: play.pick_suit,
    buttons.BackToHand: play.back_to_hand,
    buttons.Take: play.take,
    buttons.PassTurn: play.pass_turn,
    buttons.Why: play.why,
    buttons.PutAside: play.set_premove,
    buttons.PickAside: play.pick_aside,
    buttons.LeaveAside: play.leave_aside,
    buttons.TakeBack: play.cancel_premove,
    buttons.Here: play.here,
    buttons.Hurry: play.hurry,
    buttons.DealNext: play.deal_next,
    buttons.CutDeck: play.cut_deck,
    buttons.AskLeave: membership.ask_leave,
    buttons.LeaveMatch: membership.leave_match,
    buttons.StopMatch: voting.stop_match,
    buttons.Kick: voting.kick,
    buttons.LetBack: voting.let_back,
    buttons.VoteFor: voting.vote_for,
    buttons.VoteAgainst: voting.vote_against,
    buttons.OpenComputers: computers.open_computers,
    buttons.Invite: computers.invite,
    buttons.SendOff: computers.send_off,
    buttons.CloseComputers: computers.close_computers,
    buttons.OpenAlone: solo.open_alone,
    buttons.PlayAlone: solo.play_alone,
    buttons.PlayByRules: solo.play_by_rules,
    buttons.Hint: play.hint,
    buttons.RingMe: subscriptions.ring_me,
    buttons.AnswerBell: subscriptions.answer_bell,
    buttons.MuteBell: subscriptions.mute_bell,
    buttons.MoveTable: topics.move_table,
    buttons.Dismiss: confirmations.dismiss,
    buttons.ShowScore: scores.show_score,
    buttons.ShowChart: scores.show_chart,
    buttons.ReadRules: scores.read_rules,
    buttons.SetLanguage: settings.set_language,
    buttons.HouseRules: settings.house_rules,
    buttons.OpenSettings: settings.open_settings,
    buttons.CloseSettings: settings.close_settings,
    buttons.ChooseRule: settings.choose_rule,
    buttons.ChooseEffect: settings.choose_effect,
    buttons.AllowTransfer: settings.allow_transfer,
    buttons.ChoosePreset: settings.choose_preset,
    buttons.ChoosePace: settings.choose_pace,
    buttons.ChooseCut: settings.choose_cut,
    buttons.ChooseTalk: settings.choose_talk,
    buttons.ChooseStandIn: settings.choose_stand_in,
    buttons.ChooseHints: settings.choose_hints,
    buttons.ChooseEditors: settings.choose_editors,
    buttons.ChooseLook: settings.choose_look,
    buttons.OpenRuleSet: rule_sets.open_rule_set,
    buttons.UseRuleSet: rule_sets.use_rule_set,
    buttons.AskDeleteRuleSet: rule_sets.ask_delete,
    buttons.DeleteRuleSet: rule_sets.delete,
    buttons.ChooseSound: own_settings.choose_sound,
    buttons.ChooseForcedMoves: own_settings.choose_forced_moves,
    buttons.ChooseHandOrder: own_settings.choose_hand_order,
    buttons.ChooseHidden: own_settings.choose_hidden,
    buttons.ChooseTelling: own_settings.choose_telling,
    buttons.TellTable: table_talk.tell_table,
    buttons.KeepWords: table_talk.keep_words,
    buttons.HideMe: leaderboards.hide_me,
    buttons.TurnTop: leaderboards.turn_top,
    buttons.TurnStats: leaderboards.turn_stats,
    buttons.OpenLesson: onboarding.open_lesson,
    buttons.TryCard: onboarding.lay_trial_card,
}

_ON_TABLE_MESSAGES = (
    buttons.Sit,
    buttons.Stand,
    buttons.HouseRules,
    buttons.StartMatch,
    buttons.Rematch,
    buttons.Peek,
    buttons.Lay,
    buttons.PickSuit,
    buttons.BackToHand,
    buttons.Take,
    buttons.PassTurn,
    buttons.Why,
    buttons.Hint,
    buttons.OpenComputers,
    buttons.PutAside,
    buttons.PickAside,
    buttons.LeaveAside,
    buttons.TakeBack,
    buttons.Here,
    buttons.Hurry,
    buttons.DealNext,
    buttons.CutDeck,
    buttons.AskLeave,
    buttons.RingMe,
    buttons.VoteFor,
    buttons.VoteAgainst,
)
"""What is asked for on the presenter's messages only: any other message with such a button is an orphan."""

_IN_THE_GROUP = (
    buttons.Sit,
    buttons.HouseRules,
    buttons.StartMatch,
    buttons.Rematch,
    buttons.Hurry,
    buttons.OpenComputers,
    buttons.Invite,
    buttons.SendOff,
    buttons.CloseComputers,
    buttons.Kick,
    buttons.LetBack,
    buttons.StopMatch,
    buttons.VoteFor,
    buttons.VoteAgainst,
    buttons.RingMe,
)
"""What is the group's own affair: heard in the table's chat alone, which only its members can press in.

Where a press was made is told by Telegram, as is by whom; a client can make up nothing but the data.
"""

_READING = (buttons.ShowScore, buttons.ShowChart, buttons.ReadRules)
"""What may be read in the table's chat, and elsewhere by who is at the table."""

_QUESTIONS = (
    buttons.Kick,
    buttons.LetBack,
    buttons.StopMatch,
    buttons.LeaveMatch,
    buttons.TellTable,
)
"""What answers a question; where there is nothing to answer any more, that goes."""

_OVER_WITH_TABLE = (buttons.Invite, buttons.SendOff, buttons.CloseComputers, buttons.AnswerBell)
"""What stands under the menu of computer players and under a call to a table, which go when that is over."""

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
        intention = buttons.decode(query.data or "")
        with services.messages.answering(getattr(intention, "table", "")):
            work = asyncio.create_task(_work(services, update, query, intention))
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
        await give(Answer(_apology(services, query)))
        raise
    await give(answer)
    return answer


def _bears(message: MaybeInaccessibleMessage | None, data: str | None) -> bool:
    """Does this message have a button with this data?"""
    keyboard = message.reply_markup if isinstance(message, Message) else None
    return keyboard is not None and any(
        button.callback_data == data for row in keyboard.inline_keyboard for button in row
    )


def _apology(services: Services, query: CallbackQuery) -> str:
    """What somebody is told whose press met a fault of ours;

    it is logged by the application's error handler.
    """
    tr = services.catalogues[pick_language(None, query.from_user.language_code)]
    return answers.fault(tr)


async def _work(
    services: Services, update: Update, query: CallbackQuery, intention: Intention | None
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
    return await dispatch(services, press, intention)


async def dispatch(services: Services, press: Press, intention: Intention | None) -> Answer:
    """Let the room that a press belongs to do what it asks for; where that may not be, say why.

    None, which is data that no button of ours carries, asks for nothing.
    """
    visitor = press.visitor
    if intention is None:
        return Answer(refusal(Refused.TABLE_GONE, visitor.tr))
    table_id = getattr(intention, "table", "")
    facts = {
        "user": visitor.user_id,
        "chat": visitor.chat_id,
        "table": table_id,
        "action": type(intention).__name__,
    }
    try:
        if table_id:
            place = await services.tables.location_of(table_id)
            facts["revision"] = place.revision
            if place.chat_id != visitor.chat_id:
                await _require_business_elsewhere(services, press, intention)
                members.watch(services, place.chat_id, visitor.user_id)
            await services.tables.mark_present(table_id, visitor.user_id)
        answer = await _HANDLERS[type(intention)](services, press, intention)
        log.debug("press carried out", extra=facts)
    except Refusal as refused:
        log.info("press refused: %s", refused.reason, extra=facts)
        answer = await _explain(services, press, intention, refused)
        if refused.reason in _OF_THE_PAST and await _is_old(services, press, intention):
            answer = Answer(answers.old_message(visitor.tr, is_private=visitor.is_private))
        is_moot = isinstance(intention, _QUESTIONS) and refused.reason in confirmations.MOOT
        is_over = isinstance(intention, _OVER_WITH_TABLE) and refused.reason in confirmations.OVER
        if is_moot or is_over:
            answer = replace(answer, then=confirmations.removing(services, press))
    if isinstance(intention, _ON_TABLE_MESSAGES) and press.is_on_it:
        return _with_orphan_retired(services, press, intention.table, answer)
    return answer


async def _require_business_elsewhere(services: Services, press: Press, intention: Intention) -> None:
    """Raises Refusal: elsewhere, for what is not to be pressed out of the table's own chat."""
    if isinstance(intention, _IN_THE_GROUP):
        raise Refusal(Refused.ELSEWHERE)
    if isinstance(intention, _READING):
        view = await services.tables.view(intention.table, press.visitor.user_id)
        if all(person.user_id != press.visitor.user_id for person in (*view.players, *view.waiting)):
            raise Refusal(Refused.ELSEWHERE)


def _with_orphan_retired(services: Services, press: Press, table_id: str, answer: Answer) -> Answer:
    """The same answer; afterwards the message that was pressed goes if the presenter does not know it."""

    async def then() -> None:
        await services.messages.delete_orphan(table_id, press.visitor.chat_id, press.message_id)
        if answer.then is not None:
            await answer.then()

    return replace(answer, then=then)


async def _explain(services: Services, press: Press, intention: Intention, refused: Refusal) -> Answer:
    """A refusal in words that fit what the person sees of the table."""
    view = None
    if refused.reason is not Refused.TABLE_GONE and isinstance(intention, _ON_TABLE_MESSAGES):
        view = await services.tables.view(intention.table, press.visitor.user_id)
    return Answer(refusal(refused.reason, press.visitor.tr, view, refused.who))


async def _is_old(services: Services, press: Press, intention: Intention) -> bool:
    """Was this pressed on a message that another has replaced?"""
    if not isinstance(intention, _ON_TABLE_MESSAGES) or not press.is_on_it:
        return False
    return not await services.messages.is_living(intention.table, press.visitor.chat_id, press.message_id)


async def _answer(query: CallbackQuery, answer: Answer) -> None:
    where = {"user": query.from_user.id}
    try:
        await query.answer(text=answer.text or None, show_alert=answer.alert or None, url=answer.url)
    except BadRequest as error:
        if any(tr in error.message.lower() for tr in _TOO_OLD):
            # Whoever pressed has stopped waiting, and what he asked for is done.
            log.info("press answered too late: %s", error, extra=where)
        else:
            log.error("Telegram finds the answer to a press wrong: %s", error, extra=where)
    except TelegramError as error:
        log.warning("press not answered: %s", error, extra=where)
