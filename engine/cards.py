"""Cards as small integers, and their codes as text.

A card is ``suit * 13 + rank``: suits in the order spades, hearts, diamonds, clubs, ranks from the two up
to the ace. The two copies of a card in a double pack are the same integer; where copies matter, piles
count them.

This module knows the deck and nothing of any game played with it.
"""

from functools import cache
from typing import Final, TypeAlias

Card: TypeAlias = int

SUITS: Final = "SHDC"
RANKS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
CARDS: Final = range(len(SUITS) * len(RANKS))

NOT_A_CARD: Final = -1
"""Stands in a move for text that names no card; the move is refused as ``bad_move``."""

NOT_A_SUIT: Final = -1
"""Stands in a move for text that names no suit; the move is refused as ``bad_move``."""

_CODES: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
_CARDS_BY_CODE: Final = {code: card for card, code in enumerate(_CODES)}
_SUITS_BY_CODE: Final = {code: suit for suit, code in enumerate(SUITS)}

QUEEN: Final = RANKS.index("Q")
QUEEN_OF_SPADES: Final[Card] = _CARDS_BY_CODE["QS"]
KING_OF_SPADES: Final[Card] = _CARDS_BY_CODE["KS"]
_LOWEST_RANK_OF_36: Final = RANKS.index("6")


def suit_of(card: Card) -> int:
    """The card's printed suit, an index into `SUITS`."""
    return card // 13


def rank_of(card: Card) -> int:
    """The card's rank, an index into `RANKS`."""
    return card % 13


def card_code(card: Card) -> str:
    """The card as text, rank then suit: ``"10H"``."""
    return _CODES[card]


def parse_card(code: str) -> Card:
    """The card that `code` names. Raises `ValueError` for anything that is no card of the 52."""
    try:
        return _CARDS_BY_CODE[code]
    except KeyError:
        raise ValueError(f"{code!r} is not a card") from None


def suit_code(suit: int) -> str:
    """The suit as one letter of `SUITS`."""
    return SUITS[suit]


def parse_suit(code: str) -> int:
    """The suit that `code` names. Raises `ValueError` for anything but one letter of `SUITS`."""
    try:
        return _SUITS_BY_CODE[code]
    except KeyError:
        raise ValueError(f"{code!r} is not a suit") from None


def ranks_in_deck(size: int) -> range:
    """The ranks in a deck of 36, 52 or 72 cards, as indices into `RANKS`."""
    return range(0 if size == 52 else _LOWEST_RANK_OF_36, len(RANKS))


@cache
def sorted_deck(size: int) -> tuple[Card, ...]:
    """The deck of 36, 52 or 72 cards before any shuffle: suit by suit, ranks ascending; 72 is 36 twice."""
    ranks = ranks_in_deck(size)
    pack = tuple(card for card in CARDS if rank_of(card) in ranks)
    return pack * (size // len(pack))
