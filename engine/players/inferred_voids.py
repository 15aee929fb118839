"""Infer which suits a player lacks, as an ordinary player at the table would.

A player who has to draw holds nothing of the suit asked for. That still holds after the fitting card found is
laid, but no longer after cards are taken for another reason. `engine.players.belief_tracker` infers more.
"""

from engine.cards import NOT_A_SUIT, suit_of
from engine.events import CardLaid, CardsDrawn, DrawCause, PassCause, RoundDealt, TurnPassed
from engine.view import View

_IN_VAIN = (PassCause.FOUND_NOTHING, PassCause.CARDS_GAVE_OUT, PassCause.NOTHING_TO_DRAW)


def suits_lacked(view: View, seat: int) -> frozenset[int]:
    """The suits that `seat` was seen to lack in this round and cannot have got since."""
    rules = view.rules
    lacked: set[int] = set()
    asked = NOT_A_SUIT  # anything may be laid before there is a top card
    sure = rules.voluntary_draw == "never" and rules.draw != "one_then_pass"
    for events in view.history:
        for event in events:
            match event:
                case RoundDealt(turned_up=card) if card is not None:
                    asked = suit_of(card)
                case CardLaid():
                    asked = suit_of(event.card) if event.ordered is None else event.ordered
                case CardsDrawn() if event.seat == seat:
                    if event.cause is DrawCause.TURN and sure:
                        lacked.add(asked)
                    else:
                        lacked.clear()
                case TurnPassed() if event.seat == seat and event.cause in _IN_VAIN:
                    lacked.add(asked)
                case _:
                    pass
    return frozenset(lacked)
