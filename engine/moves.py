"""Everything a player, or the one who deals, may ask of a match; and the reasons for which it is refused.

Moves are plain values. They say who wants what, never whether it is allowed: that is `engine.game`'s to
judge. A move may carry the marks `NOBODY`, `NOT_A_CARD` or `NOT_A_SUIT` where it was read from text that
named no player, card or suit, so that it can be refused at its proper place in the order of reasons.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from engine.cards import CARDS, SUITS, Card

NOBODY: Final = -1
"""The seat of someone who has none."""


@dataclass(frozen=True, slots=True)
class Play:
    """Lay a card; `suit` is what a wild orders (left out: its own) and must be None for any other card."""

    seat: int
    card: Card
    suit: int | None = None


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw from the stock; under an attack: take the cards owed."""

    seat: int


@dataclass(frozen=True, slots=True)
class Pass:
    """Let the turn go by; under an attack that owes no cards: be skipped."""

    seat: int


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave the match, at any time."""

    seat: int


@dataclass(frozen=True, slots=True)
class Join:
    """Sit down between rounds; for one who had left: come back to his seat."""

    player: str


@dataclass(frozen=True, slots=True)
class Deal:
    """Deal the next round.

    Without a `deck` it is shuffled from `seed` (32 bytes) and then cut at `cut`; with one (first dealt first)
    the deck is used as it is, the cut plays no part and the seed serves the round's later shuffles only.
    """

    seed: bytes | None
    deck: tuple[Card, ...] | None = None
    cut: int = 0


TurnMove: TypeAlias = Play | Draw | Pass
Move: TypeAlias = TurnMove | Leave | Join | Deal


class Reason(StrEnum):
    """Why a move, or a document that describes a position, was refused."""

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
    """A refusal: a `Reason` for machines, and optional words on it (English, for logs and developers)."""

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else str(reason))
        self.reason = reason
        self.detail = detail


class BadDocument(Illegal):
    """A document that does not describe a position."""

    def __init__(self, detail: str) -> None:
        super().__init__(Reason.BAD_DOCUMENT, detail)


class TurnMoves:
    """The turn moves of one seat, made once, so that listing what is legal only picks from them."""

    __slots__ = ("draw", "pass_", "plays", "plays_last")

    def __init__(self, seat: int, wilds: frozenset[Card]) -> None:
        self.draw = Draw(seat)
        self.pass_ = Pass(seat)
        self.plays_last: tuple[tuple[TurnMove, ...], ...] = tuple((Play(seat, card),) for card in CARDS)
        """By card: the ways to lay it as the last one."""
        self.plays: tuple[tuple[TurnMove, ...], ...] = tuple(
            tuple(Play(seat, card, suit) for suit in range(len(SUITS))) if card in wilds else plain
            for card, plain in enumerate(self.plays_last)
        )
        """By card: the ways to lay it while others are left; a wild once for each suit."""


class TurnMovesBySeat(dict[int, TurnMoves]):
    """The turn moves of every seat under rules where these cards are wild, each made when first asked for."""

    def __init__(self, wilds: frozenset[Card]) -> None:
        super().__init__()
        self.wilds = wilds

    def __missing__(self, seat: int) -> TurnMoves:
        moves = self[seat] = TurnMoves(seat, self.wilds)
        return moves
