"""Draws pictures: from the values in `bot.screens.picture` to the bytes of an image file.

Pure functions that keep nothing but what can be drawn again: cards, felt, fonts. What a picture shows is
decided in the screens; how it goes out, in `bot.messages`. The libraries for drawing are loaded with the
first picture: a bot whose groups want none does without them.
"""

from __future__ import annotations

from bot.screens.picture import ChartPicture, EndPicture, Picture, TablePicture


def draw(picture: Picture) -> bytes:
    """The picture as a JPEG file of less than 100,000 bytes."""
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
