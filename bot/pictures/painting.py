"""Paints a scene and encodes it as a file."""

from __future__ import annotations

from io import BytesIO
from typing import Final

from PIL import Image, ImageDraw

from bot.pictures.cards import card_sprite
from bot.pictures.icons import felt, icon, plate
from bot.pictures.scene import CardItem, IconItem, PlateItem, Scene, TextItem
from bot.pictures.text import font

MOST_BYTES: Final = 100_000
"""The upper limit for files, since Telegram slows down larger uploads."""
_BEST, _WORST, _STEP = 90, 48, 6
"""JPEG qualities. Names are still readable at the worst."""
_CARDS_A_STEP: Final = 18
"""For each this many backs, or half as many faces, the first quality to try is one step lower."""


def paint(scene: Scene) -> bytes:
    """Return the scene as a JPEG file of less than `MOST_BYTES`."""
    canvas = felt(scene.width, scene.height).copy()
    pen = ImageDraw.Draw(canvas)
    for item in scene.items:
        match item:
            case CardItem():
                sprite = card_sprite(item.face, item.height, item.angle, scene.four_colours)
                _lay(canvas, sprite, item.x, item.y)
            case IconItem():
                _lay(
                    canvas,
                    icon(item.name, item.size, item.suit, item.angle, scene.four_colours),
                    item.x,
                    item.y,
                )
            case PlateItem(box=(left, top, right, bottom)):
                sprite = plate(right - left, bottom - top, item.style)
                _lay(canvas, sprite, (left + right) // 2, (top + bottom) // 2)
            case TextItem():
                pen.text((item.x, item.y), item.text, item.colour, font(item.size), anchor=item.anchor)
    cards = sum(1 if item.face is None else 2 for item in scene.items if isinstance(item, CardItem))
    return jpeg(canvas, max(_WORST, _BEST - _STEP * (cards // _CARDS_A_STEP)))


def _lay(canvas: Image.Image, sprite: Image.Image, x: int, y: int) -> None:
    canvas.paste(sprite, (x - sprite.width // 2, y - sprite.height // 2), sprite)


def jpeg(canvas: Image.Image, best: int = _BEST) -> bytes:
    """Return an image as a JPEG file of less than `MOST_BYTES`, in the best quality that allows.

    `best` is the first quality to try; only the highest keeps the full colour resolution. If even the worst
    is too large, the image is scaled down.
    """
    while True:
        for quality in range(best, _WORST - 1, -_STEP):
            file = BytesIO()
            colour = "4:4:4" if quality == _BEST else "4:2:0"
            canvas.save(file, "JPEG", quality=quality, subsampling=colour, optimize=True)
            if file.tell() < MOST_BYTES:
                return file.getvalue()
        canvas = canvas.reduce(2)
