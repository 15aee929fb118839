"""Draws the felt, plates and icons: the ordered suit, arrows, the moon of a sleeping player.

Everything is drawn large and scaled down to get smooth edges, and cached by size.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from bot.pictures.cards import GREEN, INK, RED, Colour, colour_of, suit_mask

GOLD: Final[Colour] = (246, 200, 84)
WHITE: Final[Colour] = (255, 255, 255)
PALE: Final[Colour] = (196, 222, 204)
DARK: Final[Colour] = (18, 30, 26)
GREY: Final[Colour] = (156, 166, 162)
INK_ON_GOLD: Final[Colour] = (60, 40, 8)

_FELT: Final[Colour] = (24, 106, 72)
_FELT_EDGE: Final[Colour] = (11, 58, 42)
_RIM: Final[Colour] = (72, 44, 26)
_RIM_LIGHT: Final[Colour] = (120, 78, 44)
_SCALE: Final = 4
_SMALL: Final = 130
"""Icons larger than this (pixels) are drawn at half the scale."""

PLATES: Final = {
    "seat": ((14, 40, 32), (58, 110, 88), 2),
    "lit": ((255, 238, 190), GOLD, 5),
    "away": ((38, 52, 62), (92, 110, 124), 2),
    "out": ((34, 40, 38), (70, 78, 74), 2),
    "count": ((8, 26, 20), (8, 26, 20), 0),
    "alarm": (RED, RED, 0),
    "total": ((40, 74, 60), (40, 74, 60), 0),
    "total_lit": ((240, 206, 120), (240, 206, 120), 0),
}
"""Fill, border colour and border width by style."""


@lru_cache(maxsize=16)
def felt(width: int, height: int) -> Image.Image:
    """The table: green cloth, lighter in the middle, with a wooden rim."""
    small = Image.new("L", (64, 64))
    middle = 31.5
    small.putdata(
        [
            min(255, round(255 * math.hypot((x - middle) / 40, (y - middle) / 40) ** 1.7))
            for y in range(64)
            for x in range(64)
        ]
    )
    shade = small.resize((width, height), Image.Resampling.BICUBIC)
    cloth = Image.composite(
        Image.new("RGB", (width, height), _FELT_EDGE), Image.new("RGB", (width, height), _FELT), shade
    )
    rim = 12
    board = Image.new("RGB", (width, height), _RIM)
    pen = ImageDraw.Draw(board)
    pen.rectangle((0, 0, width, 3), fill=_RIM_LIGHT)
    shape = Image.new("L", (width * 2, height * 2), 0)
    ImageDraw.Draw(shape).rounded_rectangle(
        (rim * 2, rim * 2, (width - rim) * 2, (height - rim) * 2), 60, fill=255
    )
    board.paste(cloth, (0, 0), shape.resize((width, height), Image.Resampling.LANCZOS))
    return board


@lru_cache(maxsize=128)
def plate(width: int, height: int, style: str) -> Image.Image:
    """A rounded plate; that of the player to move has a glow."""
    fill, border, stroke = PLATES[style]
    glow = 14 if style == "lit" else 0
    large = Image.new("RGBA", ((width + 2 * glow) * _SCALE, (height + 2 * glow) * _SCALE), (*border, 0))
    pen = ImageDraw.Draw(large)
    inside = (glow * _SCALE, glow * _SCALE, (glow + width) * _SCALE - 1, (glow + height) * _SCALE - 1)
    radius = min(18, height // 2) * _SCALE
    opacity = 255 if style in ("lit", "alarm") else 236
    pen.rounded_rectangle(
        inside, radius, fill=(*fill, opacity), outline=(*border, 255), width=stroke * _SCALE
    )
    sprite = large.resize((width + 2 * glow, height + 2 * glow), Image.Resampling.BOX)
    if not glow:
        return sprite
    halo = sprite.getchannel("A").filter(ImageFilter.GaussianBlur(glow * 0.55))
    shining = Image.new("RGBA", sprite.size, (*GOLD, 0))
    shining.putalpha(halo)
    shining.alpha_composite(sprite)
    return shining


@lru_cache(maxsize=192)
def icon(name: str, size: int, suit: int, angle: int, four_colours: bool) -> Image.Image:
    """An icon, `size` pixels high and wide, rotated counter-clockwise by whole degrees."""
    side = size * (_SCALE if size <= _SMALL else _SCALE // 2)
    large = Image.new("RGBA", (side, side), (0, 0, 0, 0))
    if name == "ordered":
        _ordered(large, suit, four_colours=four_colours)
    else:
        _ICONS[name](large, ImageDraw.Draw(large))
    if angle:
        large = large.rotate(angle, Image.Resampling.BILINEAR)
    return large.resize((size, size), Image.Resampling.BOX)


def _ordered(large: Image.Image, suit: int, *, four_colours: bool) -> None:
    """The ordered suit, on a disc."""
    _disc(large)
    side = large.width
    inner = round(side * 0.56)
    large.paste(
        colour_of(suit, four_colours=four_colours),
        ((side - inner) // 2, (side - inner) // 2 + side // 60),
        suit_mask(suit, inner),
    )


def _disc(large: Image.Image) -> None:
    """A white disc with a gold rim."""
    side = large.width
    pen = ImageDraw.Draw(large)
    pen.ellipse((0, 0, side - 1, side - 1), fill=(*DARK, 150))
    rim = side // 26
    pen.ellipse((rim, rim, side - rim, side - rim), fill=(*GOLD, 255))
    pen.ellipse((rim * 3, rim * 3, side - rim * 3, side - rim * 3), fill=(255, 255, 255, 255))


def _cover(large: Image.Image, pen: ImageDraw.ImageDraw) -> None:
    """A card placed on another one, on a disc."""
    _disc(large)
    side = large.width
    stroke, radius = side // 32, side // 24
    pen.rounded_rectangle(
        (side * 0.26, side * 0.36, side * 0.56, side * 0.78),
        radius,
        fill=(214, 220, 224, 255),
        outline=INK,
        width=stroke,
    )
    pen.rounded_rectangle(
        (side * 0.44, side * 0.2, side * 0.74, side * 0.62),
        radius,
        fill=(*GREEN, 255),
        outline=INK,
        width=stroke,
    )
    pen.polygon(
        [
            (side * x, side * y)
            for x, y in (
                (0.62, 0.82),
                (0.5, 0.68),
                (0.58, 0.68),
                (0.58, 0.5),
                (0.66, 0.5),
                (0.66, 0.68),
                (0.74, 0.68),
            )
        ],
        fill=(255, 255, 255, 255),
        outline=INK,
        width=stroke // 2,
    )


def _moon(large: Image.Image, pen: ImageDraw.ImageDraw) -> None:
    """A crescent and two letters z."""
    side = large.width
    pen.ellipse((side * 0.04, side * 0.16, side * 0.8, side * 0.92), fill=(*GOLD, 255))
    bite = Image.new("L", large.size, 255)
    ImageDraw.Draw(bite).ellipse((side * 0.3, side * 0.02, side * 1.0, side * 0.72), fill=0)
    large.putalpha(ImageChops.multiply(large.getchannel("A"), bite))
    pen = ImageDraw.Draw(large)
    for x, y, size in ((0.5, 0.36, 0.2), (0.72, 0.08, 0.26)):
        left, top, right, bottom = side * x, side * y, side * (x + size), side * (y + size)
        pen.line(
            (left, top, right, top, left, bottom, right, bottom),
            fill=(255, 255, 255, 255),
            width=side // 15,
            joint="curve",
        )


def _cross(large: Image.Image, pen: ImageDraw.ImageDraw) -> None:
    side = large.width
    for ends in ((0.16, 0.16, 0.84, 0.84), (0.16, 0.84, 0.84, 0.16)):
        pen.line([side * end for end in ends], fill=(*RED, 255), width=side // 6)


def _robot(large: Image.Image, pen: ImageDraw.ImageDraw) -> None:
    """A robot's head with an antenna, for computer players."""
    side = large.width
    metal, shade = (196, 208, 214, 255), (46, 66, 78, 255)
    pen.line((side * 0.5, side * 0.08, side * 0.5, side * 0.3), fill=metal, width=side // 12)
    pen.ellipse((side * 0.42, side * 0.02, side * 0.58, side * 0.18), fill=(*RED, 255))
    pen.rounded_rectangle((side * 0.02, side * 0.46, side * 0.98, side * 0.7), side // 14, fill=metal)
    box = (side * 0.12, side * 0.26, side * 0.88, side * 0.94)
    pen.rounded_rectangle(box, side // 8, fill=metal, outline=shade, width=side // 24)
    for x in (0.34, 0.66):
        pen.ellipse((side * (x - 0.1), side * 0.42, side * (x + 0.1), side * 0.62), fill=shade)
    pen.line((side * 0.32, side * 0.78, side * 0.68, side * 0.78), fill=shade, width=side // 14)


def _crown(large: Image.Image, pen: ImageDraw.ImageDraw) -> None:
    side = large.width
    points = ((0.06, 0.24), (0.3, 0.5), (0.5, 0.14), (0.7, 0.5), (0.94, 0.24), (0.86, 0.82), (0.14, 0.82))
    pen.polygon([(side * x, side * y) for x, y in points], fill=(206, 142, 20, 255))
    for x, y in (points[0], points[2], points[4]):
        pen.ellipse(
            (side * (x - 0.06), side * (y - 0.08), side * (x + 0.06), side * (y + 0.04)),
            fill=(206, 142, 20, 255),
        )


def _dot(large: Image.Image, pen: ImageDraw.ImageDraw) -> None:
    pen.ellipse((0, 0, large.width - 1, large.height - 1), fill=(*GOLD, 225))


def _head(large: Image.Image, pen: ImageDraw.ImageDraw) -> None:
    """An arrow head that points to the right."""
    side = large.width
    pen.polygon(
        [
            (side * 0.12, side * 0.08),
            (side * 0.98, side * 0.5),
            (side * 0.12, side * 0.92),
            (side * 0.32, side * 0.5),
        ],
        fill=(*GOLD, 255),
    )


def _slot(large: Image.Image, pen: ImageDraw.ImageDraw) -> None:
    """The dashed outline of a card, for an empty pile."""
    side = large.width
    width, height = side * 5 / 7 * 0.96, side * 0.96
    left, top = (side - width) / 2, (side - height) / 2
    stroke, radius = max(2, side // 40), side // 12
    outline = Image.new("L", large.size, 0)
    ImageDraw.Draw(outline).rounded_rectangle(
        (left, top, left + width, top + height), radius, outline=255, width=stroke
    )
    dashes = Image.new("L", large.size, 0)
    ink = ImageDraw.Draw(dashes)
    middle = side / 2
    for step in range(0, 360, 20):
        a, b = math.radians(step), math.radians(step + 11)
        ink.polygon(
            [
                (middle, middle),
                (middle + side * math.cos(a), middle + side * math.sin(a)),
                (middle + side * math.cos(b), middle + side * math.sin(b)),
            ],
            fill=255,
        )
    large.paste((*GOLD, 255), (0, 0), ImageChops.multiply(outline, dashes))
    del pen


def _turning(*, clockwise: bool) -> Callable[[Image.Image, ImageDraw.ImageDraw], None]:
    """Two long arrows around the middle, which show the direction of play."""

    def draw(large: Image.Image, pen: ImageDraw.ImageDraw) -> None:
        side = large.width
        radius, middle, stroke = side * 0.455, side / 2, side // 62
        ink = (*PALE, 150)
        box = (middle - radius, middle - radius, middle + radius, middle + radius)
        for start in (-48, 132):
            pen.arc(box, start, start + 96, fill=ink, width=stroke)
            at = math.radians(start + 96 if clockwise else start)
            x, y = (
                middle + (radius - stroke / 2) * math.cos(at),
                middle + (radius - stroke / 2) * math.sin(at),
            )
            heading = at + (math.pi / 2 if clockwise else -math.pi / 2)
            long, wide = side * 0.045, side * 0.028
            tip = (x + long * math.cos(heading), y + long * math.sin(heading))
            sides = [
                (x + wide * math.cos(heading + turn), y + wide * math.sin(heading + turn))
                for turn in (math.pi / 2, -math.pi / 2)
            ]
            pen.polygon([tip, *sides], fill=ink)

    return draw


_ICONS: Final[dict[str, Callable[[Image.Image, ImageDraw.ImageDraw], None]]] = {
    "moon": _moon,
    "cross": _cross,
    "crown": _crown,
    "robot": _robot,
    "dot": _dot,
    "head": _head,
    "slot": _slot,
    "cover": _cover,
    "clockwise": _turning(clockwise=True),
    "counter": _turning(clockwise=False),
}
