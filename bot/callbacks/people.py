"""What a press may ask for that is about people rather than cards: who is there, and who is waited for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Here:
    """Say that one is there, and wake the table if it sleeps."""

    table: str


@dataclass(frozen=True, slots=True)
class Hurry:
    """Call the player to move once more."""

    table: str
