"""The table in a round, from above: piles in the middle, seats around; at a round's end see `laid_open`."""

from __future__ import annotations

import math
from typing import Final

from bot.pictures.laid_open import arrange_laid_open
from bot.pictures.lettering import fitted, font, writable
from bot.pictures.painting import paint
from bot.pictures.scene import CardItem, PlateItem, Scene, SignItem, TextItem
from bot.pictures.seating import MOST_SEATS, PLATE_HEIGHT, SEAT_HEIGHT, SEAT_WIDTH, WIDTH, Seating, seat_all
from bot.pictures.signs import DARK, GOLD, PALE, WHITE
from bot.screens.picture import SeatPicture, Standing, TablePicture

TOP_HEIGHT: Final = 236
"""Of the top card."""
PILE_HEIGHT: Final = 168
HELD_HEIGHT: Final = 88
MOST_HELD: Final = 12
"""Backs that are drawn of a hand; its number is written beside."""
NAME_SIZES: Final = (38, 26)
NUMBER_SIZE: Final = 32
_GREY: Final = (150, 160, 156)
_LIT_TEXT: Final = (60, 40, 8)
_ANGLES: Final = (-9, 7, -4, 0)
"""Of the cards in the discard pile, the top one last."""


def draw_table(picture: TablePicture) -> bytes:
    """The picture as a file."""
    return paint(arrange(picture))


def arrange(picture: TablePicture) -> Scene:
    """What is to be seen where."""
    if picture.is_over:
        return arrange_laid_open(picture)
    seats = picture.seats[:MOST_SEATS]
    seating = seat_all(len(seats))
    scene = Scene(WIDTH, seating.height, picture.four_colours)
    _arrange_middle(scene, picture, seating)
    for place, (seat, (x, y)) in enumerate(zip(seats, seating.centres, strict=True), start=1):
        _arrange_seat(scene, seat, place, x, y)
    return scene


# ------------------------------------------------------------------------------------------------ the middle


