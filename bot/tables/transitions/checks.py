"""Checks that transitions make before they change a table, with the refusals that several of them share."""

from __future__ import annotations

from bot.tables.lifecycle import TablePhase
from bot.tables.model import Table
from bot.tables.refusals import Refusal, Refused
from engine import Match, Stamp, Status, turn_stamp


def seat_id(seat: int) -> str:
    """Return the engine's name for a seat: `p1` for seat 0."""
    return f"p{seat + 1}"


def match_of(table: Table) -> Match:
    """Return the table's match. Raises Refusal: not_in_lobby (there is none yet)."""
    if table.match is None:
        raise Refusal(Refused.NOT_IN_LOBBY)
    return table.match


def status_of(table: Table, user_id: int) -> Status | None:
    """Return the status of this person's seat in the match; None without one."""
    seat = table.seat_of(user_id)
    if seat is None or table.match is None:
        return None
    return table.match.seats[seat].status


def require_open(table: Table) -> None:
    """Raises Refusal: table_over."""
    if table.phase is TablePhase.OVER:
        raise Refusal(Refused.TABLE_OVER)


def require_awake(table: Table) -> None:
    """Raises Refusal: table_over, banished."""
    require_open(table)
    if table.banished:
        raise Refusal(Refused.BANISHED)


def require_turn(table: Table, user_id: int, stamp: Stamp) -> int:
    """Return the seat of `user_id`, if it is their turn and the match is still at `stamp`.

    Raises Refusal: table_over, banished, not_seated, stale, not_your_turn.
    """
    require_awake(table)
    seat = table.seat_of(user_id)
    if seat is None:
        raise Refusal(Refused.NOT_SEATED)
    if table.match is None or table.match.round is None or turn_stamp(table.match) != stamp:
        raise Refusal(Refused.STALE)
    if table.match.round.turn.seat != seat:
        raise Refusal(Refused.NOT_YOUR_TURN)
    return seat


def require_host(table: Table, user_id: int, *, is_admin: bool) -> None:
    """Raises Refusal: not_host."""
    if user_id != table.host and not is_admin:
        raise Refusal(Refused.NOT_HOST, who=table.host_name)
