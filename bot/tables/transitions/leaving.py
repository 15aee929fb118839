"""Leaving a table."""

from __future__ import annotations

from dataclasses import replace

from bot.tables.context import TransitionContext
from bot.tables.lifecycle import Ending, TablePhase
from bot.tables.model import Table
from bot.tables.refusals import Refusal, Refused
from bot.tables.transitions.change import AppliedMove, Change
from bot.tables.transitions.checks import match_of, require_open, status_of
from bot.tables.transitions.lobby import stand
from bot.tables.transitions.playing import ended, play_on
from engine import Leave, Status


def leave(table: Table, ctx: TransitionContext, user_id: int) -> Change:
    """Leave the match for good (or the lobby, or the waiting list).

    A solo player may leave when out, too: nobody else wants to see the end.

    Raises Refusal: table_over, not_seated, nothing_to_leave (out, or gone already).
    """
    require_open(table)
    if table.match is None or table.is_waiting(user_id):
        return stand(table, ctx, user_id)
    seat = table.seat_of(user_id)
    if seat is None:
        raise Refusal(Refused.NOT_SEATED)
    status = status_of(table, user_id)
    if table.is_solo and status is Status.OUT:
        return Change(ended(table, ctx, Ending.DESERTED))
    if status is not Status.IN:
        raise Refusal(Refused.NOTHING_TO_LEAVE)
    return remove(table, ctx, user_id, user_id)


def depart(table: Table, ctx: TransitionContext, user_id: int) -> Change:
    """Remove a person who has left the group from the match, the lobby or the waiting list.

    A host who is already out of the match, with nothing to leave, is replaced by the next host.
    """
    if table.phase is TablePhase.OVER:
        return Change(table)
    if table.is_in(user_id) or table.is_waiting(user_id):
        return leave(table, ctx, user_id)
    if table.host == user_id:
        return Change(replace(table, host=_next_host(table)))
    return Change(table)


def remove(table: Table, ctx: TransitionContext, user_id: int, actor: int | None) -> Change:
    """Remove somebody from the lobby or the match; `actor` is None if a vote decided it.

    If it is the host, the next person becomes host.
    """
    if table.match is None:
        return stand(table, ctx, user_id)
    seat = table.seat_of(user_id)
    assert seat is not None
    change = play_on(table, ctx, [AppliedMove(Leave(seat), actor)])
    if table.host != user_id or change.table.phase is TablePhase.OVER:
        return change
    return Change(replace(change.table, host=_next_host(change.table)), change.moves)


def make_room(table: Table, ctx: TransitionContext) -> Change:
    """End a table in favour of another: two groups with a table each have become one."""
    if table.phase is TablePhase.OVER:
        return Change(table)
    return Change(ended(table, ctx, Ending.STOPPED))


def _next_host(table: Table) -> int:
    """Return the first of the people still in, from the seat after the old host's."""
    seats = [seat for seat in match_of(table).seats_in() if not table.players[seat].is_computer]
    old = table.seat_of(table.host)
    if not seats or old is None:
        return table.host
    following = [seat for seat in seats if seat > old] or seats
    return table.players[following[0]].user_id
