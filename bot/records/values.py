"""Values for finished matches and the statistics derived from them, stored by storage and shown by screens.

They know no cards, no SQL and no Telegram.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Self

from bot.records.ratings import Rating, rated

EVERYWHERE: Final = 0
"""In place of a chat: the ratings over all chats. No chat has this id."""


@dataclass(frozen=True, slots=True)
class PlaceRecord:
    """One player's result in a match. The fields are the columns of `match_places`, in any order.

    `place` counts from 1, and may be shared; `fate` is won, stayed, out or left; `total` is the final score.
    `rounds` are those played to their end, `points` what they added up to and `worst` the most from one of
    them (None without any). `queens`: rounds won with the queen of spades. `out_in`: the last round in which
    the player was dealt cards, if they went out or left.
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

    @property
    def has_left(self) -> bool:
        """True if this player left the match."""
        return self.fate == "left"


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match that counts; `ended_at` is in unix seconds, `rounds` are those played to their end.

    The fields but for `places` are columns of `matches`.
    """

    table_id: str
    chat_id: int
    ended_at: float
    rounds: int
    places: tuple[PlaceRecord, ...]

    def ratings_after(self, before: Mapping[int, Rating]) -> dict[int, Rating]:
        """Return the people's ratings after the match; computer players are neither rated nor counted."""
        people = [place for place in self.places if not place.is_computer]
        ratings = [before.get(place.user_id, Rating()) for place in people]
        after = rated(ratings, [place.place for place in people])
        return {place.user_id: rating for place, rating in zip(people, after, strict=True)}


@dataclass(frozen=True, slots=True)
class Ranked:
    """One line of a leaderboard; `name` is the player's current name."""

    user_id: int
    name: str
    rating: Rating
    matches: int
    wins: int

    @property
    def order(self) -> tuple[int, ...]:
        """The sort key: the strongest first."""
        return -self.rating.points, -self.wins, -self.matches, self.user_id


class Finish(NamedTuple):
    """One player's finish in a match: the place, the number of players, and the points."""

    place: int
    seats: int
    total: int


@dataclass(frozen=True, slots=True)
class Summary:
    """One player's record over at least one match.

    `places`: (place, how often), from the first on. `points`: of all `rounds` together. `best`: the highest
    place, with as many at the table and as few points as possible; `worst` the most points from one round.
    `queens`: rounds won with the queen of spades; `left`: matches the player left.
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

    @classmethod
    def of(cls, finished: Sequence[tuple[PlaceRecord, int]], rating: Rating) -> Self:
        """Sum up a player's places (at least one), each with the number of seats in its match."""
        places = [place for place, _ in finished]
        finishes = [Finish(place.place, seats, place.total) for place, seats in finished]
        return cls(
            rating=rating,
            matches=len(places),
            wins=sum(place.place == 1 for place in places),
            places=tuple(sorted(Counter(place.place for place in places).items())),
            rounds=sum(place.rounds for place in places),
            rounds_won=sum(place.rounds_won for place in places),
            points=sum(place.points for place in places),
            best=min(finishes, key=lambda it: (it.place, -it.seats, it.total)),
            worst=max((place.worst for place in places if place.worst is not None), default=None),
            queens=sum(place.queens for place in places),
            left=sum(place.has_left for place in places),
        )


@dataclass(frozen=True, slots=True)
class Duel:
    """One player's results against another: matches with the better place, and with the worse one."""

    user_id: int
    name: str
    won: int
    lost: int
    met: int
