"""The reasons for advising a move, as data; the bot puts them into a person's language.

`engine.players.heuristics` decides which reason applies.
"""

from enum import StrEnum
from typing import NamedTuple

from engine.moves import TurnMove


class MoveReason(StrEnum):
    """The main reason for a move. In these descriptions, "it" is the card laid.

    >>> MoveReason("finish") is MoveReason.FINISH
    True
    """

    ONLY_MOVE = "only_move"
    """No other move is legal."""
    FINISH = "finish"
    """It is the last card and wins the round."""
    GO_OUT = "go_out"
    """After it, the whole hand can be laid before anybody else moves."""
    STING_THE_LAST_CARD = "sting_the_last_card"
    """It makes a next player who is about to finish take cards or lose the turn."""
    HIT = "hit"
    """It makes the next player take cards or lose the turn."""
    MOVE_AGAIN = "move_again"
    """The turn comes straight back, and a card in hand fits on it."""
    TWO_AT_ONCE = "two_at_once"
    """It must be covered, and a cover is in hand: two cards are shed in one turn."""
    PASS_IT_ON = "pass_it_on"  # noqa: S105 - an attack that is passed on, no password
    """It passes the attack on to the next player."""
    SHED_POINTS = "shed_points"
    """It would cost many points at the end of the round."""
    AIM_AT_THE_LIMIT = "aim_at_the_limit"
    """The cards left in hand would make a total that the rules reward."""
    STAY_IN = "stay_in"
    """Losing the round with it in hand would put the player out of the match."""
    MATCH_COLOUR = "match_colour"
    """Many of the cards left in hand fit on it."""
    STARVE_THE_NEXT = "starve_the_next"
    """The next player is known to lack its suit."""
    ORDER_LONGEST_SUIT = "order_longest_suit"
    """It orders the suit most frequent in the hand."""
    ORDER_WHAT_THEY_LACK = "order_what_they_lack"
    """It orders a suit that the next player is known to lack."""
    KEEP_THE_WILD = "keep_the_wild"
    """A wild stays in hand for when it is needed."""
    KEEP_THE_COVERED = "keep_the_covered"
    """A card that must be covered stays in hand, as there is no cover for it."""
    KEEP_THE_STING = "keep_the_sting"
    """A card that hits the next player stays in hand for when somebody is about to finish."""
    AVOID_BEING_STUCK = "avoid_being_stuck"
    """Another card would bring the turn straight back with no fitting card in hand."""
    SHED_A_CARD = "shed_a_card"
    """It makes the hand smaller, and nothing else speaks for it."""


class Advice(NamedTuple):
    """A move, and the main reason for it.

    >>> from random import Random
    >>> from engine import Deal, Rules, apply, new_match, turn_move_text, view_for
    >>> from engine.players import advise
    >>> match = apply(new_match(Rules(), ["anna", "boris"]), Deal(bytes(32))).match
    >>> move, why = advise(view_for(match, seat=1), Random(7))
    >>> turn_move_text(move), why
    ('KC', <MoveReason.KEEP_THE_WILD: 'keep_the_wild'>)
    """

    move: TurnMove
    why: MoveReason
