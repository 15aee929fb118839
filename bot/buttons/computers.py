"""What a press may ask for that is about computer players: whom to play with, and what they would play."""

from __future__ import annotations

from dataclasses import dataclass

from bot.buttons.declare import CallbackData, Where, button
from engine import Stamp


@button("co", Where.TABLE_MESSAGE | Where.TABLE_CHAT)
@dataclass(frozen=True, slots=True)
class OpenComputers(CallbackData):
    """Show who can be asked to the table, and which computer players can be sent off."""

    table: str


@button("ci", Where.TABLE_MENU | Where.TABLE_CHAT)
@dataclass(frozen=True, slots=True)
class InviteComputer(CallbackData):
    """Let a computer player of this level sit down."""

    table: str
    level: str


@button("cs", Where.TABLE_MENU | Where.TABLE_CHAT)
@dataclass(frozen=True, slots=True)
class SendOff(CallbackData):
    """Send a computer player off; `number` is its user id without the minus sign."""

    table: str
    number: int


@button("cx", Where.TABLE_MENU | Where.TABLE_CHAT)
@dataclass(frozen=True, slots=True)
class CloseComputers(CallbackData):
    """Put that menu away."""

    table: str


@button("po")
@dataclass(frozen=True, slots=True)
class OpenAlone(CallbackData):
    """In private: choose opponents. So many, of this level, by the rules of this preset."""

    opponents: int
    level: str
    preset: str


@button("pp")
@dataclass(frozen=True, slots=True)
class PlayAlone(CallbackData):
    """In private: begin a match against so many opponents of this level, by the rules of this preset."""

    opponents: int
    level: str
    preset: str


@button("pr")
@dataclass(frozen=True, slots=True)
class PlayByRules(CallbackData):
    """In private: begin a match against the opponents of last time, by the saved rules with this token."""

    token: str


@button("wh", Where.TABLE_MESSAGE)
@dataclass(frozen=True, slots=True)
class ShowHint(CallbackData):
    """Ask what a computer player of the middle level would do in one's place."""

    table: str
    stamp: Stamp
