"""Makes the record of a finished match: a pure function of its table.

A match counts when it was played to the end, cards were dealt in it, and two or more people played. One that
was stopped, or that all people left to computers, has no winner and does not count. Leaving does not end a
match for the others; when all but one have left, that player has won. So a player who leaves gets the last
place. Computer players have places in the record, marked as such.
"""

from __future__ import annotations

from bot.records.values import MatchRecord, PlaceRecord
from bot.tables.lifecycle import Ending
from bot.tables.model import Table
from bot.tables.ranking import Place, placed
from engine import Match
from engine.cards import QUEEN_OF_SPADES

MIN_PEOPLE = 2


def match_record(table: Table) -> MatchRecord | None:
    """Return the record of a table's match; None if it does not count, or is not over."""
    match = table.match
    if match is None or match.winner is None or table.ended_at is None or not table.dealt:
        return None
    if table.ending is not Ending.FINISHED:  # all people have left, and the last computer remains
        return None
    played = {seat for seats in table.dealt for seat in seats} | {match.winner}
    if sum(not table.players[seat].is_computer for seat in played) < MIN_PEOPLE:
        return None
    return MatchRecord(
        table.id, table.chat_id, table.ended_at, len(table.rounds), _places(table, match, played)
    )


def _places(table: Table, match: Match, played: set[int]) -> tuple[PlaceRecord, ...]:
    """Return the places in stored order: from the first on, shared ones by user id."""
    standings = [(seat, match.seats[seat].status, match.seats[seat].total) for seat in played]
    places = placed(standings, match.winner, table.rounds, table.dealt)
    records = [_place(table, place) for place in places]
    return tuple(sorted(records, key=lambda place: (place.place, place.user_id)))


def _place(table: Table, place: Place) -> PlaceRecord:
    seat, player = place.seat, table.players[place.seat]
    scored = [dict(played.points)[seat] for played in table.rounds if seat in dict(played.points)]
    won = [
        finish for played, finish in zip(table.rounds, table.finishes, strict=True) if played.winner == seat
    ]
    return PlaceRecord(
        user_id=player.user_id,
        is_computer=player.is_computer,
        place=place.number,
        fate=str(place.fate),
        total=place.total,
        rounds=len(scored),
        rounds_won=len(won),
        points=sum(scored),
        worst=max(scored, default=None),
        queens=won.count(QUEEN_OF_SPADES),
        out_in=place.out_in,
    )
