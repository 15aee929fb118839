"""What a press may ask for that is about computer players: whom to play with, and what they would play."""

from __future__ import annotations

from dataclasses import dataclass

from engine import Stamp


@dataclass(frozen=True, slots=True)
class OpenComputers:
    """Show who can be asked to the table, and which computer players can be sent off."""

    table: str


@dataclass(frozen=True, slots=True)
class Invite:
    """Let a computer player of this level sit down."""

    table: str
    level: str


@dataclass(frozen=True, slots=True)
class SendOff:
    """Send a computer player off; `number` is its user id without the minus sign."""

    table: str
    number: int


@dataclass(frozen=True, slots=True)
class CloseComputers:
    """Put that menu away."""

    table: str


@dataclass(frozen=True, slots=True)
class OpenAlone:
    """In private: choose opponents. So many, of this level, by the rules of this preset."""

    opponents: int
    level: str
    preset: str


@dataclass(frozen=True, slots=True)
class PlayAlone:
    """In private: begin a match against so many opponents of this level, by the rules of this preset."""

    opponents: int
    level: str
    preset: str


@dataclass(frozen=True, slots=True)
class PlayByRules:
    """In private: begin a match against the opponents of last time, by the saved rules with this token."""

    token: str


@dataclass(frozen=True, slots=True)
class Hint:
    """Ask what a computer player of the middle level would do in one's place."""

    table: str
    stamp: Stamp
