"""A player at a table. Unlike the table itself, this holds no secrets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.players import Level

AWAY_AFTER: Final = 2
"""Turns missed in a row after which a player counts as away."""

MARK: Final = "🤖"
"""Stands before the name of every computer player, wherever it is told, and before no person's."""


@dataclass(frozen=True, slots=True)
class Player:
    """A person at a table, or a computer player.

    `name` is a person's full name as Telegram gave it, without marks like that one. `misses` counts the turns
    in a row in which their time ran out; anything they do resets it.

    A computer has a `level`, which a person has not. Its `user_id` is negative and means nothing outside of
    its table: it is nobody's chat. It is always there.
    """

    user_id: int
    name: str
    misses: int = 0
    level: Level | None = None

    @property
    def is_away(self) -> bool:
        """Are this player's turns played automatically until they do something?"""
        return self.misses >= AWAY_AFTER

    @property
    def is_computer(self) -> bool:
        """Does it move by itself, and read nothing?"""
        return self.level is not None
