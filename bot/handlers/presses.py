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

from bot import callbacks
from bot.callbacks import Intention
from bot.handlers import (
    alone,
    bell,
    computers,
    first_evening,
    lobby,
    members,
    membership,
    own_settings,
    play,
    questions,
    records,
    rule_sets,
    scores,
    settings,
    talk,
    voting,
)
from bot.handlers.answer import Answer, Press
from bot.handlers.guest import meet
from bot.handlers.late import Late
from bot.handlers.parts import Parts
from bot.locales import pick_language
from bot.screens import answers
from bot.screens.answers import refusal
from bot.tables.refusals import Refusal, Refused

log = logging.getLogger(__name__)

PATIENCE_SECONDS = 2.0

Room = Callable[[Parts, Press, Any], Awaitable[Answer]]

_ROOMS: dict[type[Intention], Room] = {
    callbacks.Sit: lobby.sit,
    callbacks.Stand: lobby.stand,
    callbacks.StartMatch: lobby.start_match,
    callbacks.Rematch: lobby.rematch,
    callbacks.Peek: play.peek,
    callbacks.Lay: play.lay,
    callbacks.PickSuit: play.pick_suit,
    callbacks.BackToHand: play.back_to_hand,
    callbacks.Take: play.take,
    callbacks.PassTurn: play.pass_turn,
    callbacks.Why: play.why,
    callbacks.PutAside: play.put_aside,
    callbacks.PickAside: play.pick_aside,
    callbacks.LeaveAside: play.leave_aside,
    callbacks.TakeBack: play.take_back,
    callbacks.Here: play.here,
    callbacks.Hurry: play.hurry,
    callbacks.DealNext: play.deal_next,
    callbacks.CutDeck: play.cut_deck,
    callbacks.AskLeave: membership.ask_leave,
    callbacks.LeaveMatch: membership.leave_match,
    callbacks.StopMatch: voting.stop_match,
    callbacks.Kick: voting.kick,
    callbacks.VoteFor: voting.vote_for,
    callbacks.VoteAgainst: voting.vote_against,
    callbacks.OpenComputers: computers.open_computers,
    callbacks.Invite: computers.invite,
    callbacks.SendOff: computers.send_off,
    callbacks.CloseComputers: computers.close_computers,
    callbacks.OpenAlone: alone.open_alone,
    callbacks.PlayAlone: alone.play_alone,
    callbacks.PlayByRules: alone.play_by_rules,
    callbacks.Hint: play.hint,
    callbacks.RingMe: bell.ring_me,
    callbacks.AnswerBell: bell.answer_bell,
    callbacks.MuteBell: bell.mute_bell,
    callbacks.Dismiss: questions.dismiss,
    callbacks.ShowScore: scores.show_score,
    callbacks.ShowChart: scores.show_chart,
    callbacks.ReadRules: scores.read_rules,
    callbacks.SetLanguage: settings.set_language,
    callbacks.HouseRules: settings.house_rules,
    callbacks.OpenSettings: settings.open_settings,
    callbacks.CloseSettings: settings.close_settings,
    callbacks.ChooseRule: settings.choose_rule,
    callbacks.ChooseEffect: settings.choose_effect,
    callbacks.AllowTransfer: settings.allow_transfer,
    callbacks.ChoosePreset: settings.choose_preset,
    callbacks.ChoosePace: settings.choose_pace,
    callbacks.ChooseCut: settings.choose_cut,
    callbacks.ChooseTalk: settings.choose_talk,
    callbacks.ChooseStandIn: settings.choose_stand_in,
    callbacks.ChooseHints: settings.choose_hints,
    callbacks.ChooseEditors: settings.choose_editors,
    callbacks.ChooseLook: settings.choose_look,
    callbacks.OpenRuleSet: rule_sets.open_rule_set,
    callbacks.UseRuleSet: rule_sets.use_rule_set,
    callbacks.AskDeleteRuleSet: rule_sets.ask_delete,
    callbacks.DeleteRuleSet: rule_sets.delete,
    callbacks.ChooseSound: own_settings.choose_sound,
    callbacks.ChooseForcedMoves: own_settings.choose_forced_moves,
    callbacks.ChooseHandOrder: own_settings.choose_hand_order,
    callbacks.ChooseHidden: own_settings.choose_hidden,
    callbacks.ChooseTelling: own_settings.choose_telling,
    callbacks.TellTable: talk.tell_table,
    callbacks.KeepWords: talk.keep_words,
    callbacks.HideMe: records.hide_me,
    callbacks.TurnTop: records.turn_top,
    callbacks.TurnStats: records.turn_stats,
    callbacks.OpenLesson: first_evening.open_lesson,
    callbacks.TryCard: first_evening.lay_trial_card,
}

