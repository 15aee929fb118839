"""The result of a transition."""

from __future__ import annotations

from dataclasses import dataclass

from bot.tables.model import Table
from engine import Move


@dataclass(frozen=True, slots=True)
class AppliedMove:
    """A move of the match and who made it: a user id, or None for the clock."""

    move: Move
    actor: int | None


@dataclass(frozen=True, slots=True)
class Change:
    """The result of a transition: the new table, and the moves of the match that led to it, oldest first."""

    table: Table
    moves: tuple[AppliedMove, ...] = ()
