"""Finished matches and what they come to: values that the storage keeps and finds, and that screens show.

They know no cards, no SQL and no Telegram.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from bot.records.ratings import Rating

EVERYWHERE: Final = 0
"""In place of a chat: the ratings over all chats. No chat has this id."""


@dataclass(frozen=True, slots=True)
class PlaceRecord:
    """How one player fared in a match.

    `place` counts from 1, and may be shared; `fate` is won, stayed, out or left; `total` the points he ended
    with. `rounds` are those he played to their end, `points` what they brought him and `worst` the most that
    one of them did (None without any). `queens`: the rounds he won with the queen of spades. `out_in`: the
    last round he was dealt to, for who went out or left.
    """

    user_id: int
    is_computer: bool
    place: int
    fate: str
    total: int
    rounds: int
    rounds_won: int
    points: int
    worst: int | None
    queens: int
    out_in: int | None


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match that counts; `ended_at` in unix seconds, `rounds` those that were played to their end."""

    table_id: str
    chat_id: int
    ended_at: float
    rounds: int
    places: tuple[PlaceRecord, ...]


@dataclass(frozen=True, slots=True)
class Ranked:
    """Somebody's line in a leaderboard; `name` is what he is called now."""

    user_id: int
    name: str
    rating: Rating
    matches: int
    wins: int


class Finish(NamedTuple):
    """How a match ended for somebody: a place among so many, and his points."""

    place: int
    seats: int
    total: int


@dataclass(frozen=True, slots=True)
class Summary:
    """Somebody's own record, of one match or more.

    `places`: (place, how often), from the first on. `points`: of all `rounds` together. `best`: the highest
    place, with as many at the table and as few points as possible; `worst` the most points from one round.
    `queens`: rounds won with the queen of spades; `left`: matches he left.
    """

    rating: Rating
    matches: int
    wins: int
    places: tuple[tuple[int, int], ...]
    rounds: int
    rounds_won: int
    points: int
    best: Finish
    worst: int | None
    queens: int
    left: int


@dataclass(frozen=True, slots=True)
class Duel:
    """How somebody has fared against another: matches in which his place was the better, or the worse one."""

    user_id: int
    name: str
    won: int
    lost: int
    met: int
