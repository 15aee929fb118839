"""The state of a match: immutable values, nothing but tuples inside.

What may happen next is decided in `engine.game`; what a player may see of it in `engine.view`. Seats are
indices into `Match.seats`, to which seats are only ever appended, so an index keeps its meaning for a
whole match.
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from engine.cards import Card
from engine.rules import Rules
from engine.shuffle import commitment


class Status(StrEnum):
    """How a seat stands to the match."""

    IN = "in"
    OUT = "out"
    LEFT = "left"


class Phase(StrEnum):
    """Where a match stands."""

    BETWEEN = "between"
    PLAYING = "playing"
    FINISHED = "finished"


class Seat(NamedTuple):
    """A player's place: an id (never interpreted), the penalty points so far, and whether they are still
    in."""

    id: str
    total: int
    status: Status


@dataclass(frozen=True, slots=True)
class Ring:
    """Who plays the running round, and whom the turn goes to."""

    seats: tuple[int, ...]
    """The seats still in, clockwise."""
    direction: int
    """1 clockwise, -1 against it."""
    after: tuple[int, ...]
    """For every seat of the match the one that moves after it; of use only for seats in the ring."""


@lru_cache(maxsize=4096)
def ring_of(seats: tuple[int, ...], direction: int) -> Ring:
    """The ring of these seats (ascending) in this direction."""
    after = [-1] * (seats[-1] + 1)
    for place, seat in enumerate(seats):
        after[seat] = seats[(place + direction) % len(seats)]
    return Ring(seats, direction, tuple(after))


class Origin(NamedTuple):
    """How a round began; it stays as it is to the round's end."""

    leader: int
    """The seat that was to lead the round; it may have left since."""
    seed: bytes | None
    """32 bytes, secret while the round runs; None where a position was set up without one."""
    cut: int
    """How many cards were cut off the shuffled deck."""


class Stamp(NamedTuple):
    """A moment of a match: it changes with every turn move and every deal, and with nothing else."""

    round: int
    move: int
    """Turn moves made in this round."""


class Piles(NamedTuple):
    """Where the cards of a round are."""

    hands: tuple[tuple[Card, ...], ...]
    """One for each seat of the match, in the order received; empty for those not in."""
    stock: tuple[Card, ...]
    """The top card, drawn next, first."""
    discard: tuple[Card, ...]
    """The top card, to be matched, last."""


class Turn(NamedTuple):
    """Who is to move, and what is asked of them."""

    seat: int
    ordered: int | None
    """The suit ordered by the wild on top."""
    must_cover: bool
    """The mover has laid a card that has to be covered."""
    pending: int | None
    """Under an attack that the mover may answer: the cards owed (0: only a skip); else None."""
    found: Card | None
    """The last card the mover has drawn in this turn, if nothing was drawn and laid since."""
    playable: frozenset[Card] = frozenset()
    """The cards that may be laid now, whether the mover holds them or not. They follow from the rest of the
    round, see `engine.legality`, and are kept because they are asked for all the time."""


class Counters(NamedTuple):
    """What is counted while a round runs."""

    moves: int
    """Turn moves made in this round."""
    passes: int
    """Passes in a row, just now, by players with nothing to lay and nothing to draw."""
    wilds: int
    """Wilds in a row, just now, among the cards laid."""
    recycles: int
    """Times the discard was shuffled into a new stock."""


class Round(NamedTuple):
    """A running round, as it stands when somebody has to move.

    >>> from engine import Deal, Rules, apply, new_match
    >>> match = apply(new_match(Rules(), ["anna", "boris"]), Deal(bytes(32))).match
    >>> [len(hand) for hand in match.round.piles.hands], match.round.turn.seat, match.round.counters.moves
    ([4, 4], 1, 0)
    """

    piles: Piles
    turn: Turn
    counters: Counters
    ring: Ring
    origin: Origin

    @property
    def direction(self) -> int:
        """1 clockwise, -1 against it."""
        return self.ring.direction

    @property
    def commitment(self) -> str | None:
        """What was published of the seed before the deal; None where the round has no seed."""
        return None if self.origin.seed is None else commitment(self.origin.seed)


class RoundResult(NamedTuple):
    """How a round ended. `points` and `totals` list those who were in at its end, by seat."""

    number: int
    winner: int | None
    """None for a blocked round."""
    points: tuple[tuple[int, int], ...]
    """(seat, points of this round after doubling and bonus), the winner's too."""
    totals: tuple[tuple[int, int], ...]
    """(seat, total after the round)."""
    hands: tuple[tuple[int, tuple[Card, ...]], ...]
    """(seat, cards left in hand), laid open."""
    leader: int
    seed: bytes | None
    cut: int


class Match(NamedTuple):
    """A match: its rules, its seats, and the running round if there is one."""

    rules: Rules
    seats: tuple[Seat, ...]
    round: Round | None
    number: int
    """The running round's number, or the last one's; 0 before any deal."""
    leader: int | None
    """In a round its leader; between rounds the next one's, None where the first deal will tell; at the end
    the last round's, None if there was none."""
    last_round: RoundResult | None
    winner: int | None

    @property
    def phase(self) -> Phase:
        """Between rounds, in one, or over."""
        if self.winner is not None:
            return Phase.FINISHED
        return Phase.BETWEEN if self.round is None else Phase.PLAYING

    def seats_in(self) -> tuple[int, ...]:
        """The seats still in, clockwise."""
        still_in = Status.IN
        return tuple([index for index, (_, _, status) in enumerate(self.seats) if status is still_in])

    def seat_of(self, player: str) -> int | None:
        """The seat of the player with this id, whatever its status; None if he never had one."""
        return next((index for index, seat in enumerate(self.seats) if seat.id == player), None)
