"""The group's message while a round runs."""

from __future__ import annotations

from bot.buttons import Peek, decode
from bot.screens.narration import narrate
from bot.screens.table import EVENTS_SHOWN, table
from tests.bot.screens.scenes import CTX, RU, labels, lines, scene


def test_the_table_tells_who_is_host_once_that_is_another() -> None:
    moment = scene("p1: 7S KD | p2: 10C 9C | p3: 9S JD | stock: 9H | discard: JS")
    assert not any("👑" in line for line in lines(table(moment.seen_by(), RU, CTX)))
    assert "👑 Теперь ведёт Борис" in lines(table(moment.then("p1 leave").seen_by(), RU, CTX))


def test_the_table_tells_whose_turn_what_is_on_top_and_who_holds_how_much() -> None:
    moment = scene(
        "p1 [37]: 7S KD 6C QS | p2 [88]: 10C | p3 [12]: 9C 9S | p4 [104 out]: | p5 [20 left]: "
        "| stock: 9H 6D | discard: 8D JS | number: 3 | seed: " + "5e" * 32
    )
    screen = table(moment.seen_by(), RU, CTX)
    assert lines(screen) == [
        "▶️ Аня · сверху В♠️",
        "🃏 Раунд 3 · Классика · колода 2 · сброс 2",
        "",
        "▶️ Аня — 4 карты · 37",
        "　 Борис — последняя карта ❗ · 88",
        "　 Вера — 2 карты · 12",
        "✖️ Гена — вылет, 104",
        "🚪 Дина — не в игре, 20",
        "",
        '⏳ до <tg-time unix="1790000060" format="T">60 сек на ход</tg-time>   🔐 9985b2e4',
    ]
    assert labels(screen.rows) == ["🃏 Мои карты | 👀"]
    my_cards, eyes = screen.rows[0]
    assert my_cards.url == "https://t.me/sto_odno_bot"
    assert decode(eyes.data or "") == Peek("k3f9x2")
    assert not screen.notifies


def test_the_direction_is_told_under_rules_with_a_reverse() -> None:
    moment = scene("p1: 10S KD | p2: 9C | p3: 9S | stock: 9H | discard: JS", effects={"10": "reverse"})
    assert lines(table(moment.seen_by(), RU, CTX))[1].endswith(" · по часовой ↻")
    assert lines(table(moment.then("p1 10S").seen_by(), RU, CTX))[1].endswith(" · против часовой ↺")


def test_the_last_four_turns_are_told_the_newest_last() -> None:
    moment = scene(
        "p1: 9S 9H 6C | p2: 9C 9D 6H | stock: 6S 7H 7D | discard: 9S",
        "p1 9H",
        "p2 9C",
        "p1 9S",
        "p2 9D",
        deck=72,
    ).then("p1 draw")
    told = narrate(moment.seen_by(), RU)
    assert len(told) == 5
    assert lines(table(moment.seen_by(), RU, CTX))[6:10] == told[-EVENTS_SHOWN:]
