"""A match under each preset, chosen by pressing and played to its end by simulated people."""

from __future__ import annotations

import pytest

from bot.buttons import ChoosePreset, ChooseRule, OpenSettings
from bot.tables.lifecycle import Ending
from engine import PRESETS, Rules
from tests.e2e.committed import CATALOGUES, misplaced_cards, steps
from tests.e2e.menus import Menu
from tests.e2e.players import Club, unlogged_taps
from tests.e2e.running import Running

pytestmark = pytest.mark.asyncio(loop_scope="module")

LIMIT = 51
"""The lowest that the menu offers, for a short match."""


@pytest.mark.parametrize(
    ("preset", "language"), [(preset, ("ru", "en")[n % 2]) for n, preset in enumerate(PRESETS)]
)
async def test_a_match_is_played_to_its_end_by_the_rules_that_were_chosen(
    bot: Running, preset: str, language: str
) -> None:
    club = await Club.gathered(bot, 2, language=language, seed=preset)
    menu = await Menu.of_group(club)
    await menu.press(OpenSettings("presets"))
    await menu.press(ChoosePreset(preset))
    await menu.turn_to_rule("limit")
    await menu.press(ChooseRule("limit", str(LIMIT)))
    await club.deal()
    assert CATALOGUES[language].plain(f"preset.{preset}") in club.board.text
    await club.play()
    state = await club.settled()
    assert state.match.rules == Rules.from_document({"preset": preset, "limit": LIMIT})
    assert state.table.ending is Ending.FINISHED
    assert state.match.winner is not None
    assert steps(state)[-1].after == state.match
    assert misplaced_cards(state) == []
    assert unlogged_taps(club.people, state) == []
