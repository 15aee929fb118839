"""A player at a table. Unlike the table itself, this holds no secrets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.players import Level

AWAY_AFTER: Final = 2
"""Turns missed in a row after which a player counts as away."""

MARK: Final = "🤖"
"""Precedes the name of every computer player, wherever it is shown, and never a person's."""


@dataclass(frozen=True, slots=True)
class Player:
    """A person or a computer player at a table.

    `name` is a person's full name as Telegram gave it, without marks like `MARK`. `misses` counts the turns
    in a row in which their time ran out; anything they do resets it.

    A computer has a `level`, which a person does not. Its `user_id` is negative and has no meaning outside
    its table. It is always present.
    """

    user_id: int
    name: str
    misses: int = 0
    level: Level | None = None

    @property
    def is_away(self) -> bool:
        """True if this player's turns are played automatically until they do something."""
        return self.misses >= AWAY_AFTER

    @property
    def is_computer(self) -> bool:
        """True if this is a computer player."""
        return self.level is not None
