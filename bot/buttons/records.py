"""What a press under a leaderboard or somebody's own record may ask for."""

from __future__ import annotations

from dataclasses import dataclass

from bot.buttons.declare import CallbackData, Where, button


@button("vt")
@dataclass(frozen=True, slots=True)
class TurnTop(CallbackData):
    """Turn to a page of the leaderboard, the first being 0."""

    page: int


@button("vs")
@dataclass(frozen=True, slots=True)
class TurnStats(CallbackData):
    """Turn to a page of this person's record; nobody else may."""

    user_id: int
    page: int


@button("vc", Where.TABLE_CHAT_OR_PLAYER)
@dataclass(frozen=True, slots=True)
class ShowChart(CallbackData):
    """Show the chart of a table's match."""

    table: str


@button("vh")
@dataclass(frozen=True, slots=True)
class HideMe(CallbackData):
    """Under one's own record: stand in no list of players, or in all again."""

    hidden: bool
