"""The effects that cards have when they are laid.

An `Effect` is data: its kind, and how many cards it makes the next player take. Giving a known effect to
another card is an entry in a table (`engine.rules`); an effect with another number of cards is a member here;
a new *kind* of effect is a word in `EffectKind`, and mypy then names every place that has to handle it.
"""

from enum import StrEnum
from typing import Literal, Self, TypeAlias

EffectKind: TypeAlias = Literal["plain", "wild", "cover", "attack", "load", "reverse"]
"""How a card acts. Code that depends on the kind uses an exhaustive `match`.

- plain: no effect, the turn moves on;
- wild: the card goes on anything, and its player orders a suit;
- cover: its player must cover the card;
- attack: the next player takes cards (or none) and loses the turn, or passes the attack on if the rules
allow it;
- load: the next player takes cards but keeps the turn;
- reverse: the direction of play changes; with two players the mover moves again.
"""


class Effect(StrEnum):
    """The effects; the values are those of a settings document.

    >>> Effect("take4").kind, Effect.TAKE4.cards
    ('attack', 4)
    >>> [effect.value for effect in Effect if effect.turns_direction or effect.needs_cover]
    ['cover', 'reverse']
    >>> [effect.value for effect in Effect if effect.orders_suit or effect.hits_next]
    ['skip', 'take1', 'take2', 'take3', 'take4', 'take5', 'load2', 'load4', 'wild']
    """

    kind: EffectKind
    cards: int
    """The number of cards that the next player takes."""
    orders_suit: bool
    """Whether the card's player names the suit to follow."""
    needs_cover: bool
    """Whether the card's player has to cover it, so that the turn goes on."""
    turns_direction: bool
    """Whether the card reverses the direction of play."""
    hits_next: bool
    """Whether the next player takes cards or loses the turn."""

    def __new__(cls, value: str, kind: EffectKind = "plain", cards: int = 0) -> Self:
        """The effect of this name and kind, and the cards that the next player takes."""
        effect = str.__new__(cls, value)
        effect._value_ = value
        effect.kind = kind
        effect.cards = cards
        effect.orders_suit = kind == "wild"
        effect.needs_cover = kind == "cover"
        effect.turns_direction = kind == "reverse"
        effect.hits_next = kind in ("attack", "load")
        return effect

    __hash__ = str.__hash__  # equal to its string, so hashed like it; Enum's own is slower

    NONE = "none", "plain"
    SKIP = "skip", "attack"
    TAKE1 = "take1", "attack", 1
    TAKE2 = "take2", "attack", 2
    TAKE3 = "take3", "attack", 3
    TAKE4 = "take4", "attack", 4
    TAKE5 = "take5", "attack", 5
    LOAD2 = "load2", "load", 2
    LOAD4 = "load4", "load", 4
    COVER = "cover", "cover"
    WILD = "wild", "wild"
    REVERSE = "reverse", "reverse"
