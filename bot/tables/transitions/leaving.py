"""Leaving a table."""

from __future__ import annotations

from dataclasses import replace

from bot.tables.lifecycle import Ending, Phase
from bot.tables.model import Table
from bot.tables.moment import Moment
from bot.tables.refusals import Refusal, Refused
from bot.tables.transitions.change import Change, Made
from bot.tables.transitions.checks import match_of, require_open, status_of
from bot.tables.transitions.lobby import stand
from bot.tables.transitions.playing import ended, play_on
from engine import Leave, Status


def leave(table: Table, user_id: int, moment: Moment) -> Change:
    """Leave the match for good (or the lobby, or the waiting list).

    Who plays alone may leave when he is out, too: nobody else wants to see the end.

    Raises Refusal: table_over, not_seated, nothing_to_leave (out, or gone already).
    """
    require_open(table)
    if table.match is None or table.is_waiting(user_id):
        return stand(table, user_id, moment)
    seat = table.seat_of(user_id)
    if seat is None:
        raise Refusal(Refused.NOT_SEATED)
    status = status_of(table, user_id)
    if table.is_alone and status is Status.OUT:
        return Change(ended(table, Ending.DESERTED, moment))
    if status is not Status.IN:
        raise Refusal(Refused.NOTHING_TO_LEAVE)
    return remove(table, user_id, user_id, moment)


def depart(table: Table, user_id: int, moment: Moment) -> Change:
    """This person is out of the group: he leaves the match, the lobby or the waiting list, if he is there.

    A host who has no cards any more, and so nothing to leave, makes room for the next one.
    """
    if table.phase is Phase.OVER:
        return Change(table)
    if table.is_in(user_id) or table.is_waiting(user_id):
        return leave(table, user_id, moment)
    if table.host == user_id:
        return Change(replace(table, host=_next_host(table)))
    return Change(table)


def remove(table: Table, user_id: int, actor: int | None, moment: Moment) -> Change:
    """Take somebody out who sits in the lobby or is still in the match; None: a vote has decided it.

    Where it is the host, the next one becomes host.
    """
    if table.match is None:
        return stand(table, user_id, moment)
    seat = table.seat_of(user_id)
    assert seat is not None
    change = play_on(table, [Made(Leave(seat), actor)], moment)
    if table.host != user_id or change.table.phase is Phase.OVER:
        return change
    return Change(replace(change.table, host=_next_host(change.table)), change.moves)


def make_room(table: Table, moment: Moment) -> Change:
    """End a table whose place another one takes: two groups that had one each have become one."""
    if table.phase is Phase.OVER:
        return Change(table)
    return Change(ended(table, Ending.STOPPED, moment))


def _next_host(table: Table) -> int:
    """The first of the people still in, from the seat after the old host's."""
    seats = [seat for seat in match_of(table).seats_in() if not table.players[seat].is_computer]
    old = table.seat_of(table.host)
    if not seats or old is None:
        return table.host
    following = [seat for seat in seats if seat > old] or seats
    return table.players[following[0]].user_id
