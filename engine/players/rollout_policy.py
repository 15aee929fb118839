"""A rollout policy: the heuristics that matter most, fast enough to play out rounds by the hundred.

A `RolloutPolicy` is made once for a set of rules and a number of players. It takes a whole match, because
that is what the engine plays with, but looks only at the mover's hand and at what lies open.
"""

from random import Random
from typing import assert_never

from engine.cards import CARDS, SUITS, Card, suit_of
from engine.legality import legal
from engine.moves import TurnMove
from engine.players.heuristics import WEIGHTS, Weights
from engine.rules import Rules
from engine.state import Match

NOISE = 2.0
"""The most points that chance adds to a card's worth, so that not everybody plays alike."""


class RolloutPolicy:
    """A quick player for these rules and this number of players."""

    def __init__(self, rules: Rules, players: int, weights: Weights = WEIGHTS) -> None:
        lookup = rules.lookup
        self.lookup = lookup
        self.weights = weights
        self.duel = players == 2
        self.base = tuple(self._base(card) for card in CARDS)
        self.hits = tuple(self._hit(card) for card in CARDS)

    def _base(self, card: Card) -> float:
        weights, effect = self.weights, self.lookup.effects[card]
        worth = weights.points * self.lookup.points[card]
        return worth - weights.wild if effect.kind == "wild" else worth

    def _hit(self, card: Card) -> float:
        weights, effect = self.weights, self.lookup.effects[card]
        return weights.taken * effect.cards + weights.skipped * (effect.kind == "attack")

    def move(self, match: Match, rng: Random) -> TurnMove:
        """The move of the player to move. A round must be running."""
        running = match.round
        assert running is not None
        piles, turn, _, ring, _ = running
        seat, playable, hands = turn.seat, turn.playable, piles.hands
        hand = hands[seat]
        fitting = [card for card in hand if card in playable]
        if not fitting:
            return legal(match, seat)[0]
        card = fitting[0]
        if len(fitting) > 1:
            card = self._best(fitting, hand, len(hands[ring.after[seat]]), rng)
        own = self.lookup.turn_moves[seat]
        if len(hand) == 1:
            return own.plays_last[card][0]
        plays = own.plays[card]
        return plays[self._suit(hand, card)] if len(plays) > 1 else plays[0]

    def _best(self, fitting: list[Card], hand: tuple[Card, ...], held: int, rng: Random) -> Card:
        """The card worth most. `held` is how many cards the next player holds."""
        weights, lookup, base, hits = self.weights, self.lookup, self.base, self.hits
        effects, fits, random = lookup.effects, lookup.fits, rng.random
        near = weights.last_cards[held - 1] if 0 < held < 3 else 1.0
        best, most = fitting[0], -1000.0
        for card in fitting:
            kind = effects[card].kind
            worth = base[card] + near * hits[card] + NOISE * random()
            match kind:
                case "wild":
                    pass
                case "cover":
                    follows = len(lookup.covers[card].intersection(hand)) - (card in lookup.covers[card])
                    worth += weights.card if follows else -weights.cover_missing
                case "plain" | "load":
                    worth += weights.fitting * (len(fits[card].intersection(hand)) - 1)
                case "attack" | "reverse":
                    follows = len(fits[card].intersection(hand)) - 1
                    worth += weights.fitting * follows
                    if self.duel:  # the turn comes straight back
                        worth += weights.again if follows else -weights.stuck
                case _:
                    assert_never(kind)
            if worth > most:
                best, most = card, worth
        return best

    def _suit(self, hand: tuple[Card, ...], wild: Card) -> int:
        """The suit most frequent in the hand, wilds aside."""
        counts = [0] * len(SUITS)
        for card in hand:
            if card not in self.lookup.wilds:
                counts[suit_of(card)] += 1
        most = max(counts)
        return counts.index(most) if most else suit_of(wild)
