"""Applies moves to a table: its new phase, what the clock waits for, and the history of the round.

Shared by the other transitions, which decide who makes these moves and whether they are allowed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from bot.tables.automatic_moves import forced_move, premoved
from bot.tables.context import LONGEST_PAUSE, TransitionContext
from bot.tables.lifecycle import Deadline, DeadlineKind, Ending, TablePhase
from bot.tables.model import Table
from bot.tables.refusals import Refusal
from bot.tables.shuffling import cutter_of
from bot.tables.transitions.change import AppliedMove, Change
from bot.tables.transitions.checks import match_of
from bot.tables.vote import Verdict
from engine import Deal, Illegal, Move, Play, Stamp, apply, turn_stamp


def play_on(table: Table, ctx: TransitionContext, moves: Sequence[AppliedMove]) -> Change:
    """Apply moves to the table's match, and update phase and deadline.

    Raises Refusal with the engine's reason; then nothing has changed.
    """
    played = moved(table, [made.move for made in moves])
    if any(isinstance(made.move, Deal) for made in moves):
        played = replace(played, next_seed=ctx.seed)
    return Change(normalize_phase(table, played, ctx), tuple(moves))


def moved(table: Table, moves: Iterable[Move]) -> Table:
    """Return the table with these moves made in its match, and their events; nothing else changes.

    Raises Refusal with the engine's reason.
    """
    match = match_of(table)
    history, rounds, dealt, finishes = table.history, table.rounds, table.dealt, table.finishes
    for move in moves:
        try:
            transition = apply(match, move)
        except Illegal as illegal:
            raise Refusal(illegal.reason, move) from illegal
        if isinstance(move, Deal):
            history = ()
            dealt = (*dealt, match.seats_in())
        history = (*history, tuple(transition.events))
        ended_round = transition.match.last_round
        if ended_round is not None and ended_round is not match.last_round:
            rounds = (*rounds, ended_round)
            is_won = ended_round.winner is not None
            finishes = (*finishes, move.card if is_won and isinstance(move, Play) else None)
        match = transition.match
    return replace(table, match=match, history=history, rounds=rounds, dealt=dealt, finishes=finishes)


def normalize_phase(before: Table, table: Table, ctx: TransitionContext) -> Table:
    """Return the table in the phase that follows from its match and people, with that phase's deadline.

    Others coming or going do not give a player a new deadline: it is kept while the same move of the same
    turn is due.
    """
    match = table.match
    table = _with_spent_premoves_dropped(before, with_moot_vote_closed(table))
    if match is not None and table.is_abandoned:
        return ended(table, ctx, Ending.DESERTED)
    if match is not None and match.winner is not None:
        return ended(table, ctx, Ending.FINISHED)
    if table.banished or table.is_deserted:
        return _asleep(table)
    if match is None or match.round is None:
        return _woken_between(table, ctx) if table.phase in (TablePhase.ASLEEP, TablePhase.PLAYING) else table
    if before.phase is TablePhase.PLAYING and _due(before, ctx) == _due(table, ctx):
        return table
    deadline = _move_deadline(table, ctx)
    return replace(table, phase=TablePhase.PLAYING, deadline=deadline, waited_since=ctx.now, recalls=0)


def ended(table: Table, ctx: TransitionContext, ending: Ending) -> Table:
    """Return the finished table. The waiting list stays, since those people have to be told.

    So does a vote that was just carried out.
    """
    vote = table.vote if table.vote is not None and table.vote.verdict is Verdict.PASSED else None
    over = replace(table, phase=TablePhase.OVER, ending=ending, ended_at=ctx.now)
    return replace(over, deadline=None, vote=vote, premoves=(), talk=())


def cutting(table: Table, ctx: TransitionContext) -> Table:
    """Return the table at the question where to cut the deck.

    A player who is away, or a computer, gets little time; the deck stays uncut then.
    """
    pace, cutter = ctx.timings, table.players[cutter_of(table)]
    patience = pace.autopilot if cutter.is_away or cutter.is_computer else pace.cut
    return replace(table, phase=TablePhase.CUTTING, deadline=Deadline(DeadlineKind.CUT, ctx.now + patience))


def lobby_waiting(table: Table, ctx: TransitionContext) -> Table:
    """Return a lobby after an action in it: its deadline waits for the host, or for closing it."""
    is_host_awaited = table.deadline is not None and table.deadline.kind is DeadlineKind.HOST
    if table.host_silent or ctx.timings.host >= ctx.timings.lobby:
        return replace(table, deadline=Deadline(DeadlineKind.LOBBY, ctx.now + ctx.timings.lobby))
    return table if is_host_awaited else awaiting_host(table, ctx)


def awaiting_host(table: Table, ctx: TransitionContext) -> Table:
    """Return a lobby whose host has just acted, or has just become its host."""
    awaiting = replace(table, host_silent=False, deadline=None)
    if ctx.timings.host >= ctx.timings.lobby:
        return lobby_waiting(awaiting, ctx)
    return replace(awaiting, deadline=Deadline(DeadlineKind.HOST, ctx.now + ctx.timings.host))


def with_moot_vote_closed(table: Table) -> Table:
    """Return the table without an open vote on somebody who has left meanwhile."""
    vote = table.vote
    if vote is None or not vote.is_open or vote.target is None or vote.returns:
        return table
    if table.is_in(vote.target.user_id):
        return table
    return replace(table, vote=vote.closed(Verdict.FAILED))


def _asleep(table: Table) -> Table:
    """Return the sleeping table: there is nobody to move, or to vote."""
    vote = table.vote.closed(Verdict.FAILED) if table.vote is not None and table.vote.is_open else table.vote
    asleep = replace(table, phase=TablePhase.ASLEEP, deadline=None, waited_since=None, recalls=0)
    return replace(asleep, vote=vote)


def _woken_between(table: Table, ctx: TransitionContext) -> Table:
    """Return the table outside of a round, which has just ended or outside of which it slept."""
    if table.match is None:
        return awaiting_host(replace(table, phase=TablePhase.LOBBY), ctx)
    if table.match.number == 0:
        return cutting(table, ctx)  # no other pause before the first deal
    return replace(table, phase=TablePhase.BETWEEN, deadline=_next_deal_deadline(table, ctx))


def _next_deal_deadline(table: Table, ctx: TransitionContext) -> Deadline | None:
    """Without a clock only a press deals the next round; if only computers play on, it is dealt quickly."""
    seconds = ctx.timings.next_deal
    if not table.people_in():
        seconds = min(seconds, ctx.timings.autopilot)
    elif table.settings.turn_seconds is None:
        return None
    return Deadline(DeadlineKind.NEXT_DEAL, ctx.now + seconds)


def coming_move(table: Table, ctx: TransitionContext) -> AppliedMove | None:
    """Return the move to be made automatically: the premove of the player to move, or the forced move."""
    match = match_of(table)
    assert match.round is not None
    user_id = table.players[match.round.turn.seat].user_id
    premove = table.premove_of(user_id)
    if premove is not None:
        fitting = premoved(match, premove)
        if fitting is not None:
            return AppliedMove(fitting, user_id)
    forced = None if user_id in ctx.by_hand else forced_move(match)
    return None if forced is None else AppliedMove(forced, None)


def _move_deadline(table: Table, ctx: TransitionContext) -> Deadline | None:
    running, pace = match_of(table).round, ctx.timings
    assert running is not None
    if table.players[running.turn.seat].is_away:
        return Deadline(DeadlineKind.AUTOPILOT, ctx.now + pace.autopilot)
    if coming_move(table, ctx) is not None:
        return Deadline(DeadlineKind.FORCED, ctx.now + pace.forced)
    if table.players[running.turn.seat].is_computer:
        return Deadline(DeadlineKind.COMPUTER, ctx.now + LONGEST_PAUSE * pace.computer + pace.thinking)
    seconds = table.settings.turn_seconds
    if seconds is None:
        return None
    if seconds >= pace.reminded_from:
        return Deadline(DeadlineKind.REMINDER, ctx.now + seconds / 2)
    return Deadline(DeadlineKind.TURN, ctx.now + seconds)


def _due(table: Table, ctx: TransitionContext) -> tuple[int, bool, Stamp, AppliedMove | None]:
    """Return which move of which seat a running round waits for, whether its player is away, and what is
    automatic.
    """
    match = match_of(table)
    assert match.round is not None
    seat = match.round.turn.seat
    return seat, table.players[seat].is_away, turn_stamp(match), coming_move(table, ctx)


def _with_spent_premoves_dropped(before: Table, table: Table) -> Table:
    """Drop premoves whose hand has changed, or that do not fit now that their turn has come."""
    running = None if table.match is None else table.match.round
    if running is None or not table.premoves:
        return replace(table, premoves=()) if table.premoves else table
    was = None if before.match is None else before.match.round
    kept = []
    for premove in table.premoves:
        seat = table.seat_of(premove.user_id)
        assert seat is not None
        if was is None or was.piles.hands[seat] != running.piles.hands[seat]:
            continue
        if running.turn.seat == seat and premoved(match_of(table), premove) is None:
            continue
        kept.append(premove)
    return replace(table, premoves=tuple(kept))
