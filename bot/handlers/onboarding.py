"""The first lesson for a newcomer: three pages, a tutorial hand, and how to add the bot to a group."""

from __future__ import annotations

from bot import buttons
from bot.handlers.answer import Answer, Press, on
from bot.handlers.commands import reply, turn_page
from bot.handlers.services import Services
from bot.handlers.visitor import Visitor
from bot.messages.kinds import Kind
from bot.screens.answers import does_not_fit
from bot.screens.help import LessonPage
from bot.screens.lesson import lesson, tutorial, tutorial_page, tutorial_suit_choice
from bot.screens.screen import Screen
from bot.tables.refusals import Refusal, Refused
from bot.tables.tutorial import TutorialStep, try_card, tutorial_view
from engine import Play, Reason


async def is_newcomer(services: Services, user_id: int) -> bool:
    """Whether this person has never sat at a table."""
    return await services.queries.latest_of(user_id) is None


async def send_lesson(services: Services, visitor: Visitor) -> None:
    """Send the lesson's first page."""
    await reply(services, visitor, Kind.LESSON, lesson(LessonPage.IDEA, visitor.tr, services.bot_username))


@on(buttons.OpenLesson)
async def open_lesson(services: Services, press: Press, asked: buttons.OpenLesson) -> Answer:
    """Open a page of the lesson, or a step of the tutorial hand."""
    _require_private(press)
    tr = press.visitor.tr
    step = next((step for step in TutorialStep if tutorial_page(step) == asked.page), None)
    if step is not None:
        return _shown(services, press, tutorial(step, tutorial_view(step), tr))
    if asked.page not in tuple(LessonPage):
        raise Refusal(Refused.TABLE_GONE)
    return _shown(services, press, lesson(LessonPage(asked.page), tr, services.bot_username))


@on(buttons.TryCard)
async def play_tutorial_card(services: Services, press: Press, asked: buttons.TryCard) -> Answer:
    """Play a card of the tutorial hand; a wild asks for its suit first."""
    _require_private(press)
    tr = press.visitor.tr
    if asked.step not in tuple(TutorialStep):
        raise Refusal(Refused.TABLE_GONE)
    step = TutorialStep(asked.step)
    view = tutorial_view(step)
    suits = [move.suit for move in view.legal if isinstance(move, Play) and move.card == asked.card]
    if asked.suit is None and suits not in ([], [None]):
        return _shown(services, press, tutorial_suit_choice(step, view, asked.card, tr))
    try:
        following = try_card(step, asked.card, asked.suit)
    except Refusal as refused:
        if refused.reason is not Reason.CARD_DOES_NOT_MATCH:
            raise
        return Answer(does_not_fit(view, tr))
    if following is None:
        return _shown(services, press, lesson(LessonPage.END, tr, services.bot_username))
    laid = (asked.card, asked.suit)
    return _shown(services, press, tutorial(following, tutorial_view(following), tr, laid))


def _require_private(press: Press) -> None:
    """Raise Refusal (table_gone) in a group, where there are no such buttons."""
    if not press.visitor.is_private:
        raise Refusal(Refused.TABLE_GONE)


def _shown(services: Services, press: Press, screen: Screen) -> Answer:
    return Answer(then=lambda: turn_page(services, press, Kind.LESSON, screen))
