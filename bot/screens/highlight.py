"""The moment of a match that is told again: a finish with the queen of spades, a comeback, a heavy round."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.locales import Translator
from bot.screens.phrases import seat_name
from bot.tables.view import TableView
from engine.cards import QUEEN_OF_SPADES

_COMEBACK_OF_LIMIT: Final = 0.4
"""So far behind the best, as a part of the limit, somebody must have been for his win to be a comeback."""


class HighlightKind(StrEnum):
    """What kind of moment it is, the rarest first."""

    QUEEN = "queen"
    """A round was finished with the queen of spades."""
    COMEBACK = "comeback"
    """The winner was far behind the best of those still in."""
    PENALTY = "penalty"
    """The most points that a round brought anybody."""


@dataclass(frozen=True, slots=True)
class Highlight:
    """A moment: whose it is, in or after which round, and the points it is about."""

    kind: HighlightKind
    seat: int
    round: int
    points: int


def highlight(view: TableView) -> Highlight | None:
    """The moment of a match that somebody has won; None where nothing of the kind has happened."""
    return _queen(view) or _comeback(view) or _penalty(view)


def moment_line(view: TableView, tr: Translator) -> str | None:
    """The match's moment in a line."""
    found = highlight(view)
    if found is None:
        return None
    name = seat_name(view, found.seat, tr)
    return tr.plain(f"moment.{found.kind}", name=name, round=found.round, points=found.points)


def _queen(view: TableView) -> Highlight | None:
    """The last round that was finished so, with what it cost the others together."""
    for played, finish in zip(reversed(view.rounds), reversed(view.finishes), strict=False):
        if finish == QUEEN_OF_SPADES and played.winner is not None:
            cost = sum(points for seat, points in played.points if seat != played.winner)
            return Highlight(HighlightKind.QUEEN, played.winner, played.number, cost)
    return None


def _comeback(view: TableView) -> Highlight | None:
    """The winner's longest way back to the best of those who were still in."""
    winner = None if view.game is None else view.game.winner
    if winner is None:
        return None
    limit = view.rules.limit
    behind = []
    for played in view.rounds[:-1]:
        totals = {seat: total for seat, total in played.totals if total <= limit}
        if winner in totals:
            behind.append((totals[winner] - min(totals.values()), -played.number))
    most, number = max(behind, default=(0, 0))
    return (
        Highlight(HighlightKind.COMEBACK, winner, -number, most)
        if most >= _COMEBACK_OF_LIMIT * limit
        else None
    )


def _penalty(view: TableView) -> Highlight | None:
    scored = [
        (points, -played.number, -seat)
        for played in view.rounds
        for seat, points in played.points
        if points > 0
    ]
    if not scored:
        return None
    points, number, seat = max(scored)
    return Highlight(HighlightKind.PENALTY, -seat, -number, points)
