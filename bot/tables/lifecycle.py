"""The phases of a table, its endings, and what its clock may wait for. Free of secrets."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class TablePhase(StrEnum):
    """The phase of a table."""

    LOBBY = "lobby"
    CUTTING = "cutting"
    """The shuffle is sealed, and the player before the leader is asked where to cut the deck."""
    PLAYING = "playing"
    BETWEEN = "between"
    ASLEEP = "asleep"
    """Everybody is away. The earlier phase follows from the match, which stays as it is."""
    OVER = "over"


class Stage(StrEnum):
    """The progress of a table; the values are stored."""

    LOBBY = "lobby"
    MATCH = "match"
    OVER = "over"


def stage_of(phase: TablePhase, *, has_match: bool) -> Stage:
    """Return how far a table in this phase has come; a sleeping one may be in either of two stages."""
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
    """The effect of a table's deadline."""

    REMINDER = "reminder"
    """Half of a long turn has passed: the player to move is reminded."""
    TURN = "turn"
    """The time of the player to move is up: the least move is made for them."""
    AUTOPILOT = "autopilot"
    """The player to move is away: the least move is made for them, after a pause."""
    FORCED = "forced"
    """The only possible move is made automatically, after a pause in which people can follow the game."""
    COMPUTER = "computer"
    """The computer player to move has not moved in time: a simple move is made for it."""
    NEXT_DEAL = "next_deal"
    """The next round is dealt."""
    CUT = "cut"
    """Nobody has cut the deck: it is dealt without a cut."""
    HOST = "host"
    """A lobby's host has been silent for long: anybody at the table may start the match."""
    LOBBY = "lobby"
    """Nobody has started the match: the lobby closes."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """A time (unix seconds) and what happens then."""

    kind: DeadlineKind
    at: float
