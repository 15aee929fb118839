"""Estimate how likely a player is to win the match, between rounds or during one.

Between rounds this is a model. A player's weight is the number of points left up to the limit, raised to a
power, and their chance is their share of all weights. The next round's leader weighs a little more, being
free to lay any card. Where the first player out ends the match, weights fall exponentially with the total.
The constants were fitted to matches between normal players: see docs/PLAYERS.md.

During a round, each player is taken to win it with a likelihood that falls with the number of cards held,
and the others to score the hands they hold now.
"""

from collections.abc import Mapping
from math import exp
from typing import Final

from engine.rules import Rules
from engine.scoring import hand_points, new_total
from engine.state import Match

POWER: Final = 1.5
SLACK: Final = 30.0
"""Points added to those left up to the limit."""
LEAD: Final = 1.1
"""Factor for the weight of the next leader."""
BEHIND: Final = 25.0
"""Where the first player out ends the match: this many points more divide a weight by e."""
FEWER_CARDS: Final = 1.5
"""The power by which the likelihood of winning a round falls with the cards held."""


def win_probability(match: Match, seat: int) -> float:
    """The chance that `seat` wins this match: 0 to 1."""
    if match.winner is not None:
        return 1.0 if match.winner == seat else 0.0
    totals = {place: match.seats[place].total for place in match.seats_in()}
    if match.round is None:
        return chance_between(match.rules, totals, match.leader, seat)
    rules, hands = match.rules, match.round.piles.hands
    worse = {
        place: new_total(rules, total, hand_points(rules, hands[place])) for place, total in totals.items()
    }
    chance = weights = 0.0
    for winner, total in totals.items():
        weight = (len(hands[winner]) + 0.5) ** -FEWER_CARDS
        weights += weight
        chance += weight * chance_between(rules, {**worse, winner: total}, winner, seat)
    return chance / weights


def chance_between(rules: Rules, totals: Mapping[int, int], leader: int | None, seat: int) -> float:
    """The chance that `seat` wins, given the totals by seat, some of which may be above the limit."""
    limit = rules.limit
    left = {place: total for place, total in totals.items() if total <= limit}
    if seat not in left:
        return 0.0
    if rules.game_end == "last_survivor":
        weights = {place: float((limit - total + SLACK) ** POWER) for place, total in left.items()}
    elif len(left) < len(totals):
        return 1.0 if seat == min(left, key=lambda place: left[place]) else 0.0
    else:
        weights = {place: exp(-total / BEHIND) for place, total in left.items()}
    if leader in weights:
        weights[leader] *= LEAD
    return weights[seat] / sum(weights.values())
