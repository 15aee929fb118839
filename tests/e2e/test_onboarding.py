"""Newcomers: three pages, a tutorial hand, and the link to add the bot to a group."""

from __future__ import annotations

import pytest

from bot.buttons import OpenLesson, ReadRules, Rematch, StopMatch, TryCard
from bot.locales import Translator
from bot.tables.tutorial import TutorialStep
from engine import parse_card
from tests.e2e.committed import CATALOGUES
from tests.e2e.menus import Menu
from tests.e2e.players import Club, button_for
from tests.e2e.running import Running
from tests.e2e.telegram import Message

pytestmark = pytest.mark.asyncio(loop_scope="module")

LANGUAGES = pytest.mark.parametrize("language", ["ru", "en"])
CARD = {code: parse_card(code) for code in ("JH", "9C", "KD", "QD", "KH", "6S", "8S", "JS")}
HEARTS = 1


async def lesson(bot: Running, language: str) -> tuple[Club, Menu, Translator]:
    """A newcomer has pressed Start, and sees the first page."""
    club = await Club.founded(bot, 1, language=language)
    menu = await Menu.opened(club, club.host, club.host.user_id, "/start", OpenLesson)
    return club, menu, CATALOGUES[language]


@LANGUAGES
async def test_three_pages_lead_to_a_trial_hand_and_that_into_a_group(bot: Running, language: str) -> None:
    club, menu, tr = await lesson(bot, language)
    await menu.shows(tr.plain("lesson.page", n=1, of=3))
    await menu.press(OpenLesson("cards"))
    await menu.shows(tr.plain("effect.take2"))
    await menu.press(OpenLesson("table"))
    await menu.press(OpenLesson("match"))
    await menu.shows(tr.plain("lesson.task.match"))
    wrong = await menu.press(TryCard(TutorialStep.MATCH, CARD["KD"], None))
    assert tr.plain("rank.some.9") in (wrong.text or "")
    await menu.press(TryCard(TutorialStep.MATCH, CARD["9C"], None))
    await menu.shows(tr.plain("lesson.task.queen"))
    assert (await menu.press(TryCard(TutorialStep.QUEEN, CARD["KH"], None))).text is not None
    await menu.press(TryCard(TutorialStep.QUEEN, CARD["QD"], None))
    await menu.press(OpenLesson("queen"))
    await menu.press(TryCard(TutorialStep.QUEEN, CARD["QD"], None))
    await menu.press(TryCard(TutorialStep.QUEEN, CARD["QD"], HEARTS))
    await menu.shows(tr.plain("lesson.ordered", card=tr.card(CARD["QD"]), suit=tr.suit(HEARTS)))
    early = await menu.press(TryCard(TutorialStep.EIGHT, CARD["JS"], None))
    assert early.text == tr.plain("refusal.keep_it")
    await menu.press(TryCard(TutorialStep.EIGHT, CARD["8S"], None))
    await menu.shows(tr.plain("lesson.task.cover"))
    await menu.press(TryCard(TutorialStep.COVER, CARD["JS"], None))
    end = await menu.shows(tr.plain("lesson.won"))
    assert end.buttons[0].url == "https://t.me/sandbox_bot?startgroup=new"
    assert menu.offers(ReadRules("", ""))
    assert len(list(bot.telegram.newest(club.host.user_id))) == 1


@LANGUAGES
async def test_the_lesson_can_be_skipped_and_taken_up_again(bot: Running, language: str) -> None:
    _, menu, tr = await lesson(bot, language)
    await menu.press(OpenLesson("skipped"))
    skipped = await menu.shows("/game@sandbox_bot")
    assert skipped.buttons[0].url == "https://t.me/sandbox_bot?startgroup=new"
    await menu.press(OpenLesson("idea"))
    await menu.shows(tr.plain("lesson.page", n=1, of=3))


async def test_whoever_has_played_is_welcomed_without_a_lesson(bot: Running) -> None:
    club = await Club.dealt(bot, 2)
    question = await club.ask(club.host, club.chat, "/stop", "🛑")
    await club.host.press(question, button_for(question, StopMatch))
    await club.message_with(Rematch)
    welcome = await club.ask(club.people[1], club.people[1].user_id, "/start", "🃏")
    assert "startgroup" in (welcome.buttons[0].url or "")


async def test_a_newcomer_who_came_by_an_invitation_can_learn_while_he_waits(bot: Running) -> None:
    club = await Club.gathered(bot, 2)

    def notice() -> Message | None:
        there = bot.telegram.newest(club.people[1].user_id)
        return next((it for it in there if it.text.startswith("✅")), None)

    seated = await club.until(notice, "he is told that he has a seat")
    assert "🎓" in seated.button_texts[-1]
