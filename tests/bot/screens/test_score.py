"""The score sheet: standings, the rounds as a table, several tables, more rounds than fit."""

from __future__ import annotations

import re
from dataclasses import replace

from bot.screens.chart import chart_screen
from bot.screens.score import score
from bot.screens.standings import places
from bot.tables.view import TableView
from tests.bot.screens.scenes import EN, RU, dealt, lines, lobby_of, played_out
from tests.bot.screens.telegram_html import MESSAGE_UNITS, shown, units


def test_the_columns_of_the_table_are_as_wide_as_they_must_be() -> None:
    text = score([played_out(dealt(4)).seen_by()], RU).text
    table = text[text.index("<pre>") + 5 : text.index("</pre>")].split("\n")
    assert len({len(row) for row in table}) == 1
    assert table[0].split() == ["А", "Б", "В", "Г"]


def test_a_round_somebody_did_not_play_is_a_dot() -> None:
    table = shown(score([played_out(dealt(4)).seen_by()], RU).text)
    assert "·" in table.split("\n")[-2]


def test_the_last_match_names_its_winner() -> None:
    view = played_out(dealt(3)).seen_by()
    assert view.game is not None
    assert view.game.winner is not None
    name = view.name_of(view.game.winner)
    assert lines(score([view], RU))[2] == f"🏆 {name} выигрывает партию"
    assert lines(score([view], EN))[2] == f"🏆 {name} wins the match"


def test_after_the_end_numbers_are_places_in_the_score_and_under_the_chart() -> None:
    view = played_out(dealt(4)).seen_by()
    ranking = [(place.number, view.name_of(place.seat)) for place in places(view)]
    assert [number for number, _ in ranking] == [1, 2, 3, 4]
    assert ranking[0][1] != view.name_of(0), "else this shows nothing"
    for screen in (score([view], RU), chart_screen(view, RU)):
        told = [line for line in lines(screen) if re.match(r"\d\. ", line)]
        assert [line.split(". ")[0] for line in told] == ["1", "2", "3", "4"]
        assert all(name in line for (_, name), line in zip(ranking, told, strict=True))


def test_columns_are_told_apart_whatever_the_names_are() -> None:
    view = played_out(dealt(6, names=("Аня", "Артём", "Вера", "Вера", "李雷", "אורי"))).seen_by()
    text = score([view], RU).text
    table = text[text.index("<pre>") + 5 : text.index("</pre>")].split("\n")
    assert table[0].split() == ["Ан", "Ар", "#3", "#4", "#5", "#6"]
    assert len({len(row) for row in table}) == 1
    assert "#3 Вера — " in text
    assert "#5 李雷 — " in text


def test_a_table_without_rounds_has_no_table_of_rounds() -> None:
    for moment in (
        lobby_of(2),
        dealt(2),
        lobby_of(2).then("p1 stop"),
        lobby_of(2, cut=True).then("p1 start"),
    ):
        assert "<pre>" not in score([moment.seen_by()], RU).text


def test_several_tables_are_shown_one_after_the_other() -> None:
    views = [dealt(2).seen_by(), played_out(dealt(3)).seen_by()]
    assert score(views, RU).text.count("📊 Счёт") == 2


def with_rounds(view: TableView, count: int) -> TableView:
    """As if the last round had been played so many times."""
    last = view.rounds[-1]
    return replace(view, rounds=tuple(last._replace(number=number) for number in range(1, count + 1)))


def test_what_does_not_fit_is_left_out_from_the_oldest_round_on_and_said() -> None:
    text = score([with_rounds(played_out(dealt(4)).seen_by(), 500)], RU).text
    assert units(text) <= MESSAGE_UNITS
    assert "первых раунд" in text
    assert "\n500 " in text
    assert "\n  1 " not in text


def test_tables_share_the_message_and_those_that_do_not_fit_are_counted() -> None:
    long = with_rounds(played_out(dealt(4)).seen_by(), 500)
    three = score([long] * 3, RU).text
    assert three.count("📊 Счёт") == three.count("<pre>") == 3
    assert units(three) <= MESSAGE_UNITS
    many = score([long] * 60, RU).text
    assert units(many) <= MESSAGE_UNITS
    assert many.endswith(f"…и ещё {60 - many.count('📊 Счёт')} столов")
