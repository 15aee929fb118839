"""Buttons of leaderboards, personal statistics and match charts."""

from __future__ import annotations

from dataclasses import dataclass

from bot.buttons.declare import CallbackData, Where, button


@button("vt")
@dataclass(frozen=True, slots=True)
class TurnTop(CallbackData):
    """Open a page of the leaderboard, counted from 0."""

    page: int


@button("vs")
@dataclass(frozen=True, slots=True)
class TurnStats(CallbackData):
    """Open a page of this person's statistics, counted from 0; nobody else may."""

    user_id: int
    page: int


@button("vc", Where.TABLE_CHAT_OR_PLAYER)
@dataclass(frozen=True, slots=True)
class ShowChart(CallbackData):
    """Show the score chart of a table's match."""

    table: str


@button("vh")
@dataclass(frozen=True, slots=True)
class HideMe(CallbackData):
    """Hide the presser from leaderboards, or list them again."""

    hidden: bool
