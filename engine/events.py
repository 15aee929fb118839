"""What happened, told for people and for statistics.

Events follow from moves; no state ever depends on them. `seen_by` gives the form in which a seat may hear of
one: the cards somebody drew are for his own eyes.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from engine.cards import Card
from engine.effects import Effect
from engine.state import Match, RoundResult


class DrawCause(StrEnum):
    """Why cards went to a hand."""

    TURN = "turn"
    """On the player's own turn, for want of a card to lay or by choice."""
    COVER = "cover"
    """To cover his own card."""
    PENALTY = "penalty"
    """Made to take them, and skipped."""
    LOAD = "load"
    """Made to take them, and to play all the same."""
    ATTACK = "attack"
    """Took what a transferred attack had gathered: by choice, or because he could not answer."""
    FINISH = "finish"
    """Made to take them by the card that won the round."""


class PassCause(StrEnum):
    """Why a turn went by without a card (or with one left uncovered)."""

    CHOSEN = "chosen"
    """He could have laid a card after drawing, and did not."""
    FOUND_NOTHING = "found_nothing"
    """The single card drawn did not help."""
    DREW_AND_PASSED = "drew_and_passed"
    """Under these rules a draw ends the turn."""
    CARDS_GAVE_OUT = "cards_gave_out"
    """Drew all there was, in vain."""
    NOTHING_TO_DRAW = "nothing_to_draw"
    """Nothing to lay, nothing to draw."""
    COVER_MISSED = "cover_missed"
    """The single card drawn did not cover; his card stays as it is."""
    COVER_GAVE_OUT = "cover_gave_out"
    """The cards gave out before one covered; his card stays as it is."""


@dataclass(frozen=True, slots=True)
class RoundDealt:
    """A round begins; `seats` are those who play it, clockwise."""

    round: int
    leader: int
    seats: tuple[int, ...]
    hand_size: int
    commitment: str | None
    turned_up: Card | None


@dataclass(frozen=True, slots=True)
class CardLaid:
    """A card was laid and `left` are still in hand.

    `ordered` is the suit asked for by a wild, unless it was the last card.
    """

    seat: int
    card: Card
    ordered: int | None
    covering: bool
    left: int
    effect: Effect


@dataclass(frozen=True, slots=True)
class CardsDrawn:
    """Cards went from the stock to a hand; `cards` is None for those who may not see them."""

    seat: int
    count: int
    cards: tuple[Card, ...] | None
    cause: DrawCause


@dataclass(frozen=True, slots=True)
class TurnSkipped:
    """A player lost his turn to a special card."""

    seat: int


@dataclass(frozen=True, slots=True)
class TurnPassed:
    """A turn went by."""

    seat: int
    cause: PassCause


@dataclass(frozen=True, slots=True)
class AttackOpened:
    """`seat` may answer with a card of this rank, or take `pending` cards (0: be skipped)."""

    seat: int
    pending: int
    rank: int


@dataclass(frozen=True, slots=True)
class DirectionTurned:
    """The turn goes round the other way now: 1 clockwise, -1 against it."""

    direction: int


@dataclass(frozen=True, slots=True)
class DiscardRecycled:
    """The discard but for its top card became the stock: turned over, or shuffled."""

    count: int
    shuffled: bool


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """A round is over; the hands in its result are laid open to all."""

    result: RoundResult
    blocked: bool


@dataclass(frozen=True, slots=True)
class SeatOut:
    """A total went above the limit."""

    seat: int
    total: int


@dataclass(frozen=True, slots=True)
class SeatJoined:
    """A newcomer sat down, or one who had left came back, with this total."""

    seat: int
    total: int


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """A player left the match."""

    seat: int


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match is over."""

    winner: int


Event: TypeAlias = (
    RoundDealt
    | CardLaid
    | CardsDrawn
    | TurnSkipped
    | TurnPassed
    | AttackOpened
    | DirectionTurned
    | DiscardRecycled
    | RoundEnded
    | SeatOut
    | SeatJoined
    | SeatLeft
    | MatchEnded
)


class Transition(NamedTuple):
    """What a move led to, and what happened on the way."""

    match: Match
    events: tuple[Event, ...]


# Events that recur all the time are made once and shared.
card_laid = lru_cache(maxsize=1 << 15)(CardLaid)
turn_skipped = lru_cache(maxsize=1 << 10)(TurnSkipped)
turn_passed = lru_cache(maxsize=1 << 10)(TurnPassed)


def seen_by(event: Event, seat: int | None) -> Event:
    """The event as `seat` may hear of it; None is anybody who holds no cards."""
    if isinstance(event, CardsDrawn) and event.seat != seat:
        return replace(event, cards=None)
    return event
