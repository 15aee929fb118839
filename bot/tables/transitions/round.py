"""Moves in a round and between rounds: playing a card, drawing, passing, the cut and the next deal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.tables.context import TransitionContext
from bot.tables.lifecycle import TablePhase
from bot.tables.model import Table
from bot.tables.refusals import Refusal, Refused
from bot.tables.shuffling import cutter_of
from bot.tables.transitions.change import AppliedMove, Change
from bot.tables.transitions.checks import match_of, require_awake, require_turn, seat_id, status_of
from bot.tables.transitions.playing import cutting, play_on
from engine import Deal, Draw, Join, Pass, Play, Stamp, Status, TurnMove


def lay(
    table: Table, ctx: TransitionContext, user_id: int, stamp: Stamp, card: int, suit: int | None
) -> Change:
    """Play a card. Raises Refusal: as `require_turn`, and the engine's reasons."""
    seat = require_turn(table, user_id, stamp)
    return play_on(table, ctx, [AppliedMove(Play(seat, card, suit), user_id)])


def take(table: Table, ctx: TransitionContext, user_id: int, stamp: Stamp) -> Change:
    """Draw, or take what an attack owes. Raises Refusal: as `require_turn`, and the engine's reasons."""
    seat = require_turn(table, user_id, stamp)
    return play_on(table, ctx, [AppliedMove(Draw(seat), user_id)])


def pass_turn(table: Table, ctx: TransitionContext, user_id: int, stamp: Stamp) -> Change:
    """Pass. Raises Refusal: as `require_turn`, and the engine's reasons."""
    seat = require_turn(table, user_id, stamp)
    return play_on(table, ctx, [AppliedMove(Pass(seat), user_id)])


def check_turn(table: Table, _ctx: TransitionContext, user_id: int, stamp: Stamp) -> Change:
    """Change nothing. Raises Refusal: as `require_turn`."""
    require_turn(table, user_id, stamp)
    return Change(table)


def make_move(table: Table, ctx: TransitionContext, user_id: int, stamp: Stamp, move: TurnMove) -> Change:
    """Make a move that was chosen for a seat. Raises Refusal: as `require_turn`, and the engine's reasons."""
    require_turn(table, user_id, stamp)
    return play_on(table, ctx, [AppliedMove(move, user_id)])


def deal_next(table: Table, ctx: TransitionContext, user_id: int | None, round_number: int) -> Change:
    """Deal the round after `round_number`; `user_id` None: the clock does. First seats those who wait.

    Raises Refusal: table_over, banished, not_seated, not_between (that round is not over, or the next is
    already dealt).
    """
    require_awake(table)
    if user_id is not None and not (
        table.is_in(user_id) or table.is_waiting(user_id) or _looks_on(table, user_id)
    ):
        raise Refusal(Refused.NOT_SEATED)
    if table.phase is not TablePhase.BETWEEN or match_of(table).number != round_number:
        raise Refusal(Refused.NOT_BETWEEN)
    table, joins = _seat_waiting(table)
    return deal_or_cut(table, ctx, joins, user_id)


def _looks_on(table: Table, user_id: int) -> bool:
    """Return whether this person is out while only computers are in and nobody else could deal."""
    return not table.people_in() and status_of(table, user_id) is Status.OUT


def deal_or_cut(
    table: Table, ctx: TransitionContext, joins: Sequence[AppliedMove], actor: int | None
) -> Change:
    """Deal the next round, or first ask for the cut if this table cuts the deck."""
    if not table.settings.cut:
        return play_on(table, ctx, [*joins, AppliedMove(Deal(table.next_seed), actor)])
    change = play_on(table, ctx, joins)
    return Change(cutting(change.table, ctx), change.moves)


def cut(table: Table, ctx: TransitionContext, user_id: int, round_number: int, at: int) -> Change:
    """Cut the deck for the round after `round_number` and deal it: the first `at` cards go to its end.

    Raises Refusal: table_over, banished, not_seated, stale (there is nothing to cut), not_your_turn, and the
    engine's bad_deck.
    """
    require_awake(table)
    seat = table.seat_of(user_id)
    if seat is None:
        raise Refusal(Refused.NOT_SEATED)
    if table.phase is not TablePhase.CUTTING or match_of(table).number != round_number:
        raise Refusal(Refused.STALE)
    if seat != cutter_of(table):
        raise Refusal(Refused.NOT_YOUR_TURN)
    return play_on(table, ctx, [AppliedMove(Deal(table.next_seed, cut=at), user_id)])


def _seat_waiting(table: Table) -> tuple[Table, list[AppliedMove]]:
    """Seat those who wait: at an old seat, or at a new one at the end."""
    joins = []
    players = list(table.players)
    for player in table.waiting:
        seat = table.seat_of(player.user_id)
        if seat is None:
            seat = len(players)
            players.append(player)
        else:
            players[seat] = player
        joins.append(AppliedMove(Join(seat_id(seat)), player.user_id))
    return replace(table, players=tuple(players), waiting=()), joins
