"""A mutable round, used while one move changes it.

A `RoundBuilder` lives for one move inside `engine.game`, which decides what happens; the builder carries it
out and records the events.
"""

from typing import Final

from engine.cards import Card
from engine.events import (
    CardsDrawn,
    DirectionTurned,
    DiscardRecycled,
    DrawCause,
    Event,
    PassCause,
    Transition,
    turn_passed,
    turn_skipped,
)
from engine.legality import playable_cards
from engine.matching import CardSet
from engine.shuffle import recycled
from engine.state import Counters, Match, Piles, Round, Turn, ring_of

make: Final = tuple.__new__
"""Makes a NamedTuple from a tuple of its fields, in a third of the time its constructor takes."""


def transition(before: Match, running: Round, events: tuple[Event, ...]) -> Transition:
    """The transition from `before` to the match with this round, with these events."""
    rules, seats, _, number, leader, last_round, winner = before
    return make(
        Transition, (make(Match, (rules, seats, running, number, leader, last_round, winner)), events)
    )


class RoundBuilder:
    """The fields of `Piles`, `Turn` and `Counters` as attributes to change, and the events so far."""

    __slots__ = (
        "before",
        "discard",
        "events",
        "found",
        "hands",
        "moves",
        "must_cover",
        "ordered",
        "origin",
        "passes",
        "pending",
        "recycles",
        "ring",
        "rules",
        "seat",
        "stock",
        "wilds",
    )

    def __init__(self, before: Match, running: Round, events: list[Event]) -> None:
        self.before = before
        self.rules = before.rules
        self.events = events
        piles, turn, counters, self.ring, self.origin = running
        hands, self.stock, self.discard = piles
        self.hands: list[tuple[Card, ...]] = list(hands)
        self.seat, self.ordered, self.must_cover, self.pending, self.found, _ = turn
        self.moves, self.passes, self.wilds, self.recycles = counters

    def done(self) -> Transition:
        """The transition to the round as it is now, with the events so far."""
        seat, ordered, must_cover, pending = self.seat, self.ordered, self.must_cover, self.pending
        leads = seat == self.origin.leader
        playable = playable_cards(
            self.rules, self.hands[seat], leads, self.discard, ordered, must_cover, pending
        )
        running = make(
            Round,
            (
                make(Piles, (tuple(self.hands), self.stock, self.discard)),
                make(Turn, (seat, ordered, must_cover, pending, self.found, playable)),
                make(Counters, (self.moves, self.passes, self.wilds, self.recycles)),
                self.ring,
                self.origin,
            ),
        )
        return transition(self.before, running, tuple(self.events))

    def hands_in(self) -> tuple[tuple[int, tuple[Card, ...]], ...]:
        """(seat, hand) of everyone in the round."""
        return tuple([(seat, self.hands[seat]) for seat in self.ring.seats])

    # The turn

    def next_turn(self) -> None:
        """Move the turn on to the next player."""
        self.seat = self.ring.after[self.seat]
        self.found = None

    def turn_direction(self) -> None:
        """Reverse the direction of play."""
        self.ring = ring_of(self.ring.seats, -self.ring.direction)
        self.events.append(DirectionTurned(self.ring.direction))

    def pass_turn(self, cause: PassCause) -> None:
        """End the mover's turn; a card not covered stays so."""
        self.events.append(turn_passed(self.seat, cause))
        self.must_cover = False
        self.next_turn()

    def skip_turn(self) -> None:
        """Skip the mover, who loses the turn to a special card."""
        self.events.append(turn_skipped(self.seat))
        self.pending = None
        self.next_turn()

    # Cards

    def recycle_if_due(self) -> bool:
        """If the stock is empty, turn the discard pile without its top card into the stock, oldest on top.

        True if there was anything to recycle.
        """
        if self.stock or len(self.discard) < 2:
            return False
        older, self.discard = self.discard[:-1], self.discard[-1:]
        seed = self.origin.seed if self.rules.recycle == "shuffle" else None
        if seed is not None:
            self.recycles += 1
            older = recycled(seed, self.recycles, older)
        self.stock = older
        self.events.append(DiscardRecycled(len(older), shuffled=seed is not None))
        return True

    def take(self, seat: int, count: int, cause: DrawCause) -> None:
        """Have the seat take `count` cards, or as many as there are."""
        taken, self.stock = self.stock[:count], self.stock[count:]
        while (missing := count - len(taken)) and self.recycle_if_due():
            taken += self.stock[:missing]
            self.stock = self.stock[missing:]
        if taken:
            self._receive(seat, taken, cause)

    def draw_one(self, wanted: CardSet, cause: DrawCause) -> bool:
        """Have the mover draw the top card, which is then `found`; True if it is wanted."""
        found = self.stock[0]
        self.stock = self.stock[1:]
        self._receive(self.seat, (found,), cause)
        self.found = found
        return found in wanted

    def draw_until(self, wanted: CardSet, cause: DrawCause, through_recycling: bool) -> bool:
        """Have the mover draw until a wanted card comes, which is then `found`; False if cards run out."""
        drawn: tuple[Card, ...] = ()
        while self.stock:
            for count, card in enumerate(self.stock, start=1):
                if card in wanted:
                    drawn += self.stock[:count]
                    self.stock = self.stock[count:]
                    self._receive(self.seat, drawn, cause)
                    self.found = card
                    return True
            drawn += self.stock
            self.stock = ()
            if through_recycling:
                self.recycle_if_due()
        self._receive(self.seat, drawn, cause)
        return False

    def _receive(self, seat: int, cards: tuple[Card, ...], cause: DrawCause) -> None:
        self.hands[seat] += cards
        self.events.append(CardsDrawn(seat, len(cards), cards, cause))
