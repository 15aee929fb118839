"""Buttons about people rather than cards: presence, votes, removals, notifications."""

from __future__ import annotations

from dataclasses import dataclass

from bot.buttons.declare import CallbackData, Where, button


@button("m", Where.TABLE_MESSAGE)
@dataclass(frozen=True, slots=True)
class Here(CallbackData):
    """Report the presser as present, and wake the table if it is asleep."""

    table: str


@button("pk", Where.QUESTION | Where.TABLE_CHAT)
@dataclass(frozen=True, slots=True)
class Kick(CallbackData):
    """Remove a person (`target`: their user id): at once by the host or an admin, otherwise by a vote."""

    table: str
    target: int


@button("pl", Where.QUESTION | Where.TABLE_CHAT)
@dataclass(frozen=True, slots=True)
class LetBack(CallbackData):
    """Let a removed person (`target`: their user id) sit down again; decided like `Kick`."""

    table: str
    target: int


@button("pf", Where.TABLE_MESSAGE | Where.TABLE_CHAT)
@dataclass(frozen=True, slots=True)
class VoteFor(CallbackData):
    """Vote yes in the table's vote with this number."""

    table: str
    number: int


@button("pa", Where.TABLE_MESSAGE | Where.TABLE_CHAT)
@dataclass(frozen=True, slots=True)
class VoteAgainst(CallbackData):
    """Vote no in the table's vote with this number."""

    table: str
    number: int


@button("y", Where.TABLE_MESSAGE | Where.TABLE_CHAT)
@dataclass(frozen=True, slots=True)
class Nudge(CallbackData):
    """Notify the player to move once more."""

    table: str


@button("pg")
@dataclass(frozen=True, slots=True)
class MoveTable(CallbackData):
    """Move the table to the forum's General topic after its own topic was deleted."""

    table: str


@button("pb", Where.TABLE_MESSAGE | Where.TABLE_CHAT)
@dataclass(frozen=True, slots=True)
class Subscribe(CallbackData):
    """Subscribe to notifications about new tables in this table's group."""

    table: str


@button("pc", Where.TABLE_MENU)
@dataclass(frozen=True, slots=True)
class JoinFromNotification(CallbackData):
    """Sit down at the table from the notification about it."""

    table: str


@button("pm")
@dataclass(frozen=True, slots=True)
class Unsubscribe(CallbackData):
    """Unsubscribe from notifications about new tables in this table's group."""

    table: str
