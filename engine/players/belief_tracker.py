"""Track what a player can infer about hidden cards from the events of the round.

An attentive player knows the order of a discard pile that was turned over, and so every card drawn from it.
The others' actions tell more: a player who had to draw held no fitting card, a player who was not asked to
answer an attack could not, and a player who ordered a suit probably holds some of it.

If the events do not lead to the position in the view (as in one set up by hand), only open cards are known.
"""

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Final

from engine.cards import CARDS, SUITS, Card, sorted_deck, suit_of
from engine.events import (
    AttackOpened,
    CardLaid,
    CardsDrawn,
    DiscardRecycled,
    DrawCause,
    Event,
    PassCause,
    RoundDealt,
    SeatLeft,
    TurnPassed,
    TurnSkipped,
)
from engine.matching import CardSet
from engine.players.belief_state import BeliefState, CardSlot, Hint
from engine.view import View

SUIT_ORDERED: Final = 2.5
"""How much likelier a card of a suit is in the hand that has ordered it."""
WILD_INSTEAD: Final = 0.4
"""How much likelier a fitting card is in a hand from which a wild was laid instead."""
ANSWERING: Final = 4.0
"""How much likelier an answering card is in a hand that is known to hold one."""

TWO_PACKS: Final = 72

IN_VAIN: Final = frozenset(PassCause) - {PassCause.CHOSEN, PassCause.DREW_AND_PASSED}
"""Causes of a pass by a player who held no fitting card."""

_OF_SUIT: Final = tuple(
    frozenset(card for card in CARDS if suit_of(card) == suit) for suit in range(len(SUITS))
)


class _Lost(Exception):
    """The events do not lead to the position in the view."""


