"""All situations side by side, each as wide as on a phone: docs/pictures/tables.jpg, to be looked at.

`python -m tests.bot.pictures.contact_sheet` writes it. It is not compared with anything: fonts and encoders
differ from machine to machine by a few pixels.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from PIL import Image, ImageDraw

from bot.pictures import draw
from bot.pictures.lettering import font
from tests.bot.pictures.situations import SITUATIONS

PATH = Path(__file__).parents[3] / "docs" / "pictures" / "tables.jpg"
_PHONE_WIDTH, _COLUMNS = 400, 3
_MARGIN, _CAPTION = 16, 34
_PAPER, _INK = (244, 243, 239), (60, 60, 60)


def contact_sheet() -> Image.Image:
    """Three columns; each picture has what is special about it below."""
    pictures = [(name, _shrunk(draw(picture))) for name, picture in SITUATIONS.items()]
    columns: list[list[tuple[str, Image.Image]]] = [[] for _ in range(_COLUMNS)]
    heights = [_MARGIN] * _COLUMNS
    for entry in pictures:
        column = heights.index(min(heights))
        columns[column].append(entry)
        heights[column] += entry[1].height + _CAPTION + _MARGIN
    width = _MARGIN + _COLUMNS * (_PHONE_WIDTH + _MARGIN)
    sheet = Image.new("RGB", (width, max(heights)), _PAPER)
    pen = ImageDraw.Draw(sheet)
    for number, column_of_entries in enumerate(columns):
        x, y = _MARGIN + number * (_PHONE_WIDTH + _MARGIN), _MARGIN
        for name, picture in column_of_entries:
            sheet.paste(picture, (x, y))
            pen.text((x + 2, y + picture.height + _CAPTION // 2), name, _INK, font(14), anchor="lm")
            y += picture.height + _CAPTION + _MARGIN
    return sheet


def _shrunk(content: bytes) -> Image.Image:
    picture = Image.open(BytesIO(content))
    return picture.resize(
        (_PHONE_WIDTH, picture.height * _PHONE_WIDTH // picture.width), Image.Resampling.LANCZOS
    )


if __name__ == "__main__":
    contact_sheet().save(PATH, "JPEG", quality=78, optimize=True)
    print(f"{PATH.relative_to(Path.cwd())}: {PATH.stat().st_size:,} bytes")