_ON_TABLE_MESSAGES = (
    callbacks.Sit,
    callbacks.Stand,
    callbacks.HouseRules,
    callbacks.StartMatch,
    callbacks.Rematch,
    callbacks.Peek,
    callbacks.Lay,
    callbacks.PickSuit,
    callbacks.BackToHand,
    callbacks.Take,
    callbacks.PassTurn,
    callbacks.Why,
    callbacks.Hint,
    callbacks.OpenComputers,
    callbacks.PutAside,
    callbacks.PickAside,
    callbacks.LeaveAside,
    callbacks.TakeBack,
    callbacks.Here,
    callbacks.Hurry,
    callbacks.DealNext,
    callbacks.CutDeck,
    callbacks.AskLeave,
    callbacks.RingMe,
    callbacks.VoteFor,
    callbacks.VoteAgainst,
)
"""What is asked for on the presenter's messages only: any other message with such a button is an orphan."""

_IN_THE_GROUP = (
    callbacks.Sit,
    callbacks.HouseRules,
    callbacks.StartMatch,
    callbacks.Rematch,
    callbacks.Hurry,
    callbacks.OpenComputers,
    callbacks.Invite,
    callbacks.SendOff,
    callbacks.CloseComputers,
    callbacks.Kick,
    callbacks.StopMatch,
    callbacks.VoteFor,
    callbacks.VoteAgainst,
    callbacks.RingMe,
)
"""What is the group's own affair: heard in the table's chat alone, which only its members can press in.

Where a press was made is told by Telegram, as is by whom; a client can make up nothing but the data.
"""

_READING = (callbacks.ShowScore, callbacks.ShowChart, callbacks.ReadRules)
"""What may be read in the table's chat, and elsewhere by who is at the table."""

_QUESTIONS = (callbacks.Kick, callbacks.StopMatch, callbacks.LeaveMatch, callbacks.TellTable)
"""What answers a question; where there is nothing to answer any more, that goes."""

_COMPUTERS = (callbacks.Invite, callbacks.SendOff, callbacks.CloseComputers)
"""What stands under the menu of computer players, which goes when its table is over."""

_OF_THE_PAST = (Refused.STALE, Refused.NOT_BETWEEN, Refused.NOT_IN_LOBBY, Refused.NOT_YOUR_TURN)
"""Refusals that a button of another moment gets."""


_TOO_OLD = ("query is too old", "query_id_invalid")
"""What the Bot API server says of presses that nobody waits for any more."""


def handler(parts: Parts) -> CallbackQueryHandler[ContextTypes.DEFAULT_TYPE, None]:
    """The one handler for all presses."""

    late = Late(parts)

    async def on_press(update: Update, _context: ContextTypes.DEFAULT_TYPE) -> None:
        query = update.callback_query
        assert query is not None
        intention = callbacks.decode(query.data or "")
        with parts.presenter.answering(getattr(intention, "table", "")):
            work = asyncio.create_task(_work(parts, update, query, intention))
            answer = await _answered(query, work, parts, late)
        if answer.then is not None:
            await answer.then()

    return CallbackQueryHandler(on_press)


async def _answered(query: CallbackQuery, work: asyncio.Task[Answer], parts: Parts, late: Late) -> Answer:
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
        await give(Answer(_apology(parts, query)))
        raise
    await give(answer)
    return answer


def _bears(message: MaybeInaccessibleMessage | None, data: str | None) -> bool:
    """Does this message have a button with this data?"""
    keyboard = message.reply_markup if isinstance(message, Message) else None
    return keyboard is not None and any(
        button.callback_data == data for row in keyboard.inline_keyboard for button in row
    )


def _apology(parts: Parts, query: CallbackQuery) -> str:
    """What somebody is told whose press met a fault of ours;

    it is logged by the application's error handler.
    """
    words = parts.catalogues[pick_language(None, query.from_user.language_code)]
    return answers.fault(words)