def _arrange_middle(scene: Scene, picture: TablePicture, seating: Seating) -> None:
    x, y = seating.middle
    y -= 8
    if picture.direction is not None:
        scene.add(SignItem("clockwise" if picture.direction == 1 else "counter", x, y, 440))
    stock_x, pile_x = x - 118, x + 70
    if picture.stock:
        depth = 1 + min(3, picture.stock // 6)
        scene.add(
            *(CardItem(None, stock_x - 3 * layer, y + 12 - 3 * layer, PILE_HEIGHT) for layer in range(depth))
        )
    else:
        scene.add(SignItem("slot", stock_x, y + 12, PILE_HEIGHT))
    if picture.stock is not None:
        _arrange_count(scene, str(picture.stock), stock_x, y + 12 + PILE_HEIGHT // 2 + 2)
    if picture.laid_by is not None and picture.laid_by < len(seating.centres):
        _arrange_flight(scene, seating.centres[picture.laid_by], (pile_x, y))
    if not picture.discard:
        scene.add(SignItem("slot", pile_x, y, TOP_HEIGHT))
    first = len(_ANGLES) - len(picture.discard)
    for depth, face in enumerate(picture.discard[-len(_ANGLES) :], start=max(0, first)):
        below = len(_ANGLES) - 1 - depth
        scene.add(CardItem(face, pile_x - 5 * below, y + 2 * below, TOP_HEIGHT, _ANGLES[depth]))
    if picture.must_cover:
        scene.add(SignItem("slot", pile_x + 26, y + 22, TOP_HEIGHT))
    if picture.discarded > 1:
        _arrange_count(scene, str(picture.discarded), pile_x, y + TOP_HEIGHT // 2 + 6)
    corner_x, corner_y = pile_x + 82, y - TOP_HEIGHT // 2 + 22
    if picture.ordered is not None:
        scene.add(SignItem("ordered", corner_x, corner_y, 116, picture.ordered))
    if picture.attack:
        box = (pile_x + 34, y + 46, pile_x + 134, y + 116)
        scene.add(
            PlateItem(box, "alarm"), TextItem(f"+{picture.attack}", pile_x + 84, y + 81, 50, WHITE, "mm")
        )
    if picture.is_asleep:
        scene.add(SignItem("moon", x - 4, y - 16, 190))
    scene.add(TextItem(picture.title, x, y + TOP_HEIGHT // 2 + 52, 28, PALE, "mm", is_faint=True))


def _arrange_count(scene: Scene, text: str, x: int, y: int) -> None:
    half = max(28, round(font(NUMBER_SIZE).getlength(text)) // 2 + 14)
    scene.add(
        PlateItem((x - half, y - 21, x + half, y + 21), "count"),
        TextItem(text, x, y, NUMBER_SIZE, WHITE, "mm"),
    )


def _arrange_flight(scene: Scene, start: tuple[int, int], end: tuple[int, int]) -> None:
    """The way of the last card, from who has laid it to the pile: dots along a bow, and an arrow's head."""
    (x0, y0), (x2, y2) = start, end
    distance = math.hypot(x2 - x0, y2 - y0) or 1.0
    bow = 0.18 * distance
    x1, y1 = (x0 + x2) / 2 - (y2 - y0) / distance * bow, (y0 + y2) / 2 + (x2 - x0) / distance * bow
    steps = max(6, round(distance / 26))
    for step in range(steps):
        t = step / steps
        x = (1 - t) ** 2 * x0 + 2 * t * (1 - t) * x1 + t**2 * x2
        y = (1 - t) ** 2 * y0 + 2 * t * (1 - t) * y1 + t**2 * y2
        scene.add(SignItem("dot", round(x), round(y), 7 + round(9 * t)))


# ------------------------------------------------------------------------------------------------- the seats


def _arrange_seat(scene: Scene, seat: SeatPicture, place: int, x: int, y: int) -> None:
    top, bottom = y - SEAT_HEIGHT // 2, y + SEAT_HEIGHT // 2
    left, right = x - SEAT_WIDTH // 2, x + SEAT_WIDTH // 2
    plate_top = bottom - PLATE_HEIGHT
    if seat.standing is Standing.IN:
        _arrange_fan(scene, seat.cards, x, top + HELD_HEIGHT // 2 + 4)
    style = (
        "out"
        if seat.standing is not Standing.IN
        else "lit"
        if seat.is_lit
        else "away"
        if seat.is_away
        else "seat"
    )
    scene.add(PlateItem((left, plate_top, right, bottom), style))
    ink = _GREY if style == "out" else _LIT_TEXT if style == "lit" else WHITE
    room = SEAT_WIDTH - 32
    if seat.is_away:
        scene.add(SignItem("moon", right - 34, plate_top + 4, 60))
        room -= 30
    name, size = fitted(writable(seat.name, f"№ {place}"), room, *NAME_SIZES)
    scene.add(TextItem(name, left + 16, plate_top + 28, size, ink))
    line = plate_top + 68
    if seat.standing is Standing.IN:
        _arrange_held(scene, seat, left + 16, line, style)
    else:
        scene.add(SignItem("cross", left + 34, line, 34))
    total = str(seat.total).replace("-", "−")
    width = round(font(NUMBER_SIZE).getlength(total)) + 28
    scene.add(
        PlateItem(
            (right - 12 - width, line - 20, right - 12, line + 20), "total_lit" if style == "lit" else "total"
        ),
        TextItem(
            total,
            right - 12 - width // 2,
            line,
            NUMBER_SIZE,
            _LIT_TEXT if style == "lit" else GOLD if style != "out" else _GREY,
            "mm",
        ),
    )


def _arrange_held(scene: Scene, seat: SeatPicture, x: int, y: int, style: str) -> None:
    """How many cards he holds; the last one is cried out."""
    scene.add(CardItem(None, x + 13, y, 38))
    text = str(seat.cards)
    if seat.cards == 1:
        scene.add(
            PlateItem((x + 36, y - 20, x + 96, y + 20), "alarm"),
            TextItem("1!", x + 66, y, NUMBER_SIZE, WHITE, "mm"),
        )
    else:
        scene.add(TextItem(text, x + 38, y, NUMBER_SIZE, DARK if style == "lit" else WHITE))


def _arrange_fan(scene: Scene, cards: int, x: int, y: int) -> None:
    """Backs side by side, turned like the cards in a hand."""
    shown = min(cards, MOST_HELD)
    step = min(30, (SEAT_WIDTH - 80) // max(1, shown))
    tilt = min(5.0, 36 / max(1, shown))
    for card in range(shown):
        off = card - (shown - 1) / 2
        scene.add(
            CardItem(
                None,
                round(x + off * step),
                round(y + abs(off * tilt) ** 1.35 * 0.35),
                HELD_HEIGHT,
                round(-off * tilt),
            )
        )
