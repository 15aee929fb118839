"""All situations side by side, each as wide as on a phone: docs/pictures/tables.jpg, to be looked at.

`python -m tests.bot.pictures.contact_sheet` writes it, and the README's docs/pictures/drawn.jpg: two of them.
Nothing compares them: fonts and encoders differ from machine to machine by a few pixels.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from PIL import Image, ImageDraw, ImageOps

from bot.pictures import draw
from bot.pictures.text import font
from tests.bot.pictures.situations import ENDINGS, SITUATIONS

PICTURES = Path(__file__).parents[3] / "docs" / "pictures"
_PHONE_WIDTH, _COLUMNS = 400, 3
_PAIR_HEIGHT = 600
_ANY = 10_000
_MARGIN, _CAPTION = 16, 34
_PAPER, _INK = (244, 243, 239), (60, 60, 60)


def contact_sheet() -> Image.Image:
    """Return three columns of pictures, each with its caption below."""
    pictures = [
        (name, _scaled(draw(picture), width=_PHONE_WIDTH)) for name, picture in (SITUATIONS | ENDINGS).items()
    ]
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


def pair() -> Image.Image:
    """A table in a round and a match's end, equally high, side by side: their rims are what parts them."""
    shown = (SITUATIONS["six: an attack is open"], ENDINGS["the end of a match"])
    left, right = (_scaled(draw(picture), height=_PAIR_HEIGHT) for picture in shown)
    page = Image.new("RGB", (left.width + right.width, _PAIR_HEIGHT))
    page.paste(left, (0, 0))
    page.paste(right, (left.width, 0))
    return page


def _scaled(content: bytes, *, width: int = _ANY, height: int = _ANY) -> Image.Image:
    """A picture from its file, so wide or so high."""
    return ImageOps.contain(Image.open(BytesIO(content)), (width, height), Image.Resampling.LANCZOS)


if __name__ == "__main__":
    for name, image in (("tables.jpg", contact_sheet()), ("drawn.jpg", pair())):
        path = PICTURES / name
        image.save(path, "JPEG", quality=78, optimize=True)
        print(f"{path.relative_to(Path.cwd())}: {path.stat().st_size:,} bytes")
