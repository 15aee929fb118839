"""What finished rounds add up to: how a total came about, who went out when, who is on which place."""

from __future__ import annotations

from dataclasses import dataclass

from bot.tables.ranking import Place, placed
from bot.tables.view import TableView
from engine import RoundResult
from engine.scoring import new_total


@dataclass(frozen=True, slots=True)
class Sum:
    """A seat's sum of a round: `before + points = added`, which the rules may turn into another `total`."""

    seat: int
    before: int
    points: int
    total: int
    is_out: bool

    @property
    def added(self) -> int:
        """The total before the rules for an exact limit and for negative totals have their say."""
        return self.before + self.points


def sums(view: TableView, result: RoundResult) -> list[Sum]:
    """Everybody's sum of a round: the winner first, then from the lightest hand to the heaviest."""
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
    """Everybody who has a seat, from the first place on; see `bot.tables.ranking`."""
    game = view.game
    if game is None:
        return ()
    standings = [(seat, player.status, player.total) for seat, player in enumerate(game.seats)]
    return placed(standings, game.winner, view.rounds, view.dealt)


def _total_before(view: TableView, result: RoundResult, seat: int, points: int, total: int) -> int:
    """The seat's total before a round: its last, or for who sat down since, the one that explains it."""
    earlier = [dict(played.totals) for played in view.rounds if played.number < result.number]
    known = next((totals[seat] for totals in reversed(earlier) if seat in totals), 0)
    limit = view.rules.limit
    for candidate in (known, limit - points, limit - 1 - points, total - points):
        if new_total(view.rules, candidate, points) == total:
            return candidate
    raise ValueError(
        f"no total before round {result.number} explains seat {seat}: {points} points make {total}"
    )
