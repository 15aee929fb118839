"""The first evening: three pages on the game, a trial hand, and the way into a group.

In the trial hand every card is a button, so that one has to find out which fits; in the game only those are
buttons that do.
"""

from __future__ import annotations

from bot.callbacks import OpenLesson, ReadRules, TryCard
from bot.locales import Words
from bot.screens.help import LessonPage, add_button, welcome
from bot.screens.layout import page, press, rows
from bot.screens.opponents import play_button
from bot.screens.phrases import by_suit, on_top
from bot.screens.rules import idea
from bot.screens.screen import Button, Screen, Style
from bot.screens.sentences import card_lines
from bot.tables.trial import Step
from engine import SUITS, Card, Rules, View

LESSON_PAGES = (LessonPage.IDEA, LessonPage.CARDS, LessonPage.TABLE)
"""Those that are read before the trial hand, in their order."""


def lesson(chapter: LessonPage, words: Words, bot_username: str) -> Screen:
    """A page: the idea, what the special cards do, where the table and the cards are; and the end."""
    match chapter:
        case LessonPage.IDEA:
            lines = idea(Rules(), words)
        case LessonPage.CARDS:
            lines = [words("book.item", text=line) for line in card_lines(Rules(), words)]
        case LessonPage.TABLE:
            lines = [words("lesson.table_text")]
        case LessonPage.END:
            return _end(words, bot_username)
        case _:
            return welcome(words, bot_username)
    number = words.plain("lesson.page", n=LESSON_PAGES.index(chapter) + 1, of=len(LESSON_PAGES))
    text = page(words(f"lesson.title.{chapter}", page=number), "", *lines)
    play = play_button(words, Style.PLAIN) if chapter is LESSON_PAGES[0] else None
    return Screen(text, rows((_next_button(chapter, words),), (play,), (_skip_button(words),)))


def trial(step: Step, view: View, words: Words, laid: tuple[Card, int | None] | None = None) -> Screen:
    """A step of the trial hand; `laid`: the card, with the suit it ordered, that led here."""
    assert view.round is not None
    text = page(
        _praise(step, laid, words),
        "",
        words("lesson.trial", n=step + 1, of=len(Step), top=on_top(view.round, words)),
        words(f"lesson.task.{step.name.lower()}"),
    )
    cards = [press(words.card(card), TryCard(step, card, None)) for card in view.hand or ()]
    return Screen(text, rows(cards, (_skip_button(words),)))


def trial_suits(step: Step, view: View, wild: Card, words: Words) -> Screen:
    """Which suit the queen orders."""
    rest = [card for card in view.hand or () if card != wild]
    text = page(
        words("lesson.which_suit", card=words.card(wild)),
        words.plain("hand.rest", cards=by_suit(rest, words)),
    )
    suits = [press(words.suit(suit), TryCard(step, wild, suit), Style.SUCCESS) for suit in range(len(SUITS))]
    return Screen(text, rows(suits, (press(words.plain("button.back"), OpenLesson(trial_page(step))),)))


def trial_page(step: Step) -> str:
    """A step's name in button data."""
    return step.name.lower()


def _end(words: Words, bot_username: str) -> Screen:
    """The hand is played out: how a game begins."""
    text = page(words("lesson.won"), "", words("welcome.text", bot=bot_username))
    read = press(words.plain("button.read_rules"), ReadRules("", ""))
    return Screen(text, rows((add_button(words, bot_username),), (play_button(words),), (read,)))


def _praise(step: Step, laid: tuple[Card, int | None] | None, words: Words) -> str | None:
    """What the card before has done."""
    if laid is None:
        return None
    card, suit = laid
    if suit is not None:
        return words.plain("lesson.ordered", card=words.card(card), suit=words.suit(suit))
    return words.plain(f"lesson.praise.{step.name.lower()}", card=words.card(card))


def _next_button(chapter: LessonPage, words: Words) -> Button:
    if chapter is LESSON_PAGES[-1]:
        return press(words.plain("button.try"), OpenLesson(trial_page(Step.MATCH)), Style.SUCCESS)
    following = LESSON_PAGES[LESSON_PAGES.index(chapter) + 1]
    return press(words.plain("button.next"), OpenLesson(following), Style.SUCCESS)


def _skip_button(words: Words) -> Button:
    return press(words.plain("button.skip_lesson"), OpenLesson(LessonPage.SKIPPED))
