"""Who sits at a table: known to everybody who asks for a place, unlike the table itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.players import Level

AWAY_AFTER: Final = 2
"""Turns in a row that were played for somebody, after which he counts as away."""

MARK: Final = "🤖"
"""Stands before the name of every computer player, wherever it is told, and before no person's."""


@dataclass(frozen=True, slots=True)
class Player:
    """A person at a table, or a computer player.

    `name` is a person's full name when he sat down, as Telegram gave it but for marks like that one. `misses`
    counts the turns in a row in which his time ran out; whatever he does himself ends the row.

    A computer has a `level`, which a person has not. Its `user_id` is negative and means nothing outside of
    its table: it is nobody's chat. It is always there.
    """

    user_id: int
    name: str
    misses: int = 0
    level: Level | None = None

    @property
    def is_away(self) -> bool:
        """Is he played for, quickly, until he says that he is there?"""
        return self.misses >= AWAY_AFTER

    @property
    def is_computer(self) -> bool:
        """Does it move by itself, and read nothing?"""
        return self.level is not None
