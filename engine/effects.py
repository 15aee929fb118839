"""What a card can do to the players when it is laid.

A house rule that gives a known effect to another card is an entry in a table (`engine.rules`); a new
*kind* of effect is a member here and one branch in `engine.game`.
"""

from enum import StrEnum
from typing import Final


class Effect(StrEnum):
    """The effects; the values are those of the settings document."""

    NONE = "none"
    SKIP = "skip"
    TAKE1 = "take1"
    TAKE2 = "take2"
    TAKE3 = "take3"
    TAKE4 = "take4"
    TAKE5 = "take5"
    LOAD2 = "load2"
    LOAD4 = "load4"
    COVER = "cover"
    WILD = "wild"
    REVERSE = "reverse"

    @property
    def cards(self) -> int:
        """How many cards it makes the next player take."""
        return _CARDS_TAKEN.get(self, 0)

    @property
    def is_attack(self) -> bool:
        """It costs the next player the turn, so it can be passed on where the rules allow a transfer."""
        return self in _ATTACKS

    @property
    def is_load(self) -> bool:
        """The next player takes cards and plays all the same."""
        return self in _LOADS


_CARDS_TAKEN: Final = {
    Effect.TAKE1: 1,
    Effect.TAKE2: 2,
    Effect.TAKE3: 3,
    Effect.TAKE4: 4,
    Effect.TAKE5: 5,
    Effect.LOAD2: 2,
    Effect.LOAD4: 4,
}
_LOADS: Final = frozenset({Effect.LOAD2, Effect.LOAD4})
_ATTACKS: Final = (frozenset(_CARDS_TAKEN) - _LOADS) | {Effect.SKIP}
