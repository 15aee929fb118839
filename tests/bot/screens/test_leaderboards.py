"""Leaderboards and records: texts, pages, and message limits."""

from __future__ import annotations

from dataclasses import replace

from bot.buttons import HideMe, TurnStats, TurnTop
from bot.locales import Translator
from bot.screens.leaderboards import PER_PAGE, leaderboard
from tests.bot.screens.gallery_records import DUELS, MANY, MANY_DUELS, RANKED, SUMMARY, stats_of
from tests.bot.screens.limits import check
from tests.bot.screens.scenes import GROUP, LANGUAGES, RU, asked, lines
from tests.bot.screens.telegram_html import shown


def test_its_pages_turn_and_count_on() -> None:
    first, last = leaderboard(MANY, 0, RU, GROUP), leaderboard(MANY, 1, RU, GROUP)
    assert asked(first) == [TurnTop(1)]
    assert asked(last) == [TurnTop(0)]
    assert lines(last)[1].startswith(f"{PER_PAGE + 1}. Лёва — 1000")
    assert leaderboard(MANY, 99, RU, GROUP) == last
    assert leaderboard(MANY[:PER_PAGE], 0, RU, GROUP).rows == ()


def test_only_in_private_one_can_hide_and_is_told_that_one_is_hidden() -> None:
    assert asked(stats_of(SUMMARY, DUELS, RU, group=GROUP)) == []
    assert asked(stats_of(SUMMARY, DUELS, RU, hidden=False)) == [HideMe(True)]
    hidden = stats_of(SUMMARY, DUELS, RU, hidden=True)
    assert asked(hidden) == [HideMe(False)]
    assert lines(hidden)[-1] == RU.plain("stats.hidden")


def test_many_encounters_fill_pages_that_their_owner_turns() -> None:
    assert asked(stats_of(SUMMARY, MANY_DUELS, RU)) == [TurnStats(1, 1)]
    second = stats_of(SUMMARY, MANY_DUELS, RU, number=1)
    assert asked(second) == [TurnStats(1, 0)]
    assert "Рейтинг" not in second.text
    assert second.text.count("Аня — ") == PER_PAGE


@LANGUAGES
def test_names_of_any_kind_fit_a_message_and_break_nothing(tr: Translator) -> None:
    for name in ("Ж" * 64, "<b>&amp;</b>" * 5, "محمد" * 16, "\u200b" * 9, "👩🏽‍❤️‍💋‍👨🏻" * 6, "{name} %s"):
        ranked = [replace(person, name=name) for person in RANKED]
        duels = tuple(replace(duel, name=name) for duel in MANY_DUELS)
        for screen in (leaderboard(ranked, 0, tr, name), stats_of(SUMMARY, duels, tr, group=name)):
            check(screen)
            assert shown(screen.text).count("\n") == screen.text.count("\n")
