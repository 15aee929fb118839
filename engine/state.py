"""The state of a match: immutable values, made of tuples.

`engine.game` decides what may happen next, `engine.view` what a player may see. A seat is an index into
`Match.seats`; seats are only appended, so an index keeps its meaning for the whole match.
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from engine.cards import Card
from engine.rules import Rules
from engine.shuffle import commitment


class Status(StrEnum):
    """Whether a seat takes part in the match.

    >>> [str(status) for status in Status]
    ['in', 'out', 'left']
    """

    IN = "in"
    OUT = "out"
    LEFT = "left"


class Phase(StrEnum):
    """The phase of a match.

    >>> from engine import new_match
    >>> new_match(Rules(), ["anna", "boris"]).phase
    <Phase.BETWEEN: 'between'>
    """

    BETWEEN = "between"
    PLAYING = "playing"
    FINISHED = "finished"


class Seat(NamedTuple):
    """A player's place: an id (never interpreted), the penalty points so far, and whether they are still
    in.

    >>> from engine import new_match
    >>> new_match(Rules(), ["anna", "boris"]).seats[1]
    Seat(id='boris', total=0, status=<Status.IN: 'in'>)
    """

    id: str
    total: int
    status: Status


@dataclass(frozen=True, slots=True)
class Ring:
    """The players of the running round in turn order."""

    seats: tuple[int, ...]
    """The seats still in, clockwise."""
    direction: int
    """1 clockwise, -1 counterclockwise."""
    after: tuple[int, ...]
    """By seat of the match: the seat that moves next; meaningful only for seats in the ring."""


@lru_cache(maxsize=4096)
def ring_of(seats: tuple[int, ...], direction: int) -> Ring:
    """The ring of these seats (ascending) in this direction."""
    after = [-1] * (seats[-1] + 1)
    for place, seat in enumerate(seats):
        after[seat] = seats[(place + direction) % len(seats)]
    return Ring(seats, direction, tuple(after))


class Origin(NamedTuple):
    """How a round began; constant until its end."""

    leader: int
    """The seat that leads the round; it may have left since."""
    seed: bytes | None
    """32 bytes, secret while the round runs; None where a position was set up without one."""
    cut: int
    """How many cards were cut off the shuffled deck."""


class Stamp(NamedTuple):
    """A moment of a match, which changes with every turn move and every deal, and with nothing else.

    >>> from engine import Deal, apply, new_match, turn_stamp
    >>> match = apply(new_match(Rules(), ["anna", "boris"]), Deal(bytes(32))).match
    >>> turn_stamp(match)
    Stamp(round=1, move=0)
    """

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
    """Whose turn it is, and what they may do."""

    seat: int
    ordered: int | None
    """The suit ordered by the wild on top."""
    must_cover: bool
    """The mover has laid a card that has to be covered."""
    pending: int | None
    """The cards owed in an attack that the mover may answer (0: only a skip); None without an attack."""
    found: Card | None
    """The card that the mover drew last in this turn; None if there is none."""
    playable: frozenset[Card] = frozenset()
    """The cards that may be laid now, whether the mover holds them or not. Derived from the rest of the round
    (see `engine.legality`) and stored because every move needs them."""


class Counters(NamedTuple):
    """Counters of a running round."""

    moves: int
    """Turn moves made in this round."""
    passes: int
    """Latest passes in a row by players with nothing to lay and nothing to draw."""
    wilds: int
    """Wilds in a row among the cards laid last."""
    recycles: int
    """How many times the discard pile was shuffled into a new stock."""


class Round(NamedTuple):
    """A running round, between two moves.

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
        """1 clockwise, -1 counterclockwise."""
        return self.ring.direction

    @property
    def commitment(self) -> str | None:
        """The hash of the seed, published before the deal; None if the round has no seed."""
        return None if self.origin.seed is None else commitment(self.origin.seed)


class RoundResult(NamedTuple):
    """How a round ended. `points` and `totals` list the players in at its end, by seat.

    >>> from engine import apply, load_position, parse_move
    >>> hands = {"anna": ["9H"], "boris": ["KD"]}
    >>> round_ = {"turn": "anna", "hands": hands, "stock": ["6S"], "discard": ["JH"]}
    >>> match = load_position({"players": ["anna", "boris"], "round": round_})
    >>> result = apply(match, parse_move(match, "anna 9H")).match.last_round
    >>> result.winner, result.points
    (0, ((0, 0), (1, 4)))
    """

    number: int
    winner: int | None
    """None for a blocked round."""
    points: tuple[tuple[int, int], ...]
    """(seat, points of this round after doubling and bonus), including the winner's."""
    totals: tuple[tuple[int, int], ...]
    """(seat, total after the round)."""
    hands: tuple[tuple[int, tuple[Card, ...]], ...]
    """(seat, cards left in hand)."""
    leader: int
    seed: bytes | None
    cut: int


class Match(NamedTuple):
    """A match: its rules, its seats, and the running round if there is one.

    >>> from engine import Deal, apply, new_match
    >>> match = new_match(Rules(), ["anna", "boris"])
    >>> match.phase, apply(match, Deal(bytes(32))).match.phase
    (<Phase.BETWEEN: 'between'>, <Phase.PLAYING: 'playing'>)
    """

    rules: Rules
    seats: tuple[Seat, ...]
    round: Round | None
    number: int
    """The number of the running or else the last round; 0 before the first deal."""
    leader: int | None
    """The leader of the running round, else of the next one (None if the first deal draws the leader); at the
    end, of the last one (None if there was none)."""
    last_round: RoundResult | None
    winner: int | None

    @property
    def phase(self) -> Phase:
        """The phase: between rounds, in a round, or finished."""
        if self.winner is not None:
            return Phase.FINISHED
        return Phase.BETWEEN if self.round is None else Phase.PLAYING

    def seats_in(self) -> tuple[int, ...]:
        """The seats still in, clockwise."""
        still_in = Status.IN
        return tuple([index for index, (_, _, status) in enumerate(self.seats) if status is still_in])

    def seat_of(self, player: str) -> int | None:
        """The seat of the player with this id, whatever its status; None if there is none."""
        return next((index for index, seat in enumerate(self.seats) if seat.id == player), None)
