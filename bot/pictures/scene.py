"""A picture before it is painted: what is to be seen, where, in which order.

Plain values in pixels from the upper left corner, so that an arrangement can be looked at without a picture.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from bot.pictures.cards import RATIO, Colour
from bot.screens.picture import Face

Box: TypeAlias = tuple[int, int, int, int]
"""Left, top, right, bottom."""


@dataclass(frozen=True, slots=True)
class CardItem:
    """A card (None: its back) around a centre, `height` pixels high, turned counter-clockwise by degrees."""

    face: Face | None
    x: int
    y: int
    height: int
    angle: int = 0

    @property
    def box(self) -> Box:
        """What the card would cover if it stood upright."""
        half = round(self.height * RATIO / 2)
        return self.x - half, self.y - self.height // 2, self.x + half, self.y + self.height // 2


@dataclass(frozen=True, slots=True)
class TextItem:
    """A line of text; `anchor` says what of it lies at (x, y), in Pillow's letters ("lm": left, middle)."""

    text: str
    x: int
    y: int
    size: int
    colour: Colour
    anchor: str = "lm"


@dataclass(frozen=True, slots=True)
class PlateItem:
    """A rounded plate under some text."""

    box: Box
    style: str


@dataclass(frozen=True, slots=True)
class SignItem:
    """A sign around a centre: one of those that `bot.pictures.icons` can draw."""

    name: str
    x: int
    y: int
    size: int
    suit: int = 0
    angle: int = 0


Item: TypeAlias = CardItem | TextItem | PlateItem | SignItem


@dataclass(slots=True)
class Scene:
    """A picture of `width` × `height`; later items lie on earlier ones."""

    width: int
    height: int
    four_colours: bool = False
    items: list[Item] = field(default_factory=list)

    def add(self, *items: Item) -> None:
        """Lay these on top."""
        self.items += items
