"""Results of rounds and matches: sums, open hands, places."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.buttons import DealNext, Rematch, ShowScore, Sit, decode
from bot.screens.result import match_end, result, stopped
from bot.screens.standings import places
from bot.screens.table import table
from bot.settings import Look
from bot.tables.ranking import Outcome
from tests.bot.screens.scenes import CTX, EN, RU, Scene, dealt, labels, lines, lobby_of, played_out, scene

PICTURES = replace(CTX, look=Look.PICTURE)
SEED = "seed: " + "5e" * 32
ENDING = (
    "p1 [88]: 6S | p2 [37]: KD 10C | p3 [90]: 9C QS JH | stock: 9H 6D | discard: JS | number: 3 | " + SEED
)


def test_a_result_lays_the_hands_open_and_adds_up() -> None:
    screen = result(scene(ENDING, "p1 6S").seen_by(), RU, CTX)
    assert lines(screen) == [
        "🏁 Раунд 3: выигрывает Аня",
        "Аня 88",
        "Борис 37 + 14 = 51   К♦️ 10♣️",
        "✖️ Вера 90 + 14 = 104 — вылет   Д♠️ В♥️ 9♣️",
        "🔐 9985b2e4 · ключ и проверка: /fair@sto_odno_bot",
        'Следующий раунд в <tg-time unix="1790000025" format="T">ближайшие секунды</tg-time>',
        lines(screen)[-1],
    ]
    assert lines(screen)[-1].startswith("🔐 Следующая раздача: ")
    asked = [decode(button.data or "") for button in screen.rows[0]]
    assert asked == [DealNext("k3f9x2", 3), ShowScore("k3f9x2"), Sit("k3f9x2")]


def test_the_last_result_can_be_shown_while_the_next_round_runs() -> None:
    moment = scene(ENDING, "p1 6S").then("time")
    assert lines(result(moment.seen_by(), RU, CTX, final=True))[0] == "🏁 Раунд 3: выигрывает Аня"


@pytest.mark.parametrize(
    ("text", "settings", "line"),
    [
        ("p1 [50]: QH | p2 [9]: 9C", {"finish_bonus": "queens"}, "Аня 50 − 20 = 30"),
        ("p1 [10]: QS | p2 [9]: 9C", {"finish_bonus": "queens"}, "Аня 10 − 40 = −30"),
        (
            "p1 [0]: QS | p2 [9]: 9C",
            {"finish_bonus": "queens", "negatives": "floor_zero"},
            "Аня 0 − 40 = −40 → 0",
        ),
        ("p1 [10]: JH | p2 [92]: 9C", {"exact_limit": "zero"}, "Борис 92 + 9 = 101 → 0   9♣️"),
        ("p1 [10]: JH | p2 [92]: 9C", {}, "Борис 92 + 9 = 101   9♣️"),
        ("p1 [10]: JH | p2 [91]: 9C", {"exact_limit": "zero_and_half"}, "Борис 91 + 9 = 100 → 50   9♣️"),
        ("p1 [10]: QH | p2 [10]: 9C", {"double_on_queen_finish": True}, "Борис 10 + 18 = 28   9♣️"),
        ("p1 [10]: JH | p2 [10]: 9C", {"points": "nine_zero"}, "Борис 10   9♣️"),
    ],
)
def test_a_sum_shows_what_the_rules_made_of_it(text: str, settings: dict[str, Any], line: str) -> None:
    moment = scene(f"{text} | stock: 9H 6D | discard: 8H", f"p1 {text.split()[2]}", **settings)
    assert line in lines(result(moment.seen_by(), RU, CTX))


def test_whoever_sat_down_in_mid_match_starts_from_the_highest_total() -> None:
    moment = scene("p1 [10]: JH | p2 [40]: 9C | stock: 9H 6D | discard: 8H", "p1 JH", "p3 sit").then("time")
    over = played_out_round(moment)
    (line,) = [line for line in lines(result(over.seen_by(), RU, CTX)) if "Вера" in line and "🏁" not in line]
    assert line.removeprefix("✖️ ").startswith("Вера 49")


def played_out_round(moment: Scene) -> Scene:
    """Played to the end of the round, by the clock alone."""
    number = moment.seen_by().rounds[-1].number
    while moment.seen_by().rounds[-1].number == number:
        moment = moment.then("time")
    return moment


def test_places_follow_who_stayed_longest_and_leavers_come_last() -> None:
    moment = dealt(5).then("p4 leave")
    view = played_out(moment).seen_by()
    ranking = places(view)
    assert [place.fate for place in ranking] == [
        Outcome.WON,
        Outcome.OUT,
        Outcome.OUT,
        Outcome.OUT,
        Outcome.LEFT,
    ]
    assert ranking[-1].seat == 3
    rounds_out = [place.out_in or 0 for place in ranking if place.fate is Outcome.OUT]
    assert rounds_out == sorted(rounds_out, reverse=True)


def test_the_end_at_the_first_bust_ranks_those_still_in_by_their_totals() -> None:
    moment = scene(
        "p1 [60]: JH | p2 [95]: 9C | p3 [20]: 8C | p4 [70]: 6D | stock: 9H 6D | discard: 8H",
        "p1 JH",
        game_end="first_bust",
    )
    assert [(place.seat, place.fate) for place in places(moment.seen_by())] == [
        (2, Outcome.WON),
        (0, Outcome.STAYED),
        (3, Outcome.STAYED),
        (1, Outcome.OUT),
    ]


def test_the_matchs_end_tells_places_rounds_and_time_and_rings() -> None:
    screen = match_end(played_out(dealt(3)).seen_by(), RU, CTX)
    first, *ranking, moment, length = lines(screen)
    assert first.startswith("🏆 ")
    assert [line.split(".")[0] for line in ranking] == ["1", "2", "3"]
    assert all("вылет в раунде" in line for line in ranking[1:])
    assert moment.startswith("✨ ")
    assert " раунд" in length
    assert " · " in length
    assert [decode(button.data or "") for button in screen.rows[0]] == [
        Rematch("k3f9x2"),
        ShowScore("k3f9x2"),
    ]
    assert screen.notifies


def test_a_match_that_was_continued_offers_no_second_rematch() -> None:
    view = replace(played_out(dealt(2)).seen_by(), rematched=True)
    assert labels(match_end(view, RU, CTX).rows) == ["📊 Счёт", "📈 График | 🔔 Звать меня"]


@pytest.mark.parametrize(
    ("seconds", "russian", "english"),
    [
        (5, "1 минута", "1 minute"),
        (60 * 18, "18 минут", "18 minutes"),
        (60 * 62, "1 ч 2 мин", "1 h 2 min"),
        (86_400 * 3 + 5, "3 дня", "3 days"),
    ],
)
def test_the_length_of_a_match_is_told_in_fitting_units(seconds: int, russian: str, english: str) -> None:
    over = played_out(dealt(2)).seen_by()
    assert over.started_at is not None
    view = replace(over, ended_at=over.started_at + seconds)
    assert lines(match_end(view, RU, CTX))[-1].endswith(f" · {russian}")
    assert lines(match_end(view, EN, CTX))[-1].endswith(f" · {english}")


def test_a_stopped_match_keeps_the_picture_that_was_seen_last() -> None:
    in_play = scene("p1 [88]: 6S KD | p2 [37]: KD 10C | stock: 9H | discard: JS | number: 3")
    over = in_play.then("p1 stop").seen_by()
    kept = stopped(over, RU, PICTURES)
    assert kept.picture == table(in_play.seen_by(), RU, PICTURES).picture
    assert kept.text == stopped(over, RU, CTX).text
    between = scene(ENDING, "p1 6S")
    kept = stopped(between.then("p1 stop").seen_by(), RU, PICTURES)
    assert kept.picture == result(between.seen_by(), RU, PICTURES).picture
    undealt = lobby_of(2, cut=True).then("p1 start", "p1 stop").seen_by()
    assert stopped(undealt, RU, PICTURES).picture is None
