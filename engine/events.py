"""Events: what a move caused, for display and statistics.

Events follow from moves; no state depends on them. `seen_by` hides what a seat may not see: drawn cards are
shown only to the player who drew them.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from engine.cards import Card
from engine.effects import Effect
from engine.state import Match, RoundResult


class DrawCause(StrEnum):
    """Why cards went to a hand.

    >>> DrawCause.PENALTY == "penalty"
    True
    """

    TURN = "turn"
    """On their own turn, for lack of a fitting card or by choice."""
    COVER = "cover"
    """To cover their own card."""
    PENALTY = "penalty"
    """Made to take cards, and skipped."""
    LOAD = "load"
    """Made to take cards, but not skipped."""
    ATTACK = "attack"
    """Took the cards owed in a transferred attack: by choice, or for lack of an answer."""
    FINISH = "finish"
    """Made to take cards by the card that won the round."""


class PassCause(StrEnum):
    """Why a turn ended without a card laid (or with one left uncovered).

    >>> PassCause("chosen")
    <PassCause.CHOSEN: 'chosen'>
    """

    CHOSEN = "chosen"
    """Chose not to lay a card after drawing."""
    FOUND_NOTHING = "found_nothing"
    """The single card drawn did not fit."""
    DREW_AND_PASSED = "drew_and_passed"
    """Under these rules a draw ends the turn."""
    CARDS_GAVE_OUT = "cards_gave_out"
    """Drew all cards there were, and none fitted."""
    NOTHING_TO_DRAW = "nothing_to_draw"
    """Had nothing to lay and nothing to draw."""
    COVER_MISSED = "cover_missed"
    """The single card drawn was no cover; the card stays uncovered."""
    COVER_GAVE_OUT = "cover_gave_out"
    """The cards ran out before a cover came; the card stays uncovered."""


@dataclass(frozen=True, slots=True)
class RoundDealt:
    """A round begins; `seats` are those who play it, clockwise.

    >>> from engine import Deal, Rules, apply, new_match
    >>> [dealt] = apply(new_match(Rules(), ["anna", "boris"]), Deal(bytes(32))).events
    >>> dealt.leader, dealt.seats, dealt.hand_size
    (1, (0, 1), 4)
    """

    round: int
    leader: int
    seats: tuple[int, ...]
    hand_size: int
    commitment: str | None
    turned_up: Card | None


@dataclass(frozen=True, slots=True)
class CardLaid:
    """A card was laid, with `left` still in hand.

    `ordered` is the suit that a wild orders, unless it was the last card.

    >>> from engine import Deal, Rules, apply, new_match, parse_move
    >>> match = apply(new_match(Rules(), ["anna", "boris"]), Deal(bytes(32))).match
    >>> [laid] = apply(match, parse_move(match, "boris QH:S")).events
    >>> laid.seat, laid.left, laid.effect
    (1, 3, <Effect.WILD: 'wild'>)
    """

    seat: int
    card: Card
    ordered: int | None
    covering: bool
    left: int
    effect: Effect


@dataclass(frozen=True, slots=True)
class CardsDrawn:
    """A player drew cards; `cards` is None for anybody who may not see them.

    >>> from engine import seen_by
    >>> drawn = CardsDrawn(seat=0, count=2, cards=(7, 20), cause=DrawCause.PENALTY)
    >>> seen_by(drawn, 0).cards, seen_by(drawn, 1).cards
    ((7, 20), None)
    """

    seat: int
    count: int
    cards: tuple[Card, ...] | None
    cause: DrawCause


@dataclass(frozen=True, slots=True)
class TurnSkipped:
    """A player lost the turn to a special card.

    >>> from engine import dump_event
    >>> dump_event(TurnSkipped(seat=1))
    {'event': 'turn_skipped', 'seat': 1}
    """

    seat: int


@dataclass(frozen=True, slots=True)
class TurnPassed:
    """A turn ended without a card laid.

    >>> from engine import dump_event
    >>> dump_event(TurnPassed(seat=1, cause=PassCause.FOUND_NOTHING))
    {'event': 'turn_passed', 'seat': 1, 'cause': 'found_nothing'}
    """

    seat: int
    cause: PassCause


@dataclass(frozen=True, slots=True)
class AttackOpened:
    """`seat` may answer with a card of this rank, or take `pending` cards (0: be skipped).

    >>> from engine import RANKS
    >>> opened = AttackOpened(seat=1, pending=2, rank=RANKS.index("7"))
    >>> f"take {opened.pending} or play a {RANKS[opened.rank]}"
    'take 2 or play a 7'
    """

    seat: int
    pending: int
    rank: int


@dataclass(frozen=True, slots=True)
class DirectionTurned:
    """The direction of play changed: 1 is clockwise, -1 counterclockwise.

    >>> from engine import dump_event
    >>> dump_event(DirectionTurned(direction=-1))
    {'event': 'direction_turned', 'direction': -1}
    """

    direction: int


@dataclass(frozen=True, slots=True)
class DiscardRecycled:
    """The discard pile without its top card became the stock, turned over or shuffled.

    >>> from engine import dump_event
    >>> dump_event(DiscardRecycled(count=20, shuffled=False))
    {'event': 'discard_recycled', 'count': 20, 'shuffled': False}
    """

    count: int
    shuffled: bool


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """A round ended. Everybody may see the hands in its result.

    >>> from engine import RoundResult
    >>> scored = ((0, 0), (1, 4))
    >>> result = RoundResult(1, 0, scored, scored, ((0, ()), (1, (11,))), 0, None, 0)
    >>> RoundEnded(result, blocked=False).result.totals
    ((0, 0), (1, 4))
    """

    result: RoundResult
    blocked: bool


@dataclass(frozen=True, slots=True)
class SeatOut:
    """A player's total went above the limit, so they are out.

    >>> from engine import dump_event
    >>> dump_event(SeatOut(seat=1, total=104))
    {'event': 'seat_out', 'seat': 1, 'total': 104}
    """

    seat: int
    total: int


@dataclass(frozen=True, slots=True)
class SeatJoined:
    """A player joined, or came back after leaving, with this total.

    >>> from engine import Join, Rules, apply, new_match
    >>> apply(new_match(Rules(), ["anna", "boris"]), Join("vera")).events
    (SeatJoined(seat=2, total=0),)
    """

    seat: int
    total: int


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """A player left the match.

    >>> from engine import Leave, Rules, apply, new_match
    >>> apply(new_match(Rules(), ["anna", "boris"]), Leave(seat=1)).events
    (SeatLeft(seat=1), MatchEnded(winner=0))
    """

    seat: int


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match is over.

    >>> from engine import Leave, Rules, apply, new_match
    >>> apply(new_match(Rules(), ["anna", "boris"]), Leave(seat=0)).events[-1]
    MatchEnded(winner=1)
    """

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
    """The match after a move, and the events of the move.

    >>> from engine import Deal, Rules, apply, new_match
    >>> match, events = apply(new_match(Rules(), ["anna", "boris"]), Deal(bytes(32)))
    >>> match.number, len(events)
    (1, 1)
    """

    match: Match
    events: tuple[Event, ...]


# Frequent events are made once and shared.
card_laid = lru_cache(maxsize=1 << 15)(CardLaid)
turn_skipped = lru_cache(maxsize=1 << 10)(TurnSkipped)
turn_passed = lru_cache(maxsize=1 << 10)(TurnPassed)


def seen_by(event: Event, seat: int | None) -> Event:
    """The event as `seat` may see it; None is an onlooker."""
    if isinstance(event, CardsDrawn) and event.seat != seat:
        return replace(event, cards=None)
    return event
