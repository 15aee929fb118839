"""Derives from finished rounds how each total came about, and the places."""

from __future__ import annotations

from dataclasses import dataclass

from bot.tables.ranking import Place, placed
from bot.tables.view import TableView
from engine import RoundResult
from engine.scoring import new_total


@dataclass(frozen=True, slots=True)
class Sum:
    """A seat's points in a round: `before + points = added`, from which the rules make the `total`."""

    seat: int
    before: int
    points: int
    total: int
    is_out: bool

    @property
    def added(self) -> int:
        """The total before the rules for an exact limit and for negative totals apply."""
        return self.before + self.points


def sums(view: TableView, result: RoundResult) -> list[Sum]:
    """Everybody's points in a round: the winner first, the others by increasing points."""
    totals = dict(result.totals)
    found = [
        Sum(
            seat,
            before=_total_before(view, result, seat, points, totals[seat]),
            points=points,
            total=totals[seat],
            is_out=totals[seat] > view.rules.limit,
        )
        for seat, points in result.points
    ]
    return sorted(found, key=lambda entry: (entry.seat != result.winner, entry.points, entry.seat))


def places(view: TableView) -> tuple[Place, ...]:
    """The places of all seats, the first place first; see `bot.tables.ranking`."""
    game = view.game
    if game is None:
        return ()
    standings = [(seat, player.status, player.total) for seat, player in enumerate(game.seats)]
    return placed(standings, game.winner, view.rounds, view.dealt)


def _total_before(view: TableView, result: RoundResult, seat: int, points: int, total: int) -> int:
    """The seat's total before a round: its last one, or for a newcomer, one that leads to the known total."""
    earlier = [dict(played.totals) for played in view.rounds if played.number < result.number]
    known = next((totals[seat] for totals in reversed(earlier) if seat in totals), 0)
    limit = view.rules.limit
    for candidate in (known, limit - points, limit - 1 - points, total - points):
        if new_total(view.rules, candidate, points) == total:
            return candidate
    raise ValueError(
        f"no total before round {result.number} explains seat {seat}: {points} points make {total}"
    )
