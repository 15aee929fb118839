"""Why a move is advised: reasons as data, which the bot puts into words of a person's language.

This module knows no rules; which reason holds is found in `engine.players.heuristics`.
"""

from enum import StrEnum
from typing import NamedTuple

from engine.moves import TurnMove


class Why(StrEnum):
    """The reasons for a move. A card that is laid is "it"; the next player is the one it hits."""

    ONLY_MOVE = "only_move"
    """Nothing else may be done."""
    FINISH = "finish"
    """It is the last card: the round is won."""
    GO_OUT = "go_out"
    """With it the whole hand can be laid before anybody else moves."""
    STING_THE_LAST_CARD = "sting_the_last_card"
    """The next player is about to finish, and it makes him take cards or lose his turn."""
    HIT = "hit"
    """It makes the next player take cards or lose his turn."""
    MOVE_AGAIN = "move_again"
    """The turn comes straight back, and something fits on it."""
    TWO_AT_ONCE = "two_at_once"
    """It must be covered, and the cover is in hand: two cards are shed in a turn."""
    PASS_IT_ON = "pass_it_on"  # noqa: S105 - an attack that is passed on, no password
    """It answers the attack, which falls on the next player."""
    SHED_POINTS = "shed_points"
    """It is dear to be left with."""
    AIM_AT_THE_LIMIT = "aim_at_the_limit"
    """What is left in hand would make a total that the rules reward."""
    STAY_IN = "stay_in"
    """With it in hand a lost round would put the player out of the match."""
    MATCH_COLOUR = "match_colour"
    """Most of the rest of the hand fits on it."""
    STARVE_THE_NEXT = "starve_the_next"
    """The next player has shown that he has little that fits on it."""
    ORDER_LONGEST_SUIT = "order_longest_suit"
    """It orders the suit that the hand has most of."""
    ORDER_WHAT_THEY_LACK = "order_what_they_lack"
    """It orders a suit that the next player has shown to lack."""
    KEEP_THE_WILD = "keep_the_wild"
    """A card that fits on anything stays in hand for when it is needed."""
    KEEP_THE_COVERED = "keep_the_covered"
    """A card that would have to be covered stays in hand, there being nothing to cover it with."""
    KEEP_THE_STING = "keep_the_sting"
    """A card that hits stays in hand for when somebody is about to finish."""
    AVOID_BEING_STUCK = "avoid_being_stuck"
    """Another card would bring the turn straight back with nothing in hand that fits on it."""
    SHED_A_CARD = "shed_a_card"
    """There is nothing special to it but that the hand gets smaller."""


class Advice(NamedTuple):
    """A move, and the main reason for it."""

    move: TurnMove
    why: Why
