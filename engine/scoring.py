"""Scoring: the points of a hand, the winner's bonus, and the new totals.

At the end of a round, the steps are: the points of each hand (with the lone-queen rule), doubling, the
winner's bonus, adding up, a total of exactly the limit, negative totals, and who is out. The functions for a
round's points do the first three, `new_total` the next three for one seat, `engine.game` the last.
"""

from collections.abc import Sequence
from typing import TypeAlias

from engine.cards import KING_OF_SPADES, QUEEN, QUEEN_OF_SPADES, Card, rank_of
from engine.rules import Rules

Hands: TypeAlias = Sequence[tuple[int, tuple[Card, ...]]]
"""(seat, cards left in hand) of everyone in the round."""

Points: TypeAlias = tuple[tuple[int, int], ...]
"""(seat, points) of everyone in the round."""


def hand_points(rules: Rules, hand: tuple[Card, ...]) -> int:
    """The penalty points of a hand at the end of a round."""
    if rules.lone_queen == "20_40" and len(hand) == 1 and rank_of(hand[0]) == QUEEN:
        return 40 if hand[0] == QUEEN_OF_SPADES else 20
    points = rules.lookup.points
    return sum([points[card] for card in hand])


def finish_bonus(rules: Rules, last_card: Card) -> int:
    """The winner's points for finishing with this card: 0 or less."""
    if rules.finish_bonus == "none":
        return 0
    if rank_of(last_card) == QUEEN:
        return -40 if last_card == QUEEN_OF_SPADES else -20
    return -80 if rules.finish_bonus == "queens_king" and last_card == KING_OF_SPADES else 0


def won_round_points(rules: Rules, hands: Hands, winner: int, last_card: Card) -> Points:
    """The points of a round that `winner` won by laying `last_card`."""
    factor = 2 if rules.double_on_queen_finish and rank_of(last_card) == QUEEN else 1
    return tuple(
        (seat, finish_bonus(rules, last_card) if seat == winner else factor * hand_points(rules, hand))
        for seat, hand in hands
    )


def blocked_round_points(rules: Rules, hands: Hands) -> tuple[Points, frozenset[int]]:
    """The points of a blocked round, and the seats with the lowest hand, which score 0."""
    counted = [(seat, hand_points(rules, hand)) for seat, hand in hands]
    lowest = min(points for _, points in counted)
    spared = frozenset(seat for seat, points in counted if points == lowest)
    return tuple((seat, 0 if seat in spared else points) for seat, points in counted), spared


def new_total(rules: Rules, total: int, points: int) -> int:
    """The new total after a round; above `rules.limit` the seat is out."""
    total += points
    if total == rules.limit and rules.exact_limit != "stay":
        total = 0
    elif total == rules.limit - 1 and rules.exact_limit == "zero_and_half":
        total //= 2
    if rules.negatives == "floor_zero":
        total = max(total, 0)
    return total
