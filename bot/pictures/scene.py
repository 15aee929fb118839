"""Scenes: the items of a picture, their positions and their order, before it is painted.

Scenes are plain values in pixels from the upper left corner, so that tests can examine an arrangement without
painting it.
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
    """A card (None: its back), centred at (x, y), rotated counter-clockwise by degrees."""

    face: Face | None
    x: int
    y: int
    height: int
    angle: int = 0

    @property
    def box(self) -> Box:
        """The area of the card if it were upright."""
        half = round(self.height * RATIO / 2)
        return self.x - half, self.y - self.height // 2, self.x + half, self.y + self.height // 2


@dataclass(frozen=True, slots=True)
class TextItem:
    """A line of text; `anchor` is the part of it at (x, y), in Pillow's notation ("lm": left, middle)."""

    text: str
    x: int
    y: int
    size: int
    colour: Colour
    anchor: str = "lm"


@dataclass(frozen=True, slots=True)
class PlateItem:
    """A rounded plate behind text."""

    box: Box
    style: str


@dataclass(frozen=True, slots=True)
class IconItem:
    """An icon of `bot.pictures.icons`, centred at (x, y)."""

    name: str
    x: int
    y: int
    size: int
    suit: int = 0
    angle: int = 0


Item: TypeAlias = CardItem | TextItem | PlateItem | IconItem


@dataclass(slots=True)
class Scene:
    """A picture of `width` × `height` pixels; later items are on top of earlier ones."""

    width: int
    height: int
    four_colours: bool = False
    items: list[Item] = field(default_factory=list)

    def add(self, *items: Item) -> None:
        """Add items on top."""
        self.items += items
