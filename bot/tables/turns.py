"""The turn of a computer player: what its seat sees, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.tables.lifecycle import DeadlineKind, TablePhase
from bot.tables.model import Table
from engine import CardLaid, CardsDrawn, RoundDealt, Stamp, TurnPassed, View, turn_stamp, view_for
from engine.players import Level


@dataclass(frozen=True, slots=True)
class ComputerTurn:
    """A computer player's turn at a table, at the position that `stamp` names.

    `view` is what its seat sees, with the round so far; `is_watched`: a person is still in and may want to
    follow. `is_in_row`: in a group, the previous move was a computer's too.
    """

    table_id: str
    user_id: int
    stamp: Stamp
    level: Level
    view: View = field(repr=False)
    is_watched: bool
    is_in_row: bool = False


def computer_turn(table: Table) -> ComputerTurn | None:
    """Return the turn that the table waits for, if it is a computer player's to decide."""
    deadline, match = table.deadline, table.match
    is_awaited = deadline is not None and deadline.kind is DeadlineKind.COMPUTER
    if table.phase is not TablePhase.PLAYING or not is_awaited or match is None or match.round is None:
        return None
    seat = match.round.turn.seat
    player = table.players[seat]
    if player.level is None:
        return None
    view = view_for(match, seat, table.history)
    return ComputerTurn(
        table.id,
        player.user_id,
        turn_stamp(match),
        player.level,
        view,
        is_watched=bool(table.people_in()),
        is_in_row=not table.is_solo and _was_computers(table),
    )


def _was_computers(table: Table) -> bool:
    """Return whether a computer made the last player's move in this round."""
    for event in table.history[-1] if table.history else ():
        match event:
            case CardLaid(seat=seat) | CardsDrawn(seat=seat) | TurnPassed(seat=seat):
                return table.players[seat].is_computer
            case RoundDealt():
                return False
            case _:
                pass
    return False
