"""The phases of a table, how it may end, and what its clock may wait for. Free of secrets."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class TablePhase(StrEnum):
    """Where a table is in its life."""

    LOBBY = "lobby"
    CUTTING = "cutting"
    """The shuffle is sealed, and the player before the leader is asked where to cut the deck."""
    PLAYING = "playing"
    BETWEEN = "between"
    ASLEEP = "asleep"
    """Nobody is there. What it was in before follows from the match, which stays as it is."""
    OVER = "over"


class Stage(StrEnum):
    """How far a table has come; the values are stored."""

    LOBBY = "lobby"
    MATCH = "match"
    OVER = "over"


def stage_of(phase: TablePhase, *, has_match: bool) -> Stage:
    """How far a table in this phase has come: one that is asleep may be in either of two."""
    if phase is TablePhase.OVER:
        return Stage.OVER
    return Stage.MATCH if has_match else Stage.LOBBY


class Ending(StrEnum):
    """Why a table is over."""

    FINISHED = "finished"
    STOPPED = "stopped"
    EXPIRED = "expired"
    DESERTED = "deserted"


class DeadlineKind(StrEnum):
    """What happens when a table's deadline comes."""

    REMINDER = "reminder"
    """Half of a long time for a turn has gone by: the player to move is called again."""
    TURN = "turn"
    """The player to move has run out of time: the least move is made in their place."""
    AUTOPILOT = "autopilot"
    """The player to move is away: the least move is made in their place, after a pause."""
    FORCED = "forced"
    """The only move there is makes itself, after a pause in which the table can be followed."""
    COMPUTER = "computer"
    """The computer player to move has found nothing in good time: a simple move is made for it."""
    NEXT_DEAL = "next_deal"
    """The next round is dealt."""
    CUT = "cut"
    """Nobody has cut the deck: it is dealt as it lies."""
    HOST = "host"
    """The host of a lobby has been silent for long: anybody at the table may start the match."""
    LOBBY = "lobby"
    """Nobody has started the match: the lobby closes."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """A time (unix seconds) and what happens then."""

    kind: DeadlineKind
    at: float
