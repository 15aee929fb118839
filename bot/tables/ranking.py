"""Ranks the players of a finished match: one rule for what is shown and what is recorded.

First the winner; then those who were still in, by their totals; then those who went out, the later the
better, within a round by their totals; last those who left. Players equal in all that share a place, and all
who left share the last one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from engine import RoundResult, Status


class Outcome(StrEnum):
    """A player's outcome of a match."""

    WON = "won"
    STAYED = "stayed"
    OUT = "out"
    LEFT = "left"


@dataclass(frozen=True, slots=True)
class Place:
    """A seat's place, `number` counting from 1.

    `out_in`: the round after which it was out, or the last round it was dealt to before its player left, if
    any.
    """

    seat: int
    number: int
    fate: Outcome
    total: int
    out_in: int | None


SeatTotal: TypeAlias = tuple[int, Status, int]
"""A seat, its status in the match, and its total."""


def placed(
    standings: Iterable[SeatTotal],
    winner: int | None,
    rounds: Sequence[RoundResult],
    dealt: Sequence[tuple[int, ...]],
) -> tuple[Place, ...]:
    """Return the places of these seats, from the first on; `dealt[n - 1]` are the seats that round n was
    dealt to.

    In a match without a winner, all who are still in share the first place.
    """
    found = []
    for seat, status, total in standings:
        if seat == winner:
            fate = Outcome.WON
        else:
            fate = {Status.IN: Outcome.STAYED, Status.OUT: Outcome.OUT, Status.LEFT: Outcome.LEFT}[status]
        found.append((seat, fate, total, _gone_in(seat, fate, rounds, dealt)))
    found.sort(key=lambda it: (_merit(*it[1:]), it[2], it[0]))
    merits = [_merit(fate, total, gone_in) for _, fate, total, gone_in in found]
    return tuple(
        Place(seat, len(found) if fate is Outcome.LEFT else merits.index(merit) + 1, fate, total, gone_in)
        for (seat, fate, total, gone_in), merit in zip(found, merits, strict=True)
    )


def _merit(fate: Outcome, total: int, gone_in: int | None) -> tuple[int, int, int]:
    """The sort key: the less, the better; equal for shared places."""
    rank = list(Outcome).index(fate)
    match fate:
        case Outcome.WON | Outcome.LEFT:
            return rank, 0, 0
        case Outcome.STAYED:
            return rank, 0, total
        case Outcome.OUT:
            return rank, -(gone_in or 0), total


def _gone_in(
    seat: int, fate: Outcome, rounds: Sequence[RoundResult], dealt: Sequence[tuple[int, ...]]
) -> int | None:
    if fate is Outcome.OUT:
        return max((played.number for played in rounds if seat in dict(played.totals)), default=None)
    if fate is Outcome.LEFT:
        return max((number for number, seats in enumerate(dealt, start=1) if seat in seats), default=None)
    return None
