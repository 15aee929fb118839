"""The first lesson: three pages about the game, a tutorial hand, and how to add the bot to a group.

In the tutorial every card is a button, so the learner has to find out which one fits; in a real game only
playable cards are buttons.
"""

from __future__ import annotations

from bot.buttons import OpenLesson, ReadRules, TryCard
from bot.locales import Translator
from bot.screens.help import LessonPage, add_button, welcome
from bot.screens.layout import callback_button, page, rows
from bot.screens.opponents import play_button
from bot.screens.phrases import by_suit, on_top
from bot.screens.rule_texts import card_lines
from bot.screens.rules import idea
from bot.screens.screen import Button, Screen, Style
from bot.tables.tutorial import TutorialStep
from engine import SUITS, Card, Rules, View

LESSON_PAGES = (LessonPage.IDEA, LessonPage.CARDS, LessonPage.TABLE)
"""The pages before the tutorial hand, in order."""


def lesson(chapter: LessonPage, tr: Translator, bot_username: str) -> Screen:
    """A page of the lesson; any page without text of its own is the welcome message."""
    match chapter:
        case LessonPage.IDEA:
            lines = idea(Rules(), tr)
        case LessonPage.CARDS:
            lines = [tr("book.item", text=line) for line in card_lines(Rules(), tr)]
        case LessonPage.TABLE:
            lines = [tr("lesson.table_text")]
        case LessonPage.END:
            return _end(tr, bot_username)
        case _:
            return welcome(tr, bot_username)
    number = tr.plain("lesson.page", n=LESSON_PAGES.index(chapter) + 1, of=len(LESSON_PAGES))
    text = page(tr(f"lesson.title.{chapter}", page=number), "", *lines)
    play = play_button(tr, Style.PLAIN) if chapter is LESSON_PAGES[0] else None
    return Screen(text, rows((_next_button(chapter, tr),), (play,), (_skip_button(tr),)))


def tutorial(
    step: TutorialStep, view: View, tr: Translator, laid: tuple[Card, int | None] | None = None
) -> Screen:
    """A step of the tutorial hand; `laid` is the card played in the step before and the suit it ordered."""
    assert view.round is not None
    text = page(
        _praise(step, laid, tr),
        "",
        tr("lesson.trial", n=step + 1, of=len(TutorialStep), top=on_top(view.round, tr)),
        tr(f"lesson.task.{step.name.lower()}"),
    )
    cards = [callback_button(tr.card(card), TryCard(step, card, None)) for card in view.hand or ()]
    return Screen(text, rows(cards, (_skip_button(tr),)))


def tutorial_suit_choice(step: TutorialStep, view: View, wild: Card, tr: Translator) -> Screen:
    """The choice of a suit in the tutorial hand."""
    rest = [card for card in view.hand or () if card != wild]
    text = page(
        tr("lesson.which_suit", card=tr.card(wild)),
        tr.plain("hand.rest", cards=by_suit(rest, tr)),
    )
    suits = [
        callback_button(tr.suit(suit), TryCard(step, wild, suit), Style.SUCCESS) for suit in range(len(SUITS))
    ]
    return Screen(
        text, rows(suits, (callback_button(tr.plain("button.back"), OpenLesson(tutorial_page(step))),))
    )


def tutorial_page(step: TutorialStep) -> str:
    """A step's page name in button data."""
    return step.name.lower()


def _end(tr: Translator, bot_username: str) -> Screen:
    """The end of the tutorial: how to start a real game."""
    text = page(tr("lesson.won"), "", tr("welcome.text", bot=bot_username))
    read = callback_button(tr.plain("button.read_rules"), ReadRules("", ""))
    return Screen(text, rows((add_button(tr, bot_username),), (play_button(tr),), (read,)))


def _praise(step: TutorialStep, laid: tuple[Card, int | None] | None, tr: Translator) -> str | None:
    if laid is None:
        return None
    card, suit = laid
    if suit is not None:
        return tr.plain("lesson.ordered", card=tr.card(card), suit=tr.suit(suit))
    return tr.plain(f"lesson.praise.{step.name.lower()}", card=tr.card(card))


def _next_button(chapter: LessonPage, tr: Translator) -> Button:
    if chapter is LESSON_PAGES[-1]:
        return callback_button(
            tr.plain("button.try"), OpenLesson(tutorial_page(TutorialStep.MATCH)), Style.SUCCESS
        )
    following = LESSON_PAGES[LESSON_PAGES.index(chapter) + 1]
    return callback_button(tr.plain("button.next"), OpenLesson(following), Style.SUCCESS)


def _skip_button(tr: Translator) -> Button:
    return callback_button(tr.plain("button.skip_lesson"), OpenLesson(LessonPage.SKIPPED))
