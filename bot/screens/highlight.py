"""The highlight of a match: a finish with the queen of spades, a comeback, or the costliest round."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.locales import Translator
from bot.screens.phrases import seat_name
from bot.tables.view import TableView
from engine.cards import QUEEN_OF_SPADES

_COMEBACK_OF_LIMIT: Final = 0.4
"""The least deficit of a comeback's winner, as a fraction of the limit."""


class HighlightKind(StrEnum):
    """Kinds of highlights, the rarest first."""

    QUEEN = "queen"
    """A round was finished with the queen of spades."""
    COMEBACK = "comeback"
    """The winner had been far behind the best player still in the match."""
    PENALTY = "penalty"
    """The most points that anybody got in one round."""


@dataclass(frozen=True, slots=True)
class Highlight:
    """A highlight: the player's seat, the round it happened in or after, and the points involved."""

    kind: HighlightKind
    seat: int
    round: int
    points: int


def highlight(view: TableView) -> Highlight | None:
    """Return the highlight of a won match, or None."""
    return _queen(view) or _comeback(view) or _penalty(view)


def highlight_line(view: TableView, tr: Translator) -> str | None:
    """The match's highlight in one line, or None."""
    found = highlight(view)
    if found is None:
        return None
    name = seat_name(view, found.seat, tr)
    return tr.plain(f"moment.{found.kind}", name=name, round=found.round, points=found.points)


def _queen(view: TableView) -> Highlight | None:
    """The last round won with the queen of spades, and the points that the others got in it."""
    for played, finish in zip(reversed(view.rounds), reversed(view.finishes), strict=False):
        if finish == QUEEN_OF_SPADES and played.winner is not None:
            cost = sum(points for seat, points in played.points if seat != played.winner)
            return Highlight(HighlightKind.QUEEN, played.winner, played.number, cost)
    return None


def _comeback(view: TableView) -> Highlight | None:
    """The winner's largest deficit to the best player still in the match, if it counts as a comeback."""
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
