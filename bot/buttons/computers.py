"""Buttons about computer players: inviting and removing them, solo matches, hints."""

from __future__ import annotations

from dataclasses import dataclass

from bot.buttons.declare import CallbackData, Where, button
from engine import Stamp


@button("co", Where.TABLE_MESSAGE | Where.TABLE_CHAT)
@dataclass(frozen=True, slots=True)
class OpenComputers(CallbackData):
    """Open the menu for inviting and removing computer players."""

    table: str


@button("ci", Where.TABLE_MENU | Where.TABLE_CHAT)
@dataclass(frozen=True, slots=True)
class InviteComputer(CallbackData):
    """Seat a computer player of this level."""

    table: str
    level: str


@button("cs", Where.TABLE_MENU | Where.TABLE_CHAT)
@dataclass(frozen=True, slots=True)
class SendOff(CallbackData):
    """Remove a computer player; `number` is its user id without the minus sign."""

    table: str
    number: int


@button("cx", Where.TABLE_MENU | Where.TABLE_CHAT)
@dataclass(frozen=True, slots=True)
class CloseComputers(CallbackData):
    """Close that menu."""

    table: str


@button("po")
@dataclass(frozen=True, slots=True)
class OpenAlone(CallbackData):
    """Open the choice of opponents for a solo match, with these selected."""

    opponents: int
    level: str
    preset: str


@button("pp")
@dataclass(frozen=True, slots=True)
class PlayAlone(CallbackData):
    """Start a solo match against this many opponents of this level, by the rules of this preset."""

    opponents: int
    level: str
    preset: str


@button("pr")
@dataclass(frozen=True, slots=True)
class PlayByRules(CallbackData):
    """Start a solo match against the previous opponents, by the saved rules with this token."""

    token: str


@button("wh", Where.TABLE_MESSAGE)
@dataclass(frozen=True, slots=True)
class ShowHint(CallbackData):
    """Show what a computer player of the middle level would play from this hand."""

    table: str
    stamp: Stamp
