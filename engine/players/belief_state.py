"""Belief state: what the hidden cards in hands and stock may be, as far as one player can tell.

A `CardSlot` is a place for a card that the player does not see. Most slots hold some card of a pool: the
cards that were hidden when the stock they came from was made. A slot's card may also be known, as after a
discard pile was turned over in the open. `engine.players.belief_tracker` finds out which, and adds hints.
"""

from collections.abc import Iterable, Sequence
from random import Random
from typing import NamedTuple

from engine.cards import Card
from engine.matching import CardSet


class Hint(NamedTuple):
    """Factors for the likelihood of a slot's card: one for these cards, one for all others; 0: impossible."""

    cards: CardSet
    inside: float
    outside: float


class CardSlot:
    """A hidden place: its card if known, else the number of its pool; and hints."""

    __slots__ = ("card", "hints", "pool")

    def __init__(self, pool: int, card: Card | None = None) -> None:
        self.card = card
        self.pool = pool
        self.hints: tuple[Hint, ...] = ()

    def factor(self, card: Card) -> float:
        """The relative likelihood that the card is here; 0 if it cannot be."""
        likely = 1.0
        for cards, inside, outside in self.hints:
            likely *= inside if card in cards else outside
        return likely


class BeliefState:
    """All hidden places of a round, and the pools that they are filled from."""

    def __init__(
        self, hands: dict[int, list[CardSlot]], stock: list[CardSlot], pools: Sequence[Sequence[Card]]
    ) -> None:
        self.hands = hands
        """By seat, in the order received; the tracker's own is missing."""
        self.stock = stock
        """The top first."""
        self.pools = [list(pool) for pool in pools]
        """By number: as many cards as there are slots of that pool whose card is unknown."""

    def add_hint(self, seat: int, hint: Hint) -> None:
        """Add the hint to every unknown card that the seat holds now."""
        for slot in self.hands.get(seat, ()):
            if slot.card is None:
                slot.hints += (hint,)

    def unknown(self) -> Iterable[CardSlot]:
        """The slots whose card is unknown."""
        hidden = [slot for hand in self.hands.values() for slot in hand]
        return (slot for slot in (*hidden, *self.stock) if slot.card is None)

    def filled(self, rng: Random) -> tuple[dict[int, tuple[Card, ...]], tuple[Card, ...]]:
        """Draw hands by seat and a stock that are consistent with the hints.

        Slots with the fewest candidates are filled first. A slot whose hints leave no candidate (hints may
        rest on a guess) gets any card.
        """
        pools = [rng.sample(pool, len(pool)) for pool in self.pools]
        chosen: dict[CardSlot, Card] = {}
        hinted = [slot for hand in self.hands.values() for slot in hand if slot.card is None and slot.hints]
        factors = {slot: [slot.factor(card) for card in pools[slot.pool]] for slot in hinted}
        for slot in sorted(hinted, key=lambda slot: sum(map(bool, factors[slot]))):
            pool = pools[slot.pool]
            likely = [slot.factor(card) for card in pool]
            chosen[slot] = pool.pop(rng.choices(range(len(pool)), likely)[0] if any(likely) else -1)

        def card_in(slot: CardSlot) -> Card:
            if slot.card is not None:
                return slot.card
            return chosen[slot] if slot in chosen else pools[slot.pool].pop()

        hands = {seat: tuple(map(card_in, hand)) for seat, hand in self.hands.items()}
        return hands, tuple(map(card_in, self.stock))