async def _work(parts: Parts, update: Update, query: CallbackQuery, intention: Intention | None) -> Answer:
    guest = await meet(update, parts)
    if guest is None:
        return Answer()
    message_id = query.message.message_id if query.message is not None else 0
    press = Press(
        guest,
        message_id,
        is_on_it=_bears(query.message, query.data),
        is_on_picture=isinstance(query.message, Message) and bool(query.message.photo),
    )
    if guest.is_private:
        parts.presenter.looked(guest.user_id)
    return await hear(parts, press, intention)


async def hear(parts: Parts, press: Press, intention: Intention | None) -> Answer:
    """Let the room that a press belongs to do what it asks for; where that may not be, say why.

    None, which is data that no button of ours carries, asks for nothing.
    """
    guest = press.guest
    if intention is None:
        return Answer(refusal(Refused.TABLE_GONE, guest.words))
    table_id = getattr(intention, "table", "")
    facts = {
        "user": guest.user_id,
        "chat": guest.chat_id,
        "table": table_id,
        "action": type(intention).__name__,
    }
    try:
        if table_id:
            place = await parts.tables.place_of(table_id)
            facts["revision"] = place.revision
            if place.chat_id != guest.chat_id:
                await _require_business_elsewhere(parts, press, intention)
                members.watch(parts, place.chat_id, guest.user_id)
            await parts.tables.notice(table_id, guest.user_id)
        answer = await _ROOMS[type(intention)](parts, press, intention)
        log.debug("press carried out", extra=facts)
    except Refusal as refused:
        log.info("press refused: %s", refused.reason, extra=facts)
        answer = await _explain(parts, press, intention, refused)
        if refused.reason in _OF_THE_PAST and await _is_old(parts, press, intention):
            answer = Answer(answers.old_message(guest.words, is_private=guest.is_private))
        is_moot = isinstance(intention, _QUESTIONS) and refused.reason in questions.MOOT
        is_over = isinstance(intention, _COMPUTERS) and refused.reason in questions.OVER
        if is_moot or is_over:
            answer = replace(answer, then=questions.removing(parts, press))
    if isinstance(intention, _ON_TABLE_MESSAGES) and press.is_on_it:
        return _with_orphan_retired(parts, press, intention.table, answer)
    return answer


async def _require_business_elsewhere(parts: Parts, press: Press, intention: Intention) -> None:
    """Raises Refusal: elsewhere, for what is not to be pressed out of the table's own chat."""
    if isinstance(intention, _IN_THE_GROUP):
        raise Refusal(Refused.ELSEWHERE)
    if isinstance(intention, _READING):
        view = await parts.tables.view(intention.table, press.guest.user_id)
        if all(person.user_id != press.guest.user_id for person in (*view.players, *view.waiting)):
            raise Refusal(Refused.ELSEWHERE)


def _with_orphan_retired(parts: Parts, press: Press, table_id: str, answer: Answer) -> Answer:
    """The same answer; afterwards the message that was pressed goes if the presenter does not know it."""

    async def then() -> None:
        await parts.presenter.retire_orphan(table_id, press.guest.chat_id, press.message_id)
        if answer.then is not None:
            await answer.then()

    return replace(answer, then=then)


async def _explain(parts: Parts, press: Press, intention: Intention, refused: Refusal) -> Answer:
    """A refusal in words that fit what the person sees of the table."""
    view = None
    if refused.reason is not Refused.TABLE_GONE and isinstance(intention, _ON_TABLE_MESSAGES):
        view = await parts.tables.view(intention.table, press.guest.user_id)
    return Answer(refusal(refused.reason, press.guest.words, view, refused.who))


async def _is_old(parts: Parts, press: Press, intention: Intention) -> bool:
    """Was this pressed on a message that another has replaced?"""
    if not isinstance(intention, _ON_TABLE_MESSAGES) or not press.is_on_it:
        return False
    return not await parts.presenter.is_living(intention.table, press.guest.chat_id, press.message_id)


async def _answer(query: CallbackQuery, answer: Answer) -> None:
    where = {"user": query.from_user.id}
    try:
        await query.answer(text=answer.text or None, show_alert=answer.alert or None, url=answer.url)
    except BadRequest as error:
        if any(words in error.message.lower() for words in _TOO_OLD):
            # Whoever pressed has stopped waiting, and what he asked for is done.
            log.info("press answered too late: %s", error, extra=where)
        else:
            log.error("Telegram finds the answer to a press wrong: %s", error, extra=where)
    except TelegramError as error:
        log.warning("press not answered: %s", error, extra=where)
