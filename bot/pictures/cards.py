"""Draws playing cards: faces with large symbols that are readable on a phone, and backs.

Each card is drawn once at a large size, and cached in the sizes and angles that are needed.
"""

from __future__ import annotations

import math
from functools import cache, lru_cache
from typing import Final

from PIL import Image, ImageChops, ImageDraw

from bot.pictures.text import font
from bot.screens.picture import Face

RATIO: Final = 5 / 7
"""Width by height."""
_HEIGHT: Final = 420
"""The height of the card that all sizes are scaled from (pixels)."""
_RADIUS: Final = 30

Colour = tuple[int, int, int]
INK: Final[Colour] = (27, 31, 42)
RED: Final[Colour] = (208, 32, 48)
BLUE: Final[Colour] = (24, 94, 200)
GREEN: Final[Colour] = (18, 132, 66)
_TWO_COLOURS: Final = (INK, RED, RED, INK)
_FOUR_COLOURS: Final = (INK, RED, BLUE, GREEN)
_PAPER: Final[Colour] = (253, 252, 248)
_EDGE: Final[Colour] = (176, 176, 172)
_BACK: Final[Colour] = (158, 30, 46)
_BACK_LIGHT: Final[Colour] = (226, 150, 140)

_CROWNS: Final = {"J": 3, "Q": 5, "K": 5}
"""The number of points of each court card's crown."""


def colour_of(suit: int, *, four_colours: bool) -> Colour:
    """The colour of a suit's symbols."""
    return (_FOUR_COLOURS if four_colours else _TWO_COLOURS)[suit]


@lru_cache(maxsize=256)
def suit_mask(suit: int, size: int) -> Image.Image:
    """A suit's symbol as a mask, `size` pixels high and wide."""
    return _large_suit(suit).resize((size, size), Image.Resampling.LANCZOS)


@cache
def _large_suit(suit: int) -> Image.Image:
    side = 480
    mask = Image.new("L", (side, side), 0)
    pen = ImageDraw.Draw(mask)

    def at(*points: tuple[float, float]) -> list[tuple[float, float]]:
        return [(x * side, y * side) for x, y in points]

    def disc(x: float, y: float, radius: float) -> None:
        pen.ellipse(at((x - radius, y - radius), (x + radius, y + radius)), fill=255)

    def stem(top: float) -> None:
        left = [(0.5 - 0.02 - 0.19 * (t / 12) ** 2.4, top + (0.97 - top) * t / 12) for t in range(13)]
        pen.polygon(at(*left, *((1 - x, y) for x, y in reversed(left))), fill=255)

    if suit in (0, 1):
        outline = []
        for step in range(180):
            t = math.tau * step / 180
            x = 16 * math.sin(t) ** 3
            y = 13 * math.cos(t) - 5 * math.cos(2 * t) - 2 * math.cos(3 * t) - math.cos(4 * t)
            if suit == 1:
                outline.append((0.5 + x / 35, 0.45 - y / 33.5))
            else:
                outline.append((0.5 + x / 35, 0.46 + y / 38))
        pen.polygon(at(*outline), fill=255)
        if suit == 0:
            stem(0.55)
    elif suit == 2:
        corners = ((0.5, 0.02), (0.88, 0.5), (0.5, 0.98), (0.12, 0.5))
        outline = []
        for start, end in zip(corners, (*corners[1:], corners[0]), strict=True):
            for step in range(24):
                t = step / 24
                pull = 0.05 * math.sin(math.pi * t)
                x, y = start[0] + (end[0] - start[0]) * t, start[1] + (end[1] - start[1]) * t
                outline.append((x + (0.5 - x) * pull * 2, y + (0.5 - y) * pull * 2))
        pen.polygon(at(*outline), fill=255)
    else:
        disc(0.5, 0.255, 0.225)
        disc(0.26, 0.59, 0.225)
        disc(0.74, 0.59, 0.225)
        pen.polygon(at((0.42, 0.4), (0.58, 0.4), (0.62, 0.62), (0.38, 0.62)), fill=255)
        stem(0.5)
    return mask


def _stamp(card: Image.Image, mask: Image.Image, centre: tuple[float, float], colour: Colour) -> None:
    place = round(centre[0] - mask.width / 2), round(centre[1] - mask.height / 2)
    card.paste(colour, place, mask)


@cache
def _blank() -> Image.Image:
    width = round(_HEIGHT * RATIO)
    card = Image.new("RGBA", (width, _HEIGHT), (0, 0, 0, 0))
    pen = ImageDraw.Draw(card)
    pen.rounded_rectangle((0, 0, width - 1, _HEIGHT - 1), _RADIUS, fill=_PAPER, outline=_EDGE, width=5)
    return card


