"""Name plates with a player's name and total, the same during a round and at its end."""

from __future__ import annotations

from typing import Final

from bot.pictures.cards import Colour
from bot.pictures.icons import GOLD, GREY, INK_ON_GOLD, WHITE
from bot.pictures.scene import IconItem, PlateItem, Scene, TextItem
from bot.pictures.text import display_name, fitted, font, number
from bot.screens.picture import SeatPicture, Standing

PLATE_HEIGHT: Final = 92
NAME_SIZES: Final = (38, 28)
"""The largest and the smallest font size of names (pixels); longer names are cut."""
NUMBER_SIZE: Final = 34
TITLE_SIZE: Final = 42
"""Font size of the title. Pictures are four times as wide as the narrowest phone displays them."""
LINE: Final = 67
"""The distance from a plate's upper edge to the middle of its second line."""
_NAME_LINE: Final = 27
_PADDING: Final = 16


def style_of(seat: SeatPicture) -> str:
    """The style of a seat's plate."""
    if seat.standing is not Standing.IN:
        return "out"
    return "lit" if seat.is_lit else "away" if seat.is_away else "seat"


def ink_on(style: str) -> Colour:
    """The text colour on a plate of this style."""
    return {"out": GREY, "lit": INK_ON_GOLD}.get(style, WHITE)


def arrange_plate(
    scene: Scene, seat: SeatPicture, ordinal: int, left: int, top: int, width: int, *, icon: str | None = None
) -> int:
    """Add a plate to the scene, and return where the total begins on its second line.

    `icon` precedes the name, and a robot the name of a computer player. A player whose name cannot
    be drawn is shown as their `ordinal` among the seats, counted from 1.
    """
    style = style_of(seat)
    right, line = left + width, top + LINE
    scene.add(PlateItem((left, top, right, top + PLATE_HEIGHT), style))
    begin, end = left + _PADDING, right - _PADDING
    for mark in (icon, "robot" if seat.is_computer else None):
        if mark is not None:
            scene.add(IconItem(mark, begin + 22, top + _NAME_LINE, 46))
            begin += 52
    if style == "away":
        scene.add(IconItem("moon", right - 34, top + 4, 64))
        end -= 36
    name, size = fitted(display_name(seat.name, ordinal - 1), end - begin, *NAME_SIZES)
    scene.add(TextItem(name, begin, top + _NAME_LINE, size, ink_on(style)))
    if style == "out":
        scene.add(IconItem("cross", left + 34, line, 36))
    total = number(seat.total)
    end = right - 12
    begin = end - round(font(NUMBER_SIZE).getlength(total)) - 28
    ink = ink_on(style) if style in ("lit", "out") else GOLD
    scene.add(
        PlateItem((begin, line - 20, end, line + 20), "total_lit" if style == "lit" else "total"),
        TextItem(total, (begin + end) // 2, line, NUMBER_SIZE, ink, "mm"),
    )
    return begin
