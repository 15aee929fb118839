"""The first evening's pages: they lead on, can be left at any time, and say what the game's screens say."""

from __future__ import annotations

import pytest

from bot.callbacks import OpenAlone, OpenLesson, TryCard, decode
from bot.locales import Words
from bot.screens.help import LessonPage, welcome
from bot.screens.lesson import LESSON_PAGES, lesson, trial, trial_page, trial_suits
from bot.screens.screen import Screen
from bot.screens.sentences import card_lines
from bot.tables.trial import Step, trial_view
from engine import Rules, parse_card
from tests.bot.screens.limits import check
from tests.bot.screens.scenes import CATALOGUES
from tests.bot.screens.telegram_html import shown

BOT = "sto_odno_bot"
LANGUAGES = pytest.mark.parametrize("words", CATALOGUES.values(), ids=CATALOGUES.keys())


def asked(screen: Screen) -> list[object]:
    return [decode(button.data) if button.data else button.url for row in screen.rows for button in row]


@LANGUAGES
def test_each_page_leads_to_the_next_and_the_last_to_the_trial_hand(words: Words) -> None:
    following = [*LESSON_PAGES[1:], trial_page(Step.MATCH)]
    for chapter, after in zip(LESSON_PAGES, following, strict=True):
        screen = lesson(chapter, words, BOT)
        check(screen)
        at_once = [OpenAlone(2, "normal", "classic")] if chapter is LESSON_PAGES[0] else []
        assert asked(screen) == [OpenLesson(after), *at_once, OpenLesson("skipped")]


@LANGUAGES
def test_the_special_cards_are_those_of_the_classic_game(words: Words) -> None:
    text = shown(lesson(LessonPage.CARDS, words, BOT).text)
    assert [line.removeprefix("• ") for line in text.split("\n")[2:]] == card_lines(Rules(), words)


@LANGUAGES
def test_it_ends_with_the_way_into_a_group(words: Words) -> None:
    for chapter in (LessonPage.END, LessonPage.SKIPPED):
        screen = lesson(chapter, words, BOT)
        check(screen)
        assert asked(screen)[0] == f"https://t.me/{BOT}?startgroup=new"
    assert lesson(LessonPage.SKIPPED, words, BOT) == welcome(words, BOT)


@LANGUAGES
def test_every_card_of_the_trial_hand_is_a_button(words: Words) -> None:
    for step in Step:
        view = trial_view(step)
        screen = trial(step, view, words)
        check(screen)
        assert asked(screen)[:-1] == [TryCard(step, card, None) for card in view.hand or ()]
        assert asked(screen)[-1] == OpenLesson("skipped")


@LANGUAGES
def test_the_queens_suit_is_chosen_or_she_is_taken_back(words: Words) -> None:
    queen = parse_card("QD")
    screen = trial_suits(Step.QUEEN, trial_view(Step.QUEEN), queen, words)
    check(screen)
    assert asked(screen) == [*(TryCard(Step.QUEEN, queen, suit) for suit in range(4)), OpenLesson("queen")]
