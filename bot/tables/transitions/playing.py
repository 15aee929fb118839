"""What moves make of a table: its new phase, what the clock waits for, and what has been told of the round.

For the other transitions, which say whose moves they are and whether they may be made.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.callbacks import Stamp
from bot.tables.lifecycle import Deadline, DeadlineKind, Ending, Phase
from bot.tables.model import Table
from bot.tables.moment import Moment
from bot.tables.moving import forced_move
from bot.tables.refusals import Refusal
from bot.tables.transitions.change import Change, Made
from bot.tables.transitions.checks import match_of, stamp_of
from engine import Deal, Illegal, Match, apply


def play_on(table: Table, moves: Sequence[Made], moment: Moment) -> Change:
    """Apply moves to the table's match, and see what that makes of the table.

    Raises Refusal with the engine's reason; then nothing has changed.
    """
    match = match_of(table)
    history, rounds, dealt, next_seed = table.history, table.rounds, table.dealt, table.next_seed
    for made in moves:
        try:
            transition = apply(match, made.move)
        except Illegal as illegal:
            raise Refusal(illegal.reason, made.move) from illegal
        if isinstance(made.move, Deal):
            history, next_seed = (), moment.seed
            dealt = (*dealt, match.seats_in())
        history = (*history, tuple(transition.events))
        ended_round = transition.match.last_round
        if ended_round is not None and ended_round is not match.last_round:
            rounds = (*rounds, ended_round)
        match = transition.match
    played = replace(table, match=match, history=history, rounds=rounds, dealt=dealt, next_seed=next_seed)
    return Change(settled(table, played, moment), tuple(moves))


def settled(before: Table, table: Table, moment: Moment) -> Table:
    """The table in the phase its match is in, with the deadline that phase has.

    Somebody else's leaving gives nobody a new deadline: it is kept while the same move of the same turn is
    due.
    """
    match = match_of(table)
    if match.winner is not None:
        return ended(table, Ending.FINISHED, moment)
    if match.round is None:
        if table.phase in (Phase.LOBBY, Phase.BETWEEN, Phase.CUTTING):
            return table
        return replace(table, phase=Phase.BETWEEN, deadline=_next_deal_deadline(table, moment))
    if before.phase is Phase.PLAYING and _due(match_of(before)) == _due(match):
        return table
    return replace(table, phase=Phase.PLAYING, deadline=_move_deadline(table, match, moment))


def ended(table: Table, ending: Ending, moment: Moment) -> Table:
    """The table, over."""
    return replace(table, phase=Phase.OVER, ending=ending, deadline=None, waiting=(), ended_at=moment.now)


def lobby_deadline(moment: Moment) -> Deadline:
    """When a lobby in which somebody has just done something closes."""
    return Deadline(DeadlineKind.LOBBY, moment.now + moment.pace.lobby)


def _next_deal_deadline(table: Table, moment: Moment) -> Deadline | None:
    """Without a clock the next round is dealt by a press alone."""
    if table.settings.turn_seconds is None:
        return None
    return Deadline(DeadlineKind.NEXT_DEAL, moment.now + moment.pace.next_deal)


def _move_deadline(table: Table, match: Match, moment: Moment) -> Deadline | None:
    if forced_move(match) is not None and not _moves_by_hand(table, match, moment):
        return Deadline(DeadlineKind.FORCED, moment.now + moment.pace.forced)
    if table.settings.turn_seconds is None:
        return None
    return Deadline(DeadlineKind.TURN, moment.now + table.settings.turn_seconds)


def _moves_by_hand(table: Table, match: Match, moment: Moment) -> bool:
    assert match.round is not None
    return table.players[match.round.turn].user_id in moment.by_hand


def _due(match: Match) -> tuple[int | None, Stamp]:
    """Which move of which seat a running round waits for."""
    return (None if match.round is None else match.round.turn), stamp_of(match)
