"""Narration of the last events, one line per turn; the lines themselves are in the gallery."""

from __future__ import annotations

from bot.screens.narration import narrate
from tests.bot.screens.scenes import RU, scene


def test_two_turns_of_the_same_player_are_two_lines() -> None:
    moment = scene("p1: AS KS 6D | p2: 10C | stock: 9H 6H 7H JH 8H | discard: JS", "p1 AS", "p1 KS")
    assert narrate(moment.seen_by(), RU) == [
        "Аня: Т♠️ → Борис пропускает ход",
        "Аня: К♠️ → Борис берёт 4 и пропускает ход",
    ]
