"""The moves that players and the dealer may ask for, and the reasons for refusing them.

Moves are plain values. They say who wants what, not whether it is allowed: `engine.game` decides that. A move
read from text that names no player, card or suit carries `NOBODY`, `NOT_A_CARD` or `NOT_A_SUIT` instead, so
that it is refused for the first reason that applies.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from engine.cards import CARDS, SUITS, Card

NOBODY: Final = -1
"""Stands in a move for a player who has no seat."""


@dataclass(frozen=True, slots=True)
class Play:
    """Lay a card. `suit` is the suit that a wild orders (None: its own); for other cards it must be None.

    >>> from engine import Deal, Rules, apply, legal, new_match, parse_card, parse_suit
    >>> match = apply(new_match(Rules(), ["anna", "boris"]), Deal(bytes(32))).match
    >>> Play(1, parse_card("QH"), suit=parse_suit("S")) in legal(match, seat=1)
    True
    """

    seat: int
    card: Card
    suit: int | None = None


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw from the stock, or take the cards owed in an attack.

    >>> from engine import Deal, Rules, apply, new_match, parse_move
    >>> rules = Rules.from_document({"preset": "one_card", "voluntary_draw": "always"})
    >>> match = apply(new_match(rules, ["anna", "boris"]), Deal(bytes(32))).match
    >>> match = apply(match, parse_move(match, "boris KC")).match
    >>> [drawn] = apply(match, Draw(seat=0)).events
    >>> drawn.count, str(drawn.cause)
    (1, 'turn')
    """

    seat: int


@dataclass(frozen=True, slots=True)
class Pass:
    """End the turn without laying a card, or accept being skipped by an attack that owes no cards.

    >>> from engine import Deal, Rules, apply, new_match, parse_move
    >>> rules = Rules.from_document({"preset": "one_card", "voluntary_draw": "always"})
    >>> match = apply(new_match(rules, ["anna", "boris"]), Deal(bytes(32))).match
    >>> match = apply(match, parse_move(match, "boris KC")).match
    >>> match = apply(match, Draw(seat=0)).match
    >>> apply(match, Pass(seat=0)).events
    (TurnPassed(seat=0, cause=<PassCause.CHOSEN: 'chosen'>),)
    """

    seat: int


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave the match, at any time.

    >>> from engine import Rules, apply, new_match
    >>> match = apply(new_match(Rules(), ["anna", "boris", "vera"]), Leave(seat=2)).match
    >>> match.seats_in()
    (0, 1)
    """

    seat: int


@dataclass(frozen=True, slots=True)
class Join:
    """Join between rounds. A player who had left comes back to the same seat.

    >>> from engine import Rules, apply, new_match
    >>> match = apply(new_match(Rules(), ["anna", "boris"]), Join("vera")).match
    >>> match.seat_of("vera")
    2
    """

    player: str


@dataclass(frozen=True, slots=True)
class Deal:
    """Deal the next round.

    Without a `deck`, one is shuffled from `seed` (32 bytes) and cut at `cut`. A given `deck` (first dealt
    first) is used as it is: the cut is ignored, and the seed serves only for later shuffles in the round.

    >>> from engine import Rules, apply, card_code, new_match
    >>> match = apply(new_match(Rules(), ["anna", "boris"]), Deal(seed=bytes(32), cut=7)).match
    >>> [card_code(card) for card in match.round.piles.hands[0]]
    ['KC', 'JH', '7S', 'AC']
    """

    seed: bytes | None
    deck: tuple[Card, ...] | None = None
    cut: int = 0


TurnMove: TypeAlias = Play | Draw | Pass
Move: TypeAlias = TurnMove | Leave | Join | Deal


class Reason(StrEnum):
    """Why a move, or a document that describes a position, was refused.

    >>> Reason.NOT_YOUR_TURN == "not_your_turn"
    True
    """

    MATCH_OVER = "match_over"
    NO_ROUND = "no_round"
    NOT_A_PLAYER = "not_a_player"
    NOT_YOUR_TURN = "not_your_turn"
    BAD_MOVE = "bad_move"
    CARD_NOT_IN_HAND = "card_not_in_hand"
    CARD_DOES_NOT_MATCH = "card_does_not_match"
    SUIT_NOT_ALLOWED = "suit_not_allowed"
    DRAW_NOT_ALLOWED = "draw_not_allowed"
    PASS_NOT_ALLOWED = "pass_not_allowed"  # noqa: S105 - a pass of the game, no password
    ALREADY_SEATED = "already_seated"
    ROUND_RUNNING = "round_running"
    NOT_ENOUGH_PLAYERS = "not_enough_players"
    TOO_MANY_PLAYERS = "too_many_players"
    BAD_DECK = "bad_deck"
    BAD_DOCUMENT = "bad_document"
    BAD_RULES = "bad_rules"


class Illegal(Exception):
    """A refusal: a `Reason` for machines, and optional detail in English for logs and developers.

    >>> from engine import Draw, Rules, apply, new_match
    >>> try:
    ...     apply(new_match(Rules(), ["anna", "boris"]), Draw(seat=0))
    ... except Illegal as refusal:
    ...     print(refusal.reason)
    no_round
    """

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else str(reason))
        self.reason = reason
        self.detail = detail


class BadDocument(Illegal):
    """The refusal of a document that does not describe a position.

    >>> from engine import load_position
    >>> load_position({"players": "anna"})
    Traceback (most recent call last):
        ...
    engine.moves.BadDocument: bad_document: players: must be a list
    """

    def __init__(self, detail: str) -> None:
        super().__init__(Reason.BAD_DOCUMENT, detail)


class TurnMoves:
    """All turn moves of one seat, made in advance: `legal` picks from them."""

    __slots__ = ("draw", "pass_", "plays", "plays_last")

    def __init__(self, seat: int, wilds: frozenset[Card]) -> None:
        self.draw = Draw(seat)
        self.pass_ = Pass(seat)
        self.plays_last: tuple[tuple[TurnMove, ...], ...] = tuple((Play(seat, card),) for card in CARDS)
        """By card: the ways to lay it as the last card."""
        self.plays: tuple[tuple[TurnMove, ...], ...] = tuple(
            tuple(Play(seat, card, suit) for suit in range(len(SUITS))) if card in wilds else plain
            for card, plain in enumerate(self.plays_last)
        )
        """By card: the ways to lay it while others remain; a wild once for each suit."""


class TurnMovesBySeat(dict[int, TurnMoves]):
    """The turn moves by seat, where `wilds` are the wild cards; each seat's are made on first use."""

    def __init__(self, wilds: frozenset[Card]) -> None:
        super().__init__()
        self.wilds = wilds

    def __missing__(self, seat: int) -> TurnMoves:
        moves = self[seat] = TurnMoves(seat, self.wilds)
        return moves
