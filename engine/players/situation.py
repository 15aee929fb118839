"""Facts about a position for the player to move: their cards, who is next, how near the end is.

They are derived from a view, so they include nothing that the player cannot know. `engine.players.heuristics`
judges them.
"""

from functools import lru_cache
from typing import assert_never

from engine.cards import Card
from engine.matching import CardLookup
from engine.players.inferred_voids import suits_lacked
from engine.rules import Rules
from engine.scoring import hand_points, new_total
from engine.state import Status
from engine.view import RoundView, View

Hand = tuple[Card, ...]

LONGEST_RUN = 6
"""The longest run of own moves that is searched."""

_FINISHES = {1: 0.5, 2: 0.2, 3: 0.08}
_FINISHES_ELSE = 0.03


class Situation:
    """The facts for the player to move. Raises `ValueError` for anybody else's view."""

    def __init__(self, view: View) -> None:
        if view.round is None or view.seat is None or view.hand is None or view.round.turn != view.seat:
            raise ValueError("only the one to move can choose a move")
        self.view = view
        self.rules: Rules = view.rules
        self.lookup: CardLookup = view.rules.lookup
        self.round: RoundView = view.round
        self.seat: int = view.seat
        self.hand: Hand = view.hand
        seats = [place for place, seat in enumerate(view.seats) if seat.status is Status.IN]
        self.players = len(seats)
        at = seats.index(self.seat)
        self.next = seats[(at + self.round.direction) % self.players]
        self.previous = seats[(at - self.round.direction) % self.players]
        self.others = tuple(seat for seat in seats if seat != self.seat)
        self.lacked_next = suits_lacked(view, self.next)
        """Suits that the next player is known to lack."""
        self.total = view.seats[self.seat].total

    def cards_of(self, seat: int) -> int:
        """How many cards the seat holds."""
        return self.view.seats[seat].cards

    @property
    def danger(self) -> float:
        """A rough chance that somebody finishes before the player moves again."""
        safe = 1.0
        for seat in self.others:
            safe *= 1 - _FINISHES.get(self.cards_of(seat), _FINISHES_ELSE)
        return 1 - safe

    def total_with(self, hand: Hand) -> int:
        """What the player's total becomes if the round is lost with this hand."""
        return new_total(self.rules, self.total, hand_points(self.rules, hand))

    def burden(self, hand: Hand) -> float:
        """The cost, in points, of losing the round with this hand; going out of the match costs extra."""
        total = self.total_with(hand)
        return total + (0.7 * self.rules.limit if total > self.rules.limit else 0.0)

    def without(self, card: Card) -> Hand:
        """The hand after laying the card."""
        return without(self.hand, card)

    def comes_back(self, card: Card) -> bool:
        """Whether the turn comes straight back after laying the card.

        An attack that could be answered is assumed not to be.
        """
        kind = self.lookup.effects[card].kind
        match kind:
            case "cover":
                return True
            case "plain" | "wild" | "load":
                return False
            case "attack" | "reverse":
                return self.players == 2
        assert_never(kind)

    def on(self, card: Card, hand: Hand) -> list[Card]:
        """The cards of the hand that fit on the card, if the turn comes straight back."""
        fitting = self.lookup.playable_after(card)
        return [other for other in hand if other in fitting]

    def may_end_with(self, card: Card) -> bool:
        """Whether the card can be the last one."""
        return self.lookup.effects[card].kind != "cover" or self.rules.finish_on_cover == "ends_round"

    def goes_out(self, card: Card, rest: Hand) -> bool:
        """Whether the rest of the hand can be laid after this card before anybody else moves."""
        if not rest:
            return self.may_end_with(card)
        if len(rest) > LONGEST_RUN or not self.comes_back(card) or self.lookup.answers[card]:
            return False
        return any(self.goes_out(follow, without(rest, follow)) for follow in self.on(card, rest))


@lru_cache(maxsize=1 << 14)
def without(hand: Hand, card: Card) -> Hand:
    """The hand without one copy of the card."""
    at = hand.index(card)
    return hand[:at] + hand[at + 1 :]