class BeliefTracker:
    """Follows a round from its deal, through the events that the viewer has seen.

    Afterwards `slots` holds what is known of the hidden cards; `passes` and `wilds` are the counters of the
    running round that a view does not show (see `engine.state.Counters`).
    """

    def __init__(self, view: View, rng: Random) -> None:
        self.me = view.seat
        self.rules = view.rules
        self.lookup = view.rules.lookup
        self.rng = rng
        self.slots = BeliefState({}, [], [])
        self.lost = False
        self.discard: list[Card] = []
        self.transit: list[CardSlot] = []
        self.rest: list[Event] = []
        self.ordered: int | None = None
        self.covering = False
        self.passes = 0
        self.wilds = 0
        try:
            self._follow(view)
        except _Lost:
            self.lost = True
            self.passes = self.wilds = 0
            self.slots = _nothing_known(view, rng)

    def _follow(self, view: View) -> None:
        """Replay the history. Raises `_Lost` if it does not lead to the position in the view."""
        assert view.round is not None
        if not view.history or not isinstance(view.history[0][0], RoundDealt):
            raise _Lost
        self._deal(view.history[0][0], _dealt_to_me(view))
        for events in view.history[1:]:
            self.rest = list(events)
            while self.rest:
                self._see(self.rest.pop(0))
        slots = self.slots
        places = Counter(slot.pool for slot in slots.unknown())
        if (
            tuple(self.discard) != view.round.discard
            or len(slots.stock) != view.round.stock
            or any(len(hand) != view.seats[seat].cards for seat, hand in slots.hands.items())
            or any(len(pool) != places[number] for number, pool in enumerate(slots.pools))
        ):
            raise _Lost

    def _deal(self, event: RoundDealt, mine: Sequence[Card]) -> None:
        deck = list(sorted_deck(self.rules.deck))
        for card in (*mine, *(() if event.turned_up is None else (event.turned_up,))):
            _remove(deck, card)
        if event.turned_up is not None:
            self.discard.append(event.turned_up)
        hands = {seat: _fresh(0, event.hand_size) for seat in event.seats if seat != self.me}
        hidden = len(deck) - event.hand_size * len(hands)
        self.slots = BeliefState(hands, _fresh(0, hidden), [deck])

    # What happened

    def _see(self, event: Event) -> None:
        match event:
            case CardLaid():
                self._card_laid(event)
            case CardsDrawn():
                self._cards_drawn(event)
            case TurnPassed():
                self._turn_passed(event)
            case DiscardRecycled():
                self._recycled(event)
            case SeatLeft():
                self._seat_left(event)

    def _card_laid(self, event: CardLaid) -> None:
        lookup = self.lookup
        fitting = self._fitting() if self.discard else frozenset()
        if event.seat != self.me:
            self._lay_from(event.seat, event.card)
        self.discard.append(event.card)
        self.ordered = event.ordered
        self.covering = event.effect.kind == "cover"
        self.passes = 0
        self.wilds = self.wilds + 1 if event.effect.kind == "wild" else 0
        if event.ordered is not None:
            self.slots.add_hint(event.seat, Hint(fitting - lookup.wilds, WILD_INSTEAD, 1.0))
            self.slots.add_hint(event.seat, Hint(_OF_SUIT[event.ordered] - lookup.wilds, SUIT_ORDERED, 1.0))
        self._hint_at_answers(lookup.answers[event.card])

    def _hint_at_answers(self, answers: CardSet) -> None:
        """Whether the player under attack holds one of the answering cards, as the rest of the move tells."""
        for event in self.rest:
            match event:
                case AttackOpened():
                    self.slots.add_hint(event.seat, Hint(answers, ANSWERING, 1.0))
                    return
                case TurnSkipped() if answers:
                    self.slots.add_hint(event.seat, Hint(answers, 0.0, 1.0))

    def _lay_from(self, seat: int, card: Card) -> None:
        """Remove a slot that held the card: one known to hold it, or else a likely one."""
        hand, pools = self.slots.hands.get(seat, []), self.slots.pools
        known = [slot for slot in hand if slot.card == card]
        if known:
            hand.remove(known[0])
            return
        possible = [slot for slot in hand if slot.card is None and card in pools[slot.pool]]
        if not possible:
            raise _Lost
        likely = [slot.factor(card) for slot in possible]
        slot = self.rng.choices(possible, likely if any(likely) else None)[0]
        hand.remove(slot)
        pools[slot.pool].remove(card)

    def _cards_drawn(self, event: CardsDrawn) -> None:
        places = self.transit + self.slots.stock
        drawn, self.slots.stock = places[: event.count], places[event.count :]
        self.transit = []
        if len(drawn) < event.count:
            raise _Lost
        self.passes = 0
        if event.seat == self.me:
            for slot, card in zip(drawn, event.cards or (), strict=True):
                if slot.card is None:
                    _remove(self.slots.pools[slot.pool], card)
            return
        if event.cause in (DrawCause.TURN, DrawCause.COVER):
            self._searched(event, drawn)
        self.slots.hands[event.seat] += drawn

    def _searched(self, event: CardsDrawn, drawn: Sequence[CardSlot]) -> None:
        """A player drew to find a fitting card: none of their cards fits, unless they drew by choice."""
        rules, fitting = self.rules, self._fitting()
        in_vain = any(isinstance(other, TurnPassed) and other.cause in IN_VAIN for other in self.rest)
        by_choice = rules.voluntary_draw == "always" and event.cause is DrawCause.TURN
        if not by_choice or in_vain or event.count > 1:
            self.slots.add_hint(event.seat, Hint(fitting, 0.0, 1.0))
            if rules.draw == "one_then_pass" and event.cause is DrawCause.TURN:
                return
            for slot in drawn[:-1]:
                slot.hints += (Hint(fitting, 0.0, 1.0),)
            drawn[-1].hints += (Hint(fitting, 0.0, 1.0) if in_vain else Hint(fitting, 1.0, 0.0),)

    def _turn_passed(self, event: TurnPassed) -> None:
        if event.cause is PassCause.NOTHING_TO_DRAW:
            self.slots.add_hint(event.seat, Hint(self._fitting(), 0.0, 1.0))
            self.passes += 1
        self.covering = False

    def _recycled(self, event: DiscardRecycled) -> None:
        slots = self.slots
        older, self.discard = self.discard[:-1], self.discard[-1:]
        self.transit += slots.stock
        if event.shuffled and self.rules.deck == TWO_PACKS:
            slots.pools[0] += older  # which of two equal cards was laid, and so its origin, is unknown
            slots.stock = _fresh(0, len(older))
        elif event.shuffled:
            slots.pools.append(older)
            slots.stock = _fresh(len(slots.pools) - 1, len(older))
        else:
            slots.stock = [CardSlot(0, card) for card in older]

    def _seat_left(self, event: SeatLeft) -> None:
        self.slots.stock += self.slots.hands.pop(event.seat, [])
        self.passes = 0
        self.covering = False

    def _fitting(self) -> CardSet:
        """The cards that may be laid now."""
        top = self.discard[-1] if self.discard else None
        return self.lookup.playable_on(top, self.ordered, must_cover=self.covering)


def _fresh(pool: int, count: int) -> list[CardSlot]:
    return [CardSlot(pool) for _ in range(count)]


def _remove(cards: list[Card], card: Card) -> None:
    if card not in cards:
        raise _Lost
    cards.remove(card)


def _dealt_to_me(view: View) -> list[Card]:
    """The viewer's dealt cards: those held and laid, less those drawn. Raises `_Lost`."""
    assert view.hand is not None
    cards = list(view.hand)
    events: list[Event] = [event for events in view.history for event in events]
    cards += [event.card for event in events if isinstance(event, CardLaid) and event.seat == view.seat]
    for event in events:
        if isinstance(event, CardsDrawn) and event.seat == view.seat:
            for card in event.cards or ():
                _remove(cards, card)
    return cards


def _nothing_known(view: View, rng: Random) -> BeliefState:
    """The state in which any hidden card may be anywhere.

    A position need not hold a whole deck: the pool is cut or filled up to size.
    """
    assert view.round is not None
    assert view.hand is not None
    deck = sorted_deck(view.rules.deck)
    pool = list((Counter(deck) - Counter(view.hand) - Counter(view.round.discard)).elements())
    hands = {
        place: _fresh(0, seat.cards)
        for place, seat in enumerate(view.seats)
        if place != view.seat and seat.cards
    }
    hidden = view.round.stock + sum(map(len, hands.values()))
    pool = rng.sample(pool, min(hidden, len(pool)))
    pool += rng.choices(deck, k=hidden - len(pool))
    return BeliefState(hands, _fresh(0, view.round.stock), [pool])
