"""Which cards fit on which, and what each card does: computed once for each set of rules.

Whether a card may be laid is then a set look-up. Only settings about single cards matter here; `engine.game`
deals with turns.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from engine.cards import CARDS, KING_OF_SPADES, QUEEN, QUEEN_OF_SPADES, RANKS, SUITS, Card, rank_of, suit_of
from engine.effects import Effect
from engine.moves import TurnMovesBySeat

CardSet: TypeAlias = frozenset[Card]

ALL_CARDS: CardSet = frozenset(CARDS)
_FACE_POINTS = {"J": 2, "Q": 3, "K": 4, "A": 11}


@dataclass(frozen=True, slots=True)
class CardLookup:
    """Facts about cards under one set of rules. Tuples are indexed by card unless they say otherwise.

    >>> from engine import Rules, parse_card
    >>> lookup = Rules().lookup
    >>> parse_card("9S") in lookup.playable_on(parse_card("9H"), ordered=None)
    True
    >>> parse_card("QS") in lookup.playable_on(parse_card("9H"), ordered=None)
    True
    """

    effects: tuple[Effect, ...]
    wilds: CardSet
    fits: tuple[CardSet, ...]
    """By top card: the cards that fit on it while no suit is ordered."""
    fits_order: tuple[CardSet, ...]
    """By ordered suit: the cards that may be laid."""
    covers: tuple[CardSet, ...]
    """By card to be covered: the cards that cover it."""
    answers: tuple[CardSet, ...]
    """By attacking card: the cards that pass its attack on; empty if none can, or it does not attack."""
    points: tuple[int, ...]
    """Penalty points for holding the card at the end of a round."""
    follows: tuple[CardSet, ...]
    """By card just laid: the cards that may be laid next, if it orders no suit and opens no attack."""
    turn_moves: TurnMovesBySeat
    """By seat: all turn moves, from which `legal` picks."""

    def playable_on(
        self, top: Card | None, ordered: int | None, must_cover: bool = False, attacked: bool = False
    ) -> CardSet:
        """The cards that may be laid on `top` (all cards if it is None).

        `ordered` is the suit ordered by a wild on top. `must_cover`: the mover has to cover their own card;
        `attacked`: the mover may pass an attack on.
        """
        if ordered is not None:
            return self.fits_order[ordered]
        if top is None:
            return ALL_CARDS
        if must_cover:
            return self.covers[top]
        return self.answers[top] if attacked else self.fits[top]

    def playable_after(self, card: Card, ordered: int | None = None) -> CardSet:
        """The cards that may be laid after `card` with the suit it orders, if it opens no attack."""
        return self.follows[card] if ordered is None else self.fits_order[ordered]


@lru_cache(maxsize=256)
def card_lookup(
    effects: tuple[Effect, ...], transfer: tuple[str, ...], cover_by_wild: bool, points: str
) -> CardLookup:
    """The lookup for these effects by card, and these values of the other settings."""
    wilds = frozenset(card for card in CARDS if effects[card].kind == "wild")
    attacks = frozenset(card for card in CARDS if effects[card].kind == "attack")
    of_suit = [frozenset(card for card in CARDS if suit_of(card) == suit) for suit in range(len(SUITS))]
    of_rank = [frozenset(card for card in CARDS if rank_of(card) == rank) for rank in range(len(RANKS))]
    alike = [of_suit[suit_of(card)] | of_rank[rank_of(card)] for card in CARDS]
    may_be_answered = [card in attacks and RANKS[rank_of(card)] in transfer for card in CARDS]
    fits = tuple(same | wilds for same in alike)
    covers = tuple(same | wilds if cover_by_wild else same - wilds for same in alike)
    return CardLookup(
        effects=effects,
        wilds=wilds,
        fits=fits,
        fits_order=tuple(same | wilds for same in of_suit),
        covers=covers,
        answers=tuple(
            attacks & of_rank[rank_of(card)] if may_be_answered[card] else frozenset() for card in CARDS
        ),
        points=tuple(_points(card, points) for card in CARDS),
        follows=tuple((covers if effects[card].kind == "cover" else fits)[card] for card in CARDS),
        turn_moves=TurnMovesBySeat(wilds),
    )


def _points(card: Card, table: str) -> int:
    rank = RANKS[rank_of(card)]
    if table == "nine_zero" and rank == "9":
        return 0
    if table == "heavy":
        if card == KING_OF_SPADES:
            return 80
        if rank_of(card) == QUEEN:
            return 40 if card == QUEEN_OF_SPADES else 20
    return _FACE_POINTS[rank] if rank in _FACE_POINTS else int(rank)
