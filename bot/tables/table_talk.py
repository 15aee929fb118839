"""Actions at a table besides moves: premoves and table talk."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Premove:
    """A card to be played when its owner's turn comes, if it fits; `suit` is what a wild orders then."""

    user_id: int
    card: int
    suit: int | None


@dataclass(frozen=True, slots=True)
class Said:
    """The last thing somebody has said at the table.

    `at` is in unix seconds; `round` and `move` give the position in the match: the current or coming round,
    and its number of turn moves.
    """

    user_id: int
    name: str
    text: str
    at: float
    round: int
    move: int
