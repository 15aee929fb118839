"""Cutting the deck: by whom, the resulting deal, and the case that nobody cuts."""

from __future__ import annotations

from bot.tables import transitions
from bot.tables.lifecycle import Deadline, DeadlineKind, TablePhase
from bot.tables.model import Table
from bot.tables.player import Player
from bot.tables.refusals import Refused
from bot.tables.shuffling import cutter_of
from bot.tables.view import view_table
from engine import Deal, Reason
from engine.shuffle import commitment
from tests.bot.tables.tables import ANYA, BORIS, GENA, NOW, PACE, SEED, VERA, ctx, expire, lobby, refused


def cutting() -> Table:
    """A match has begun, and the deck is to be cut for its first round."""
    return transitions.start(lobby(BORIS, VERA, cut=True), ctx(), ANYA.user_id, is_admin=False).table


def cutter(table: Table) -> Player:
    return table.players[cutter_of(table)]


def test_the_shuffle_is_sealed_before_the_deck_is_cut() -> None:
    table = cutting()
    assert (table.phase, table.deadline) == (TablePhase.CUTTING, Deadline(DeadlineKind.CUT, NOW + PACE.cut))
    assert view_table(table, None, "").next_commitment == commitment(SEED)


def test_who_sits_before_the_leader_cuts_and_the_round_is_dealt_from_the_cut_deck() -> None:
    table = cutting()
    change = transitions.cut(table, ctx(), cutter(table).user_id, 0, 12)
    assert change.moves == (transitions.AppliedMove(Deal(SEED, cut=12), cutter(table).user_id),)
    running = change.table.match.round if change.table.match is not None else None
    assert running is not None
    assert (running.origin.cut, running.commitment) == (12, commitment(SEED))
    assert (running.origin.leader - 1) % 3 == cutter_of(table)


def test_nobody_else_cuts_and_nobody_twice() -> None:
    table = cutting()
    other = next(player for player in table.players if player != cutter(table))
    assert refused(lambda: transitions.cut(table, ctx(), other.user_id, 0, 12)) is Refused.NOT_YOUR_TURN
    assert refused(lambda: transitions.cut(table, ctx(), GENA.user_id, 0, 12)) is Refused.NOT_SEATED
    assert refused(lambda: transitions.cut(table, ctx(), cutter(table).user_id, 0, 37)) is Reason.BAD_DECK
    done = transitions.cut(table, ctx(), cutter(table).user_id, 0, 12).table
    assert refused(lambda: transitions.cut(done, ctx(), cutter(table).user_id, 0, 12)) is Refused.STALE


def test_a_deck_nobody_cuts_in_time_is_dealt_as_it_lies() -> None:
    change = expire(cutting(), NOW + PACE.cut)
    assert change.moves == (transitions.AppliedMove(Deal(SEED, cut=0), None),)


def test_when_the_cutter_leaves_somebody_else_cuts() -> None:
    table = cutting()
    left = transitions.leave(table, ctx(), cutter(table).user_id).table
    assert left.phase is TablePhase.CUTTING
    assert cutter(left) != cutter(table)
