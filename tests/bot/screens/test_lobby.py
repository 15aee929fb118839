"""The group's message for an open or closed lobby."""

from __future__ import annotations

import pytest

from bot.buttons import HouseRules, OpenComputers, Sit, Stand, StartMatch, decode
from bot.screens.lobby import lobby
from tests.bot.screens.scenes import CTX, RU, lines, lobby_of


def test_the_lobby_tells_who_sits_by_which_rules_and_how_many_may() -> None:
    screen = lobby(lobby_of(2).seen_by(), RU, CTX)
    assert lines(screen)[:6] == [
        "🃏 Сто одно — кто играет?",
        "Классика · 36 карт · до 101 · 60 сек на ход",
        "",
        "1. Аня 👑",
        "2. Борис",
        "За столом 2 из 6",
    ]
    asked = [decode(button.data) for row in screen.rows for button in row if button.data is not None]
    kinds = (Sit, Stand, HouseRules, StartMatch, OpenComputers)
    assert asked == [kind("k3f9x2") for kind in kinds]
    assert screen.notifies


@pytest.mark.parametrize(
    ("seconds", "pace"),
    [
        (30, "30 сек на ход"),
        (60, "60 сек на ход"),
        (120, "2 мин на ход"),
        (86_400, "1 день на ход"),
        (None, "без таймера"),
    ],
)
def test_the_lobby_tells_the_pace(seconds: int | None, pace: str) -> None:
    assert lines(lobby(lobby_of(1, turn_seconds=seconds).seen_by(), RU, CTX))[1].endswith(f" · {pace}")


def test_rules_that_are_not_quite_a_preset_say_so() -> None:
    view = lobby_of(1, preset="game_108", limit=120, deck=52).seen_by()
    assert lines(lobby(view, RU, CTX))[1] == "Сто восемь + 2 изменения · 52 карты · до 120 · 60 сек на ход"
