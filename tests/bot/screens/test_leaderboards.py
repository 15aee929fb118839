"""Leaderboards and records: texts, pages, and message limits."""

from __future__ import annotations

from dataclasses import replace

from bot.buttons import HideMe, TurnStats, TurnTop
from bot.locales import Translator
from bot.screens.leaderboards import PER_PAGE, leaderboard
from tests.bot.screens.gallery_records import DUELS, FIRST, MANY, MANY_DUELS, RANKED, SUMMARY, stats_of
from tests.bot.screens.limits import check
from tests.bot.screens.scenes import EN, GROUP, LANGUAGES, RU, asked, lines
from tests.bot.screens.telegram_html import shown


def test_a_leaderboard_has_ratings_matches_and_wins() -> None:
    assert lines(leaderboard(RANKED[:2], 0, RU, GROUP))[:3] == [
        "🏆 Лучшие · Книжный клуб",
        "1. Аня — 2008 · побед 11 из 37",
        "2. Борис — 1956 · побед 10 из 34",
    ]
    assert lines(leaderboard(RANKED[:1], 0, EN, None))[:2] == [
        "🏆 Best players · all groups",
        "1. Аня — 2008 · won 11 of 37",
    ]


def test_its_pages_turn_and_count_on() -> None:
    first, last = leaderboard(MANY, 0, RU, GROUP), leaderboard(MANY, 1, RU, GROUP)
    assert asked(first) == [TurnTop(1)]
    assert asked(last) == [TurnTop(0)]
    assert lines(last)[1].startswith(f"{PER_PAGE + 1}. Лёва — 1000")
    assert leaderboard(MANY, 99, RU, GROUP) == last
    assert leaderboard(MANY[:PER_PAGE], 0, RU, GROUP).rows == ()


def test_a_record_says_what_was_achieved_and_against_whom() -> None:
    assert lines(stats_of(SUMMARY, DUELS[:1], RU, group=GROUP)) == [
        "📇 Аня · Книжный клуб",
        "Рейтинг: 2008",
        "37 партий, 11 побед",
        "Места: 1-е × 11 · 2-е × 14 · 3-е × 9 · 5-е × 3",
        "210 раундов, выиграно 61",
        "Очков за раунд: в среднем 16,5, больше всего 84",
        "Раундов, законченных пиковой дамой: 7",
        "Лучший финиш: место 1 из 6, очков 12",
        "Уходов до конца партии: 1",
        "",
        "Кто кого опережал:",
        "Аня — Борис 7:2",
    ]
    assert "Points a round: 16.5 on average, 84 at most" in lines(stats_of(SUMMARY, (), EN))


def test_a_record_without_a_finished_round_divides_by_nothing() -> None:
    assert lines(stats_of(FIRST, (), RU)) == [
        "📇 Аня · все группы",
        "Рейтинг: 1170",
        "1 партия, 1 победа",
        "Места: 1-е × 1",
        "Лучший финиш: место 1 из 2, очков 0",
    ]


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
