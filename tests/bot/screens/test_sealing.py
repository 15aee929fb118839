"""The full commitment of a shuffle is shown before anybody sees one of its cards."""

from __future__ import annotations

from bot.locales import load_catalogues
from bot.screens.hand import hand
from bot.screens.lobby import lobby
from bot.screens.screen import Context, Screen
from bot.tables import transitions
from bot.tables.lifecycle import TablePhase
from bot.tables.model import Table
from bot.tables.view import view_table
from engine import parse_card
from engine.shuffle import commitment
from tests.bot.tables.tables import ANYA, BORIS, SEED, playing, stamp
from tests.bot.tables.tables import ctx as now
from tests.bot.tables.tables import lobby as gathered

WORDS = load_catalogues()["en"]
CONTEXT = Context("sto_odno_bot")


def copied(screen: Screen) -> list[str]:
    """Return what the screen's buttons copy."""
    return [button.copy for row in screen.rows for button in row if button.copy is not None]


def hand_of(table: Table, user_id: int) -> Screen:
    return hand(view_table(table, user_id, "Club"), WORDS, CONTEXT)


def test_the_lobby_holds_the_commitment_of_the_first_deal() -> None:
    shown = copied(lobby(view_table(gathered(BORIS), None, "Club"), WORDS, CONTEXT))
    assert shown == [commitment(SEED)]


def test_between_rounds_every_hand_holds_the_commitment_of_the_next_deal() -> None:
    table = playing({"p1": ["9S"], "p2": ["7D", "10C"]}, stock=["8H", "QD"])
    between = transitions.lay(table, now(), ANYA.user_id, stamp(table), parse_card("9S"), None)
    assert between.table.phase is TablePhase.BETWEEN
    assert copied(hand_of(between.table, BORIS.user_id)) == [commitment(between.table.next_seed)]


def test_the_first_hand_of_a_round_holds_the_commitment_it_was_dealt_from() -> None:
    table = transitions.start(gathered(BORIS), now(), ANYA.user_id, is_admin=False).table
    for player in table.players:
        assert copied(hand_of(table, player.user_id)) == [commitment(SEED)]


def test_no_screen_shows_a_seed_before_its_round_is_over() -> None:
    table = transitions.start(gathered(BORIS), now(), ANYA.user_id, is_admin=False).table
    for seed in (SEED, table.next_seed):
        for player in table.players:
            assert seed.hex() not in str(hand_of(table, player.user_id))
