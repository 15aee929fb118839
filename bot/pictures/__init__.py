"""Draws pictures: from the values in `bot.screens.picture` to the bytes of an image file.

The functions are pure and cache only what can be drawn again: cards, felt, fonts. The screens decide what a
picture shows, and `bot.messages` sends it. The drawing libraries are loaded for the first picture, so a bot
whose groups want none never loads them.
"""

from __future__ import annotations

from bot.screens.picture import ChartPicture, EndPicture, Picture, TablePicture


def draw(picture: Picture) -> bytes:
    """Return the picture as a JPEG file of less than 100,000 bytes."""
    match picture:
        case TablePicture():
            from bot.pictures.table import draw_table  # noqa: PLC0415 - loads Pillow

            return draw_table(picture)
        case ChartPicture():
            from bot.pictures.chart import draw_chart  # noqa: PLC0415 - loads matplotlib

            return draw_chart(picture)
        case EndPicture():
            from bot.pictures.ending import draw_end  # noqa: PLC0415 - loads matplotlib

            return draw_end(picture)
