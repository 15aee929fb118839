"""Finished tables built round by round from given points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bot.settings import TableSettings
from bot.tables import transitions
from bot.tables.lifecycle import Ending, TablePhase
from bot.tables.model import Table
from bot.tables.player import Player
from engine import Match, RoundResult, Rules, Seat, Status, parse_card
from tests.bot.tables.tables import NOW, ctx

LIMIT = 101


@dataclass(frozen=True, slots=True)
class Played:
    """A round: everybody's points by the player's number, who won it, and with which card."""

    points: Mapping[int, int]
    winner: int | None
    card: str | None = None


def over(
    name: str,
    chat_id: int,
    players: Sequence[Player],
    rounds: Sequence[Played],
    *,
    left: Mapping[int, int] | None = None,
    hour: int = 0,
) -> Table:
    """A table whose match is over: who is above the limit is out, the last one has won.

    Seats are numbered by the players' order. `left`: who left, and in which round.
    """
    left = left or {}
    totals = dict.fromkeys(range(len(players)), 0)
    status = dict.fromkeys(range(len(players)), Status.IN)
    results, dealt = [], []
    for number in range(1, max([len(rounds), *left.values()]) + 1):
        dealt.append(tuple(seat for seat in totals if status[seat] is Status.IN))
        status |= {seat: Status.LEFT for seat, when in left.items() if when == number}
        if number > len(rounds):
            continue
        played = rounds[number - 1]
        assert set(played.points) == {seat for seat in totals if status[seat] is Status.IN}
        for seat, points in played.points.items():
            totals[seat] += points
            status[seat] = Status.OUT if totals[seat] > LIMIT else Status.IN
        after = tuple((seat, totals[seat]) for seat in played.points)
        results.append(
            RoundResult(number, played.winner, tuple(played.points.items()), after, (), 0, None, 0)
        )
    (winner,) = [seat for seat in totals if status[seat] is Status.IN]
    seats = tuple(Seat(transitions.seat_id(seat), totals[seat], status[seat]) for seat in totals)
    last = results[-1] if results else None
    match = Match(Rules(), seats, None, len(dealt), 0, last, winner)
    table = transitions.open_lobby(name, chat_id, 0, players[0], TableSettings(), ctx())
    return replace(
        table,
        phase=TablePhase.OVER,
        ending=Ending.FINISHED,
        deadline=None,
        players=tuple(players),
        match=match,
        rounds=tuple(results),
        dealt=tuple(dealt),
        finishes=tuple(None if it.card is None else parse_card(it.card) for it in rounds),
        started_at=NOW,
        ended_at=NOW + 3600 * hour,
    )
