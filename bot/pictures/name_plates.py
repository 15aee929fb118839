"""The plate with somebody's name and total, which looks the same in a round and at its end."""

from __future__ import annotations

from typing import Final

from bot.pictures.cards import Colour
from bot.pictures.icons import GOLD, GREY, INK_ON_GOLD, WHITE
from bot.pictures.scene import PlateItem, Scene, SignItem, TextItem
from bot.pictures.text import called, fitted, font, number
from bot.screens.picture import SeatPicture, Standing

PLATE_HEIGHT: Final = 92
NAME_SIZES: Final = (38, 28)
"""Names are written as large as fits between these (pixels), then cut."""
NUMBER_SIZE: Final = 34
TITLE_SIZE: Final = 42
"""A picture is drawn four times as wide as the narrowest phone shows it."""
LINE: Final = 67
"""From a plate's upper edge to the middle of its second line."""
_NAME_LINE: Final = 27
_PADDING: Final = 16


def style_of(seat: SeatPicture) -> str:
    """Which plate a seat has."""
    if seat.standing is not Standing.IN:
        return "out"
    return "lit" if seat.is_lit else "away" if seat.is_away else "seat"


def ink_on(style: str) -> Colour:
    """What is written in on such a plate."""
    return {"out": GREY, "lit": INK_ON_GOLD}.get(style, WHITE)


def arrange_plate(
    scene: Scene, seat: SeatPicture, ordinal: int, left: int, top: int, width: int, *, sign: str | None = None
) -> int:
    """A plate; before the name stands `sign`, and a robot's head before a computer player's.

    Returns where the total begins on the second line.

    Whose name cannot be written is called by his `ordinal` among the seats, from 1 on.
    """
    style = style_of(seat)
    right, line = left + width, top + LINE
    scene.add(PlateItem((left, top, right, top + PLATE_HEIGHT), style))
    begin, end = left + _PADDING, right - _PADDING
    for mark in (sign, "robot" if seat.is_computer else None):
        if mark is not None:
            scene.add(SignItem(mark, begin + 22, top + _NAME_LINE, 46))
            begin += 52
    if style == "away":
        scene.add(SignItem("moon", right - 34, top + 4, 64))
        end -= 36
    name, size = fitted(called(seat.name, ordinal - 1), end - begin, *NAME_SIZES)
    scene.add(TextItem(name, begin, top + _NAME_LINE, size, ink_on(style)))
    if style == "out":
        scene.add(SignItem("cross", left + 34, line, 36))
    total = number(seat.total)
    end = right - 12
    begin = end - round(font(NUMBER_SIZE).getlength(total)) - 28
    ink = ink_on(style) if style in ("lit", "out") else GOLD
    scene.add(
        PlateItem((begin, line - 20, end, line + 20), "total_lit" if style == "lit" else "total"),
        TextItem(total, (begin + end) // 2, line, NUMBER_SIZE, ink, "mm"),
    )
    return begin
