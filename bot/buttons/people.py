"""What a press may ask for that is about people rather than cards: who is there, and who is waited for."""

from __future__ import annotations

from dataclasses import dataclass

from bot.buttons.declare import CallbackData, Where, button


@button("m", Where.TABLE_MESSAGE)
@dataclass(frozen=True, slots=True)
class Here(CallbackData):
    """Say that one is there, and wake the table if it sleeps."""

    table: str


@button("pk", Where.QUESTION | Where.TABLE_CHAT)
@dataclass(frozen=True, slots=True)
class Kick(CallbackData):
    """Ask a person (`target`: his user id) to leave: at once by the host or an admin, else by a vote."""

    table: str
    target: int


@button("pl", Where.QUESTION | Where.TABLE_CHAT)
@dataclass(frozen=True, slots=True)
class LetBack(CallbackData):
    """Let a person who was asked to leave (`target`: their user id) sit down again; decided as `Kick`."""

    table: str
    target: int


@button("pf", Where.TABLE_MESSAGE | Where.TABLE_CHAT)
@dataclass(frozen=True, slots=True)
class VoteFor(CallbackData):
    """Vote for what the table's vote with this number is about."""

    table: str
    number: int


@button("pa", Where.TABLE_MESSAGE | Where.TABLE_CHAT)
@dataclass(frozen=True, slots=True)
class VoteAgainst(CallbackData):
    """Vote against it."""

    table: str
    number: int


@button("y", Where.TABLE_MESSAGE | Where.TABLE_CHAT)
@dataclass(frozen=True, slots=True)
class Nudge(CallbackData):
    """Call the player to move once more."""

    table: str


@button("pg")
@dataclass(frozen=True, slots=True)
class MoveTable(CallbackData):
    """Let the table go on in the forum's «General» topic, its own having been deleted."""

    table: str


@button("pb", Where.TABLE_MESSAGE | Where.TABLE_CHAT)
@dataclass(frozen=True, slots=True)
class Subscribe(CallbackData):
    """Ask to be called when the next table is opened in this one's group."""

    table: str


@button("pc", Where.TABLE_MENU)
@dataclass(frozen=True, slots=True)
class JoinFromNotification(CallbackData):
    """Sit down at the table one was called to."""

    table: str


@button("pm")
@dataclass(frozen=True, slots=True)
class Unsubscribe(CallbackData):
    """Ask to be called no more from this table's group."""

    table: str
