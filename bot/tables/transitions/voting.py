"""Asking somebody to leave and ending the table: at once by the host or an admin, otherwise by a vote.

A vote passes with at least two ayes that are more than half of those who are in, without the person it
concerns. It is counted whenever somebody votes, and once more when its time is up: players who are away have
until then to answer, and are left out of that last count.
"""

from __future__ import annotations

from dataclasses import replace

from bot.tables.context import TransitionContext
from bot.tables.lifecycle import Ending, TablePhase
from bot.tables.model import Table
from bot.tables.refusals import Refusal, Refused
from bot.tables.transitions.change import Change
from bot.tables.transitions.checks import require_host, require_open
from bot.tables.transitions.computers import send_off
from bot.tables.transitions.leaving import remove
from bot.tables.transitions.playing import ended
from bot.tables.vote import LEAST_AYES, Verdict, Vote, ayes_needed


def kick(table: Table, ctx: TransitionContext, user_id: int, target: int, *, is_admin: bool) -> Change:
    """Ask somebody to leave, as host or admin; a computer player, as anybody at the table.

    Raises Refusal: table_over, yourself, not_host, not_at_your_table, not_at_table, two_are_left.
    """
    require_open(table)
    _require_another(user_id, target)
    concerned = table.player(target)
    if concerned is not None and concerned.is_computer:
        return send_off(table, ctx, user_id, target, is_admin=is_admin)
    require_host(table, user_id, is_admin=is_admin)
    _require_kickable(table, target)
    return _ask_to_leave(table, ctx, target, user_id)


def let_back(table: Table, _ctx: TransitionContext, user_id: int, target: int, *, is_admin: bool) -> Change:
    """Let somebody who was asked to leave sit down again, as host or admin.

    Raises Refusal: table_over, not_host, not_removed.
    """
    require_open(table)
    require_host(table, user_id, is_admin=is_admin)
    _require_removed(table, target)
    vote = table.vote
    if vote is not None and vote.is_open and vote.returns and vote.target == table.removed_player(target):
        table = replace(table, vote=vote.closed(Verdict.PASSED))
    return Change(_without_removed(table, target))


def stop(table: Table, ctx: TransitionContext, user_id: int, *, is_admin: bool) -> Change:
    """End the table for everybody, without a winner. Raises Refusal: table_over, not_host."""
    require_open(table)
    require_host(table, user_id, is_admin=is_admin)
    return Change(ended(table, ctx, Ending.STOPPED))


def call_vote(
    table: Table, ctx: TransitionContext, user_id: int, target: int | None, *, returns: bool = False
) -> Change:
    """Open a vote on kicking somebody, or letting them back (`returns`), or with None on ending the table.

    The caller's vote is an aye.

    Raises Refusal: table_over, not_a_voter, vote_running, too_few_voters; else as `kick` and `let_back`.
    """
    require_open(table)
    _require_another(user_id, target)
    if table.vote is not None and table.vote.is_open:
        raise Refusal(Refused.VOTE_RUNNING)
    if target is not None and returns:
        _require_removed(table, target)
    elif target is not None:
        _require_kickable(table, target)
    concerned = None if target is None else table.removed_player(target) or table.player(target)
    caller = table.player(user_id)
    if caller is None or user_id not in table.electorate(concerned):
        raise Refusal(Refused.NOT_A_VOTER)
    if len(table.electorate(concerned)) < LEAST_AYES:
        raise Refusal(Refused.TOO_FEW_VOTERS)
    number = 1 if table.vote is None else table.vote.number + 1
    closes_at = ctx.now + ctx.timings.vote
    vote = Vote(number, concerned, caller, (user_id,), (), closes_at, returns=returns)
    return _counted(replace(table, vote=vote), ctx)


def cast_vote(table: Table, ctx: TransitionContext, user_id: int, number: int, *, aye: bool) -> Change:
    """Vote, or change one's vote. Raises Refusal: table_over, stale (that vote is over), not_a_voter."""
    require_open(table)
    vote = table.vote
    if vote is None or not vote.is_open or vote.number != number:
        raise Refusal(Refused.STALE)
    if user_id not in table.electorate(vote.target):
        raise Refusal(Refused.NOT_A_VOTER)
    ayes = tuple(voter for voter in vote.ayes if voter != user_id)
    noes = tuple(voter for voter in vote.noes if voter != user_id)
    if aye:
        ayes = (*ayes, user_id)
    else:
        noes = (*noes, user_id)
    return _counted(replace(table, vote=replace(vote, ayes=ayes, noes=noes)), ctx)


def close_vote(table: Table, ctx: TransitionContext) -> Change:
    """Close the open vote, whose time is up; without a majority by now it has failed."""
    return _counted(table, ctx, is_time_up=True)


def is_kickable(table: Table, target: int) -> bool:
    """Return whether this player may be kicked: with two left, only one who is away may be."""
    seat = table.seat_of(target)
    if seat is None or not table.is_in(target):
        return False
    return table.match is None or table.players[seat].is_away or len(table.match.seats_in()) > 2


def _require_another(user_id: int, target: int | None) -> None:
    """Raise Refusal: yourself. A question for somebody else lists the reader's own name too."""
    if user_id == target:
        raise Refusal(Refused.YOURSELF)


def _require_kickable(table: Table, target: int) -> None:
    """Raises Refusal: not_at_table, two_are_left."""
    if not table.is_in(target):
        raise Refusal(Refused.NOT_AT_TABLE)
    if not is_kickable(table, target):
        raise Refusal(Refused.TWO_ARE_LEFT)


def _counted(table: Table, ctx: TransitionContext, *, is_time_up: bool = False) -> Change:
    """Carry out a vote that has passed; close one that can't pass any more, or whose time is up."""
    vote = table.vote
    if vote is None or not vote.is_open or table.phase is TablePhase.OVER:
        return Change(table)
    voters = table.electorate(vote.target)
    if is_time_up:
        voters = voters.difference(_silent_absent(table, vote))
    needed = ayes_needed(len(voters))
    failed = Change(replace(table, vote=vote.closed(Verdict.FAILED, needed)))
    if len(voters.intersection(vote.ayes)) < needed:
        can_pass = not is_time_up and len(voters.difference(vote.noes)) >= needed
        return Change(table) if can_pass else failed
    passed = replace(table, vote=vote.closed(Verdict.PASSED, needed))
    if vote.target is None:
        return Change(ended(passed, ctx, Ending.STOPPED))
    target = vote.target.user_id
    if vote.returns:
        return Change(_without_removed(passed, target))
    return _ask_to_leave(passed, ctx, target, None) if is_kickable(table, target) else failed


def _ask_to_leave(table: Table, ctx: TransitionContext, target: int, actor: int | None) -> Change:
    """Remove somebody, who has to be let back before sitting down again."""
    player = table.player(target)
    assert player is not None
    return remove(replace(table, removed=(*table.removed, player)), ctx, target, actor)


def _require_removed(table: Table, target: int) -> None:
    """Raises Refusal: not_removed."""
    if table.removed_player(target) is None:
        raise Refusal(Refused.NOT_REMOVED)


def _without_removed(table: Table, target: int) -> Table:
    return replace(table, removed=tuple(it for it in table.removed if it.user_id != target))


def _silent_absent(table: Table, vote: Vote) -> set[int]:
    """Return the user ids of those who are away and have not voted."""
    away = {player.user_id for player in table.players if player.is_away}
    return away.difference(vote.ayes, vote.noes)
