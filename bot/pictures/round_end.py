"""The picture of a round's end: everybody's cards face up, the points, and the totals."""

from __future__ import annotations

from typing import Final

from bot.pictures.cards import RATIO
from bot.pictures.icons import PALE
from bot.pictures.name_plates import (
    LINE,
    NUMBER_SIZE,
    PLATE_HEIGHT,
    TITLE_SIZE,
    arrange_plate,
    ink_on,
    style_of,
)
from bot.pictures.scene import CardItem, Scene, TextItem
from bot.pictures.seating import WIDTH
from bot.screens.picture import SeatPicture, TablePicture

MOST_ROWS: Final = 5
"""The most seats with a row each; more are shown in two columns."""
_PLATE_WIDTH: Final = 336
_ROW, _BLOCK = 152, 178
_ROW_CARD, _BLOCK_CARD = 134, 112
_HEAD, _MARGIN = 64, 24
_TILT: Final = 4
"""The step between the angles of a fan's cards (degrees), so that few angles of each card are drawn."""


def arrange_round_end(picture: TablePicture) -> Scene:
    """Arrange a row or a block for each seat, in seating order."""
    columns = 1 if len(picture.seats) <= MOST_ROWS else 2
    lines = -(-len(picture.seats) // columns)
    row = _ROW if columns == 1 else _BLOCK
    scene = Scene(WIDTH, max(480, _HEAD + lines * row + _MARGIN), picture.four_colours)
    scene.add(TextItem(picture.title, WIDTH // 2, _HEAD // 2 + 8, TITLE_SIZE, PALE, "mm"))
    width = (WIDTH - _MARGIN * (columns + 1)) // columns
    first = _HEAD + (scene.height - _HEAD - _MARGIN - lines * row) // 2
    for ordinal, seat in enumerate(picture.seats):
        column, line = divmod(ordinal, lines)
        left, top = _MARGIN + column * (width + _MARGIN), first + line * row
        if columns == 1:
            beside = left + _PLATE_WIDTH + 24
            _arrange_seat(scene, seat, ordinal + 1, left, top + (row - PLATE_HEIGHT) // 2, _PLATE_WIDTH)
            _arrange_hand(scene, seat, beside, top + row // 2, left + width - beside, _ROW_CARD)
        else:
            _arrange_hand(scene, seat, left, top + _BLOCK_CARD // 2 + 2, width, _BLOCK_CARD)
            _arrange_seat(scene, seat, ordinal + 1, left, top + row - PLATE_HEIGHT - 12, width)
    return scene


def _arrange_seat(scene: Scene, seat: SeatPicture, ordinal: int, left: int, top: int, width: int) -> None:
    begin = arrange_plate(scene, seat, ordinal, left, top, width, icon="crown" if seat.is_lit else None)
    ink = ink_on(style_of(seat))
    scene.add(TextItem(seat.gain, begin - 16, top + LINE, NUMBER_SIZE, ink, "rm"))


def _arrange_hand(scene: Scene, seat: SeatPicture, left: int, y: int, width: int, height: int) -> None:
    """Arrange cards from left to right, as far apart as there is room; a few cards form a fan."""
    card = round(height * RATIO)
    between = (width - card - 8) // max(1, len(seat.hand) - 1)
    step = min(card + 4, between)
    is_fan = step > card * 0.6
    for place, face in enumerate(seat.hand):
        off = place - (len(seat.hand) - 1) / 2
        sunk = round(abs(off) ** 1.6 * 1.8) if is_fan else 0
        angle = max(-2, min(2, round(-off * 0.8))) * _TILT if is_fan else 0
        scene.add(CardItem(face, left + card // 2 + 4 + step * place, y + sunk, height, angle))
