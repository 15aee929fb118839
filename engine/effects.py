"""What a card can do to the players when it is laid.

A house rule that gives a known effect to another card is an entry in a table (`engine.rules`); a new *kind*
of effect is a member here and one branch in `engine.game`.
"""

from enum import StrEnum
from typing import Self


class Effect(StrEnum):
    """The effects; the values are those of a settings document."""

    cards: int
    """How many cards it makes the next player take."""
    is_attack: bool
    """It costs the next player his turn, so he may pass it on where the rules allow a transfer."""
    is_load: bool
    """The next player takes cards and plays all the same."""
    is_cover: bool
    """Its player must cover the card."""
    is_wild: bool
    """The card goes on anything, and its player orders a suit."""
    affects_only_mover: bool
    """It does nothing to the others: the turn moves on, or stays for a cover."""

    def __new__(cls, value: str, cards: int = 0, costs_the_turn: bool = False) -> Self:
        """The effect of this name: the cards taken, and whether the next player loses his turn."""
        effect = str.__new__(cls, value)
        effect._value_ = value
        effect.cards = cards
        effect.is_attack = costs_the_turn
        effect.is_load = bool(cards) and not costs_the_turn
        effect.is_cover = value == "cover"
        effect.is_wild = value == "wild"
        effect.affects_only_mover = value in ("none", "wild", "cover")
        return effect

    __hash__ = str.__hash__  # equal to its string, so hashed like it: and without Enum's detour

    NONE = "none"
    SKIP = "skip", 0, True
    TAKE1 = "take1", 1, True
    TAKE2 = "take2", 2, True
    TAKE3 = "take3", 3, True
    TAKE4 = "take4", 4, True
    TAKE5 = "take5", 5, True
    LOAD2 = "load2", 2
    LOAD4 = "load4", 4
    COVER = "cover"
    WILD = "wild"
    REVERSE = "reverse"
