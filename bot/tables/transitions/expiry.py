"""Transitions for deadlines that are due."""

from __future__ import annotations

import math
from dataclasses import replace

from bot.tables.automatic_moves import is_mid_turn, least_move, sound_move
from bot.tables.context import TransitionContext
from bot.tables.lifecycle import Deadline, DeadlineKind, Ending, TablePhase
from bot.tables.model import Table
from bot.tables.transitions.change import AppliedMove, Change
from bot.tables.transitions.checks import match_of
from bot.tables.transitions.playing import coming_move, ended, play_on
from bot.tables.transitions.round import deal_next
from bot.tables.transitions.voting import close_vote
from engine import Deal
from engine.players import Level

COSTS_NOBODY = {DeadlineKind.REMINDER, DeadlineKind.FORCED, DeadlineKind.COMPUTER}
"""Deadlines at which nobody loses a choice."""


def expire_due(table: Table, ctx: TransitionContext, heard_until: float = math.inf) -> Change:
    """Close the vote or handle the deadline, if it is due; else change nothing.

    `heard_until`: all updates up to then have been handled (unix seconds). What costs somebody something is
    due only then, because a press may have been made in time.
    """
    heard_until = min(heard_until, ctx.now)
    vote, deadline = table.vote, table.deadline
    if vote is not None and vote.closes_at is not None and vote.closes_at <= heard_until:
        return close_vote(table, ctx)
    if deadline is None:
        return Change(table)
    is_due = deadline.at <= (ctx.now if deadline.kind in COSTS_NOBODY else heard_until)
    return expire(table, ctx, deadline) if is_due else Change(table)


def expire(table: Table, ctx: TransitionContext, deadline: Deadline) -> Change:
    """Handle a deadline. One that is no longer the table's changes nothing."""
    if table.deadline != deadline or table.phase is TablePhase.OVER:
        return Change(table)
    match deadline.kind:
        case DeadlineKind.HOST:
            closes = Deadline(DeadlineKind.LOBBY, ctx.now + ctx.timings.lobby - ctx.timings.host)
            return Change(replace(table, host_silent=True, deadline=closes))
        case DeadlineKind.LOBBY:
            return Change(ended(table, ctx, Ending.EXPIRED))
        case DeadlineKind.NEXT_DEAL:
            return deal_next(table, ctx, None, match_of(table).number)
        case DeadlineKind.CUT:
            return play_on(table, ctx, [AppliedMove(Deal(table.next_seed), None)])
        case DeadlineKind.FORCED:
            return _made_itself(table, ctx)
        case DeadlineKind.COMPUTER:
            return _moved_for_computer(table, ctx)
        case DeadlineKind.REMINDER:
            assert table.turn_ends is not None
            end = Deadline(DeadlineKind.TURN, table.turn_ends)
            return Change(replace(table, deadline=end, recalls=table.recalls + 1))
        case DeadlineKind.TURN:
            return _played_out(_with_miss(table), ctx)
        case DeadlineKind.AUTOPILOT:
            return _played_out(table, ctx)


def _made_itself(table: Table, ctx: TransitionContext) -> Change:
    """Make the forced move, even if its player has since chosen to make these by hand."""
    move = coming_move(table, ctx) or coming_move(table, replace(ctx, by_hand=frozenset()))
    if move is None:
        raise AssertionError(f"table {table.id} waits for a move that makes itself and has none")
    return play_on(table, ctx, [move])


def _moved_for_computer(table: Table, ctx: TransitionContext) -> Change:
    """Make a sound move for the computer player to move, which has not moved in time."""
    match = match_of(table)
    assert match.round is not None
    computer = table.players[match.round.turn.seat]
    move = sound_move(match, table.history, computer.level or Level.NORMAL, ctx.seed)
    return play_on(table, ctx, [AppliedMove(move, computer.user_id)])


def postpone(table: Table, _ctx: TransitionContext, seconds: float) -> Change:
    """Postpone the deadline and the vote's end: time in which nobody could move does not count."""
    deadline, vote = table.deadline, table.vote
    if deadline is not None:
        deadline = replace(deadline, at=deadline.at + seconds)
    if vote is not None and vote.closes_at is not None:
        vote = replace(vote, closes_at=vote.closes_at + seconds)
    return Change(replace(table, deadline=deadline, vote=vote))


def _with_miss(table: Table) -> Table:
    """Return the table with one more miss for the player to move."""
    running = match_of(table).round
    assert running is not None
    return table.with_misses(running.turn.seat, table.players[running.turn.seat].misses + 1)


def _played_out(table: Table, ctx: TransitionContext) -> Change:
    """Play the turn of the player to move to its end, even if the table falls asleep meanwhile."""
    change = play_on(table, ctx, [_for_the_absent(table, ctx)])
    while is_mid_turn(match_of(change.table)):
        further = play_on(change.table, ctx, [_for_the_absent(change.table, ctx)])
        change = Change(further.table, (*change.moves, *further.moves))
    return change


def _for_the_absent(table: Table, ctx: TransitionContext) -> AppliedMove:
    """Make the least move for the player to move, or a sound one if the group has chosen that."""
    match = match_of(table)
    if table.settings.stand_in:
        return AppliedMove(sound_move(match, table.history, Level.NORMAL, ctx.seed), None)
    return AppliedMove(least_move(match), None)
