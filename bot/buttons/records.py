"""What a press under a leaderboard or somebody's own record may ask for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TurnTop:
    """Turn to a page of the leaderboard, the first being 0."""

    page: int


@dataclass(frozen=True, slots=True)
class TurnStats:
    """Turn to a page of this person's record; nobody else may."""

    user_id: int
    page: int


@dataclass(frozen=True, slots=True)
class ShowChart:
    """Show the chart of a table's match."""

    table: str


@dataclass(frozen=True, slots=True)
class HideMe:
    """Under one's own record: stand in no list of players, or in all again."""

    hidden: bool


@dataclass(frozen=True, slots=True)
class ChooseHidden:
    """The same among one's own settings."""

    hidden: bool
