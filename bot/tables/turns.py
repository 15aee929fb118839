"""The turn of a computer player, for whoever thinks for it: what it sees, and nothing more."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.tables.lifecycle import DeadlineKind, Phase
from bot.tables.model import Table
from engine import Stamp, View, turn_stamp, view_for
from engine.players import Level


@dataclass(frozen=True, slots=True)
class ComputerTurn:
    """A computer player is to move at a table, at this moment of its match.

    `view` is what its seat sees, with the round so far; `is_watched`: a person is still in, and wants to
    follow.
    """

    table_id: str
    user_id: int
    stamp: Stamp
    level: Level
    view: View = field(repr=False)
    is_watched: bool


def computer_turn(table: Table) -> ComputerTurn | None:
    """The turn that the table waits for, if it is a computer player's to decide."""
    deadline, match = table.deadline, table.match
    is_awaited = deadline is not None and deadline.kind is DeadlineKind.COMPUTER
    if table.phase is not Phase.PLAYING or not is_awaited or match is None or match.round is None:
        return None
    seat = match.round.turn.seat
    player = table.players[seat]
    if player.level is None:
        return None
    view = view_for(match, seat, table.history)
    return ComputerTurn(
        table.id, player.user_id, turn_stamp(match), player.level, view, is_watched=bool(table.people_in())
    )
