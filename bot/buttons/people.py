"""What a press may ask for that is about people rather than cards: who is there, and who is waited for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Here:
    """Say that one is there, and wake the table if it sleeps."""

    table: str


@dataclass(frozen=True, slots=True)
class Kick:
    """Ask a person (`target`: his user id) to leave: at once by the host or an admin, else by a vote."""

    table: str
    target: int


@dataclass(frozen=True, slots=True)
class LetBack:
    """Let a person who was asked to leave (`target`: their user id) sit down again; decided as `Kick`."""

    table: str
    target: int


@dataclass(frozen=True, slots=True)
class VoteFor:
    """Vote for what the table's vote with this number is about."""

    table: str
    number: int


@dataclass(frozen=True, slots=True)
class VoteAgainst:
    """Vote against it."""

    table: str
    number: int


@dataclass(frozen=True, slots=True)
class Hurry:
    """Call the player to move once more."""

    table: str


@dataclass(frozen=True, slots=True)
class MoveTable:
    """Let the table go on in the forum's «General» topic, its own having been deleted."""

    table: str


@dataclass(frozen=True, slots=True)
class RingMe:
    """Ask to be called when the next table is opened in this one's group."""

    table: str


@dataclass(frozen=True, slots=True)
class AnswerBell:
    """Sit down at the table one was called to."""

    table: str


@dataclass(frozen=True, slots=True)
class MuteBell:
    """Ask to be called no more from this table's group."""

    table: str
