"""The end of a round: everybody's cards laid open, what they cost, and the totals."""

from __future__ import annotations

from typing import Final

from bot.pictures.lettering import fitted, font, writable
from bot.pictures.scene import CardItem, PlateItem, Scene, SignItem, TextItem
from bot.pictures.seating import WIDTH
from bot.pictures.signs import GOLD, PALE, WHITE
from bot.screens.picture import SeatPicture, Standing, TablePicture

_MARGIN: Final = 24
_HEAD: Final = 64
_LIT_TEXT: Final = (60, 40, 8)
_GREY: Final = (160, 168, 164)


def arrange_laid_open(picture: TablePicture) -> Scene:
    """One row for each seat; from six on two side by side."""
    columns = 1 if len(picture.seats) <= 5 else 2
    lines = -(-len(picture.seats) // columns)
    row = 150 if columns == 1 else 176
    height = max(420, _HEAD + lines * row + _MARGIN)
    scene = Scene(WIDTH, height, picture.four_colours)
    scene.add(TextItem(picture.title, WIDTH // 2, _HEAD // 2 + 8, 30, PALE, "mm", is_faint=True))
    width = (WIDTH - _MARGIN * (columns + 1)) // columns
    for place, seat in enumerate(picture.seats):
        column, line = place // lines, place % lines
        left, top = _MARGIN + column * (width + _MARGIN), _HEAD + line * row
        (_arrange_row if columns == 1 else _arrange_block)(scene, seat, place + 1, left, top, width, row)
    return scene


def _arrange_row(
    scene: Scene, seat: SeatPicture, place: int, left: int, top: int, width: int, row: int
) -> None:
    """The plate on the left, the cards beside it."""
    plate_width = 330
    _arrange_plate(scene, seat, place, left, top + 22, plate_width)
    _arrange_hand(scene, seat, left + plate_width + 20, top + row // 2, width - plate_width - 20, 132)


def _arrange_block(
    scene: Scene, seat: SeatPicture, place: int, left: int, top: int, width: int, row: int
) -> None:
    """The cards above the plate."""
    _arrange_hand(scene, seat, left, top + 54, width, 104)
    _arrange_plate(scene, seat, place, left, top + row - 100, width)


def _arrange_plate(scene: Scene, seat: SeatPicture, place: int, left: int, top: int, width: int) -> None:
    style = "lit" if seat.is_lit else "out" if seat.standing is not Standing.IN else "seat"
    ink = _LIT_TEXT if style == "lit" else _GREY if style == "out" else WHITE
    scene.add(PlateItem((left, top, left + width, top + 92), style))
    room = width - 32
    if seat.is_lit:
        scene.add(SignItem("crown", left + 36, top + 30, 44))
        room -= 48
    name, size = fitted(writable(seat.name, f"№ {place}"), room, 38, 26)
    scene.add(TextItem(name, left + width - 16 - room, top + 30, size, ink))
    if style == "out":
        scene.add(SignItem("cross", left + 34, top + 66, 34))
    total = str(seat.total).replace("-", "−")
    box = round(font(34).getlength(total)) + 28
    scene.add(
        PlateItem(
            (left + width - 12 - box, top + 48, left + width - 12, top + 86),
            "total_lit" if style == "lit" else "total",
        ),
        TextItem(
            total,
            left + width - 12 - box // 2,
            top + 67,
            34,
            _LIT_TEXT if style == "lit" else _GREY if style == "out" else GOLD,
            "mm",
        ),
        TextItem(seat.gain, left + width - 28 - box, top + 67, 32, ink, "rm"),
    )


def _arrange_hand(scene: Scene, seat: SeatPicture, left: int, y: int, width: int, height: int) -> None:
    """The cards from left to right, as far apart as there is room."""
    if not seat.hand:
        return
    card = round(height * 5 / 7)
    step = min(card + 4, (width - card) // max(1, len(seat.hand) - 1))
    scene.add(
        *(CardItem(face, left + card // 2 + step * place, y, height) for place, face in enumerate(seat.hand))
    )
