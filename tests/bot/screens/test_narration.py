"""Narration of the last events, one line per turn."""

from __future__ import annotations

import pytest

from bot.screens.narration import narrate
from tests.bot.screens.scenes import EN, RU, Scene, dealt, scene

THREE = "p1: {} | p2: 10C 9H | p3: 10S 9S | stock: 6H 6D 8H 10D KC KH KD JD 7H | discard: JD JS"


@pytest.mark.parametrize(
    ("moment", "russian", "english"),
    [
        (
            scene(THREE.format("KS KD"), "p1 KS"),
            "Аня: К♠️ → Борис берёт 4 и пропускает ход",
            "Аня: K♠️ → Борис draws 4 and misses a turn",
        ),
        (scene(THREE.format("10S KD"), "p1 10S"), "Аня: 10♠️", "Аня: 10♠️"),
        (
            scene(THREE.format("AS KD"), "p1 AS"),
            "Аня: Т♠️ → Борис пропускает ход",
            "Аня: A♠️ → Борис misses a turn",
        ),
        (scene(THREE.format("QS KD"), "p1 QS:H"), "Аня: Д♠️, заказ ♥️", "Аня: Q♠️, orders ♥️"),
        (
            scene(THREE.format("9C KD"), "p1 draw"),
            "Аня берёт 8",
            "Аня draws 8",
        ),
        (
            scene(
                "p1: 9C KD | p2: 10C | stock: 9H 6D 8S 6S 7H 8H | discard: JD 10S",
                "p1 draw",
                "p1 8S",
                "p1 draw",
                "p1 6S",
            ),
            "Аня берёт 3 и кладёт 8♠️, берёт 1 и кладёт 6♠️ → Борис берёт 1 и пропускает ход",
            "Аня draws 3 and lays 8♠️, draws 1 and lays 6♠️ → Борис draws 1 and misses a turn",
        ),
        (
            scene(THREE.format("8S 8C 6C 7D"), "p1 8S", "p1 8C", "p1 6C"),
            "Аня: 8♠️, затем 8♣️, затем 6♣️ → Борис берёт 1 и пропускает ход",
            "Аня: 8♠️, then 8♣️, then 6♣️ → Борис draws 1 and misses a turn",
        ),
        (
            scene(THREE.format("10S KD"), "p1 10S", effects={"10": "load2"}),
            "Аня: 10♠️ → Борис берёт 2",
            "Аня: 10♠️ → Борис draws 2",
        ),
        (
            scene(THREE.format("10S KD"), "p1 10S", effects={"10": "reverse"}),
            "Аня: 10♠️ → ход идёт против часовой ↺",
            "Аня: 10♠️ → play goes counter-clockwise ↺",
        ),
        (
            scene(
                "p1: 7S KD | p2: 7H 10C | p3: 9S 8C | stock: 9H 8D KS 6D JD | discard: JS",
                "p1 7S",
                "p2 7H",
                transfer=["7"],
            ),
            "Борис: 7♥️ → Вера берёт 4 и пропускает ход",
            "Борис: 7♥️ → Вера draws 4 and misses a turn",
        ),
        (
            scene(
                "p1: 7S KD | p2: 7H 10C | p3: 9S 8C | stock: 9H 8D KS | discard: JS", "p1 7S", transfer=["7"]
            ),
            "Аня: 7♠️ → Борис отвечает семёркой или берёт 2",
            "Аня: 7♠️ → Борис answers with a seven or takes 2",
        ),
        (
            scene(
                "p1: 7S KD | p2: 7H 10C | stock: 9H 8D KS | discard: JS", "p1 7S", "p2 draw", transfer=["7"]
            ),
            "Борис берёт 2 и пропускает ход",
            "Борис draws 2 and misses a turn",
        ),
        (
            scene(
                "p1: AS KD | p2: AH 10C | p3: 9S | stock: 9H | discard: JS",
                "p1 AS",
                "p2 pass",
                transfer=["A"],
            ),
            "Борис пропускает ход",
            "Борис misses a turn",
        ),
        (
            scene("p1: 9C KD | p2: 10C | stock: 9H 6D | discard: JS", "p1 draw", draw="one_then_play"),
            "Аня берёт 1, карта не подходит",
            "Аня draws 1, no match",
        ),
        (
            scene(
                "p1: 9C KD | p2: 10C | stock: 9S 6D | discard: JS", "p1 draw", "p1 pass", draw="one_then_play"
            ),
            "Аня берёт 1, пас",
            "Аня draws 1, pass",
        ),
        (
            scene("p1: 9C KD | p2: 10C | stock: 9S 6D | discard: JS", "p1 draw", draw="one_then_pass"),
            "Аня берёт 1, ход переходит",
            "Аня draws 1, turn over",
        ),
        (
            scene("p1: 9C KD | p2: 10C | stock: 9H 6D | discard: JS", "p1 draw"),
            "Аня берёт 2, карт больше нет",
            "Аня draws 2, no cards left",
        ),
        (
            scene("p1: 9C KD | p2: 10C | stock: | discard: JS", "p1 pass"),
            "Аня: ходить и брать нечего",
            "Аня: nothing to lay or draw",
        ),
        (
            scene(
                "p1: 8S KD 9C | p2: 10C | stock: 9H 6D | discard: JS", "p1 8S", "p1 draw", cover_draw="one"
            ),
            "Аня: 8♠️, берёт 1, накрыть нечем",
            "Аня: 8♠️, draws 1, no cover",
        ),
        (
            scene("p1: KD 9C | p2: 10C | stock: 9H 6D | discard: 8S | must_cover:", "p1 draw"),
            "Аня берёт 2, накрыть нечем, карт больше нет",
            "Аня draws 2, no cover, no cards left",
        ),
        (
            scene("p1: 6S KD | p2: 10C | stock: 9H | discard: 9D 7D JS", "p1 6S"),
            "Аня: 6♠️ → Борис берёт 1 и пропускает ход → ♻️ сброс снова служит колодой",
            "Аня: 6♠️ → Борис draws 1 and misses a turn → ♻️ the discard is the stock again",
        ),
        (scene(THREE.format("6C KD"), "p3 leave"), "Вера выходит из партии", "Вера leaves the match"),
        (
            scene(THREE.format("8S KD 8H"), "p1 8S", "p1 leave"),
            "Аня выходит из партии",
            "Аня leaves the match",
        ),
    ],
)
def test_a_turn_is_told_in_one_line(moment: Scene, russian: str, english: str) -> None:
    assert narrate(moment.seen_by(), RU)[-1] == russian
    assert narrate(moment.seen_by(), EN)[-1] == english


def test_two_turns_of_the_same_player_are_two_lines() -> None:
    moment = scene("p1: AS KS 6D | p2: 10C | stock: 9H 6H 7H JH 8H | discard: JS", "p1 AS", "p1 KS")
    assert narrate(moment.seen_by(), RU) == [
        "Аня: Т♠️ → Борис пропускает ход",
        "Аня: К♠️ → Борис берёт 4 и пропускает ход",
    ]


def test_a_fresh_deal_is_told() -> None:
    assert narrate(dealt(3).seen_by(), RU) == ["Карты сданы, заходит Борис"]
    (turned_up,) = narrate(dealt(3, opening="turn_up").seen_by(), RU)
    assert turned_up.startswith("Карты сданы, открыта ")
