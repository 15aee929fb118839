"""The tutorial's pages: they lead on, can be left at any time, and agree with the game's screens."""

from __future__ import annotations

from bot.buttons import OpenAlone, OpenLesson, TryCard
from bot.locales import Translator
from bot.screens.help import LessonPage, welcome
from bot.screens.lesson import LESSON_PAGES, lesson, tutorial, tutorial_page, tutorial_suit_choice
from bot.screens.rule_texts import card_lines
from bot.tables.tutorial import TutorialStep, tutorial_view
from engine import Rules, parse_card
from tests.bot.screens.limits import check
from tests.bot.screens.scenes import LANGUAGES, asked
from tests.bot.screens.telegram_html import shown

BOT = "sto_odno_bot"


@LANGUAGES
def test_each_page_leads_to_the_next_and_the_last_to_the_trial_hand(tr: Translator) -> None:
    following = [*LESSON_PAGES[1:], tutorial_page(TutorialStep.MATCH)]
    for chapter, after in zip(LESSON_PAGES, following, strict=True):
        screen = lesson(chapter, tr, BOT)
        check(screen)
        at_once = [OpenAlone(2, "normal", "classic")] if chapter is LESSON_PAGES[0] else []
        assert asked(screen) == [OpenLesson(after), *at_once, OpenLesson("skipped")]


@LANGUAGES
def test_the_special_cards_are_those_of_the_classic_game(tr: Translator) -> None:
    text = shown(lesson(LessonPage.CARDS, tr, BOT).text)
    assert [line.removeprefix("• ") for line in text.split("\n")[2:]] == card_lines(Rules(), tr)


@LANGUAGES
def test_it_ends_with_the_way_into_a_group(tr: Translator) -> None:
    for chapter in (LessonPage.END, LessonPage.SKIPPED):
        screen = lesson(chapter, tr, BOT)
        check(screen)
        assert asked(screen)[0] == f"https://t.me/{BOT}?startgroup=new"
    assert lesson(LessonPage.SKIPPED, tr, BOT) == welcome(tr, BOT)


@LANGUAGES
def test_every_card_of_the_trial_hand_is_a_button(tr: Translator) -> None:
    for step in TutorialStep:
        view = tutorial_view(step)
        screen = tutorial(step, view, tr)
        check(screen)
        assert asked(screen)[:-1] == [TryCard(step, card, None) for card in view.hand or ()]
        assert asked(screen)[-1] == OpenLesson("skipped")


@LANGUAGES
def test_the_queens_suit_is_chosen_or_she_is_taken_back(tr: Translator) -> None:
    queen = parse_card("QD")
    screen = tutorial_suit_choice(TutorialStep.QUEEN, tutorial_view(TutorialStep.QUEEN), queen, tr)
    check(screen)
    assert asked(screen) == [
        *(TryCard(TutorialStep.QUEEN, queen, suit) for suit in range(4)),
        OpenLesson("queen"),
    ]
