"""Which suits the others have shown to lack: what anyone at the table keeps in mind who counts a little.

One who draws for want of a card has nothing of the suit that was asked for. He still has not when the card
that he has found at last is laid; but once he has taken cards for another reason, he may. How much more there
is to know for who counts everything stands in `engine.players.belief_tracker`.
"""

from engine.cards import NOT_A_SUIT, suit_of
from engine.events import CardLaid, CardsDrawn, DrawCause, PassCause, RoundDealt, TurnPassed
from engine.view import View

_IN_VAIN = (PassCause.FOUND_NOTHING, PassCause.CARDS_GAVE_OUT, PassCause.NOTHING_TO_DRAW)


def suits_lacked(view: View, seat: int) -> frozenset[int]:
    """The suits that `seat` has shown to lack in the round so far, and has had no occasion to get since."""
    rules = view.rules
    lacked: set[int] = set()
    asked = NOT_A_SUIT  # nobody can be at a loss before a card lies there
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
