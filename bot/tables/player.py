"""Who sits at a table: known to everybody who asks for a place, unlike the table itself."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Player:
    """A person at a table; `name` is his full name when he sat down, as Telegram gave it."""

    user_id: int
    name: str
