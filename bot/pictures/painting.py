"""Paints a scene, and makes a file of it."""

from __future__ import annotations

from io import BytesIO
from typing import Final

from PIL import Image, ImageDraw

from bot.pictures.cards import Colour, card_sprite
from bot.pictures.lettering import font
from bot.pictures.scene import CardItem, PlateItem, Scene, SignItem, TextItem
from bot.pictures.signs import felt, plate, sign

MOST_BYTES: Final = 100_000
"""Telegram slows larger uploads down."""
_QUALITIES: Final = (88, 78, 60, 40)


def paint(scene: Scene) -> bytes:
    """The scene as a JPEG file of at most `MOST_BYTES`."""
    canvas = felt(scene.width, scene.height).copy()
    pen = ImageDraw.Draw(canvas)
    for item in scene.items:
        match item:
            case CardItem():
                sprite = card_sprite(item.face, item.height, item.angle, scene.four_colours)
                _lay(canvas, sprite, item.x, item.y)
            case SignItem():
                _lay(
                    canvas,
                    sign(item.name, item.size, item.suit, item.angle, scene.four_colours),
                    item.x,
                    item.y,
                )
            case PlateItem(box=(left, top, right, bottom)):
                sprite = plate(right - left, bottom - top, item.style)
                _lay(canvas, sprite, (left + right) // 2, (top + bottom) // 2)
            case TextItem():
                colour = _mixed(item.colour) if item.is_faint else item.colour
                pen.text((item.x, item.y), item.text, colour, font(item.size), anchor=item.anchor)
    return jpeg(canvas)


def _lay(canvas: Image.Image, sprite: Image.Image, x: int, y: int) -> None:
    canvas.paste(sprite, (x - sprite.width // 2, y - sprite.height // 2), sprite)


def _mixed(colour: Colour) -> Colour:
    """The colour, half sunk into the felt."""
    red, green, blue = colour
    return (red + 24) // 2, (green + 106) // 2, (blue + 72) // 2


def jpeg(canvas: Image.Image) -> bytes:
    """A picture as a file of less than `MOST_BYTES`."""
    content = b""
    for quality in _QUALITIES:
        file = BytesIO()
        canvas.save(file, "JPEG", quality=quality, subsampling=0 if quality == _QUALITIES[0] else 2)
        content = file.getvalue()
        if len(content) < MOST_BYTES:
            break
    return content
