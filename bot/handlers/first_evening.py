"""The first evening of a newcomer: three pages, a trial hand, and the way into a group."""

from __future__ import annotations

from bot import callbacks
from bot.handlers.answer import Answer, Press
from bot.handlers.commands import replace_answer, turn_page
from bot.handlers.guest import Guest
from bot.handlers.parts import Parts
from bot.screens.answers import does_not_fit
from bot.screens.help import LessonPage
from bot.screens.lesson import lesson, trial, trial_page, trial_suits
from bot.screens.screen import Screen
from bot.tables.refusals import Refusal, Refused
from bot.tables.trial import Step, trial_view, try_card
from engine import Play, Reason

LESSON = "lesson"
"""The kind of answer that the lesson is."""


async def is_newcomer(parts: Parts, user_id: int) -> bool:
    """Has this person never sat at a table?"""
    return await parts.tables.latest_of(user_id) is None


async def begin(parts: Parts, guest: Guest) -> None:
    """The lesson's first page."""
    await replace_answer(parts, guest, LESSON, lesson(LessonPage.IDEA, guest.words, parts.bot_username))


async def open_lesson(parts: Parts, press: Press, asked: callbacks.OpenLesson) -> Answer:
    """Turn to a page of the lesson, or to a step of the trial hand."""
    _require_private(press)
    words = press.guest.words
    step = next((step for step in Step if trial_page(step) == asked.page), None)
    if step is not None:
        return _shown(parts, press, trial(step, trial_view(step), words))
    if asked.page not in tuple(LessonPage):
        raise Refusal(Refused.TABLE_GONE)
    return _shown(parts, press, lesson(LessonPage(asked.page), words, parts.bot_username))


async def lay_trial_card(parts: Parts, press: Press, asked: callbacks.TryCard) -> Answer:
    """Lay a card of the trial hand; a wild asks for its suit first."""
    _require_private(press)
    words = press.guest.words
    if asked.step not in tuple(Step):
        raise Refusal(Refused.TABLE_GONE)
    step = Step(asked.step)
    view = trial_view(step)
    suits = [move.suit for move in view.legal if isinstance(move, Play) and move.card == asked.card]
    if asked.suit is None and suits not in ([], [None]):
        return _shown(parts, press, trial_suits(step, view, asked.card, words))
    try:
        following = try_card(step, asked.card, asked.suit)
    except Refusal as refused:
        if refused.reason is not Reason.CARD_DOES_NOT_MATCH:
            raise
        return Answer(does_not_fit(view, words))
    if following is None:
        return _shown(parts, press, lesson(LessonPage.END, words, parts.bot_username))
    laid = (asked.card, asked.suit)
    return _shown(parts, press, trial(following, trial_view(following), words, laid))


def _require_private(press: Press) -> None:
    """Raises Refusal: table_gone in a group, where there are no such buttons."""
    if not press.guest.is_private:
        raise Refusal(Refused.TABLE_GONE)


def _shown(parts: Parts, press: Press, screen: Screen) -> Answer:
    return Answer(then=lambda: turn_page(parts, press, LESSON, screen))