@lru_cache(maxsize=40)
def _large_face(face: Face, four_colours: bool) -> Image.Image:
    card = _blank().copy()
    pen = ImageDraw.Draw(card)
    width, height = card.size
    colour = colour_of(face.suit, four_colours=four_colours)
    card.paste(colour, (20, 20), _index(face.sign))
    _stamp(card, suit_mask(face.suit, 94), (72, 184), colour)
    if face.rank in _CROWNS:
        _crown(card, pen, face, colour)
    else:
        _stamp(card, suit_mask(face.suit, 172), (width - 110, height - 120), colour)
    return card


@lru_cache(maxsize=32)
def _index(sign: str) -> Image.Image:
    """A rank's symbol as a mask; two digits are narrowed, so that they are readable where cards overlap."""
    pen = font(142)
    left, top, right, bottom = pen.getbbox(sign, anchor="lt")
    mask = Image.new("L", (round(right - left), round(bottom - top)), 0)
    ImageDraw.Draw(mask).text((-left, -top), sign, 255, pen, anchor="lt")
    return mask.resize((min(mask.width, 105), mask.height), Image.Resampling.LANCZOS)


def _crown(card: Image.Image, pen: ImageDraw.ImageDraw, face: Face, colour: Colour) -> None:
    """Draw a crown over the suit, which makes a court card recognizable at a glance."""
    width, height = card.size
    middle, top, half = width - 106, height - 274, 66
    gold = (222, 166, 44)
    points = _CROWNS[face.rank]
    outline: list[tuple[float, float]] = [(middle - half, top + 72)]
    for point in range(points):
        x = middle - half + 2 * half * point / (points - 1)
        outline.append((x, top + (0 if point % 2 == 0 else 10)))
        if point < points - 1:
            outline.append((x + half / (points - 1), top + 44))
    outline.append((middle + half, top + 72))
    pen.polygon(outline, fill=gold)
    for x, y in outline[1:-1:2]:
        pen.ellipse((x - 10, y - 14, x + 10, y + 6), fill=gold)
    pen.rounded_rectangle((middle - half, top + 78, middle + half, top + 94), 6, fill=gold)
    _stamp(card, suit_mask(face.suit, 148), (middle, height - 96), colour)


@cache
def _large_back() -> Image.Image:
    """A card's back. It has only a few large shapes, since fine lines would make the files large."""
    card = _blank().copy()
    pen = ImageDraw.Draw(card)
    width, height = card.size
    inset = 20
    box = (inset, inset, width - 1 - inset, height - 1 - inset)
    pen.rounded_rectangle(box, _RADIUS - 8, fill=_BACK)
    middle = width / 2, height / 2
    for size, colour in ((226, _BACK_LIGHT), (178, _BACK), (106, _BACK_LIGHT)):
        _stamp(card, suit_mask(2, size), middle, colour)
    return card


@lru_cache(maxsize=128)
def _half_as_large(face: Face | None, four_colours: bool) -> Image.Image:
    """A card at half size, from which small sizes are scaled faster."""
    return (_large_back() if face is None else _large_face(face, four_colours)).reduce(2)


def card_sprite(face: Face | None, height: int, angle: int, four_colours: bool) -> Image.Image:
    """A card (None: its back), `height` pixels high, rotated counter-clockwise by degrees, with a shadow."""
    kept = _kept_if_large if height > _LARGE else _kept
    return kept(face, height, angle, four_colours)


def _sprite(face: Face | None, height: int, angle: int, four_colours: bool) -> Image.Image:
    card = _large_back() if face is None else _large_face(face, four_colours)
    if 3 * height <= card.height:
        card = _half_as_large(face, four_colours)
    card = card.resize((round(height * RATIO), height), Image.Resampling.HAMMING)
    margin = max(3, height // 24)
    sprite = Image.new("RGBA", (card.width + 2 * margin, card.height + 2 * margin), (0, 0, 0, 0))
    shadow = ImageChops.multiply(card.getchannel("A"), Image.new("L", card.size, 70))
    sprite.paste((0, 0, 0), (margin + margin // 3, margin + margin // 2), shadow)
    sprite.alpha_composite(card, (margin, margin))
    return sprite if angle == 0 else sprite.rotate(angle, Image.Resampling.BILINEAR, expand=True)


_LARGE: Final = 140
"""Fewer cards above this height (pixels) are cached: each takes up to 250 kB, the others at most 80 kB."""
_kept: Final = lru_cache(maxsize=384)(_sprite)
_kept_if_large: Final = lru_cache(maxsize=160)(_sprite)
