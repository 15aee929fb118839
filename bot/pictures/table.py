"""The picture of a table from above: piles in the middle, seats around. For a round's end see `round_end`."""

from __future__ import annotations

import math
from typing import Final

from bot.pictures.cards import RATIO, Colour
from bot.pictures.icons import PALE, WHITE
from bot.pictures.name_plates import (
    LINE,
    NUMBER_SIZE,
    PLATE_HEIGHT,
    TITLE_SIZE,
    arrange_plate,
    ink_on,
    style_of,
)
from bot.pictures.painting import paint
from bot.pictures.round_end import arrange_round_end
from bot.pictures.scene import CardItem, IconItem, PlateItem, Scene, TextItem
from bot.pictures.seating import MOST_SEATS, SEAT_HEIGHT, WIDTH, Seating, SeatPosition, seat_all
from bot.pictures.text import font
from bot.screens.picture import SeatPicture, Standing, TablePicture

TOP_HEIGHT: Final = 238
"""The height of the top card (pixels)."""
STOCK_HEIGHT: Final = 168
HELD_HEIGHT: Final = 90
MOST_HELD: Final = 10
"""The most backs drawn for a hand; the number of cards is written next to them."""
_ANGLES: Final = (-10, 7, 0)
"""The angles of the cards in the discard pile, the top card last."""
_RING: Final = 452
_COUNT_BELOW: Final = 24
"""The part (pixels) of a pile's number of cards that extends below it."""


def draw_table(picture: TablePicture) -> bytes:
    """Return the picture as a JPEG file."""
    return paint(arrange(picture))


def arrange(picture: TablePicture) -> Scene:
    """Arrange the picture as a scene."""
    if picture.is_over:
        return arrange_round_end(picture)
    seats = picture.seats[:MOST_SEATS]
    seating = seat_all(len(seats))
    scene = Scene(WIDTH, seating.height, picture.four_colours)
    _arrange_middle(scene, picture, seating)
    for ordinal, (seat, place) in enumerate(zip(seats, seating.places, strict=True), start=1):
        _arrange_seat(scene, seat, ordinal, place)
    return scene


# ------------------------------------------------------------------------------------------------ the middle


def _arrange_middle(scene: Scene, picture: TablePicture, seating: Seating) -> None:
    x, y = seating.middle
    y -= 6
    if picture.direction is not None:
        scene.add(IconItem("clockwise" if picture.direction == 1 else "counter", x, y, _RING))
    stock_x, pile_x = x - 112, x + 68
    _arrange_stock(scene, picture, stock_x, y + 8)
    _arrange_title(scene, picture.title, seating)
    if picture.laid_by is not None and picture.laid_by < len(seating.places) and not picture.is_asleep:
        _arrange_path(scene, seating.places[picture.laid_by], (pile_x, y), around=stock_x)
    _arrange_pile(scene, picture, pile_x, y)
    if picture.is_asleep:
        scene.add(IconItem("moon", stock_x, y - 4, 150))


def _arrange_title(scene: Scene, title: str, seating: Seating) -> None:
    """Put the title above the bottom seats, to the left if the middle is on the path of a played card."""
    x, _ = seating.middle
    lower = seating.places[0].y - SEAT_HEIGHT // 2
    is_on_path = any(place.x == x and place.y > lower for place in seating.places)
    scene.add(TextItem(title, x, lower - 34, TITLE_SIZE, PALE, "rm" if is_on_path else "mm"))


def _arrange_stock(scene: Scene, picture: TablePicture, x: int, y: int) -> None:
    if picture.stock is None:
        return
    if picture.stock:
        layers = 1 + min(3, picture.stock // 6)
        scene.add(*(CardItem(None, x - 3 * layer, y - 3 * layer, STOCK_HEIGHT) for layer in range(layers)))
    else:
        scene.add(IconItem("slot", x, y, STOCK_HEIGHT))
    _arrange_count(scene, picture.stock, x, y + STOCK_HEIGHT // 2 + 2)


def _arrange_pile(scene: Scene, picture: TablePicture, x: int, y: int) -> None:
    """Arrange the last cards of the discard pile, and on the top one what it demands."""
    if not picture.discard:
        scene.add(IconItem("slot", x, y, TOP_HEIGHT))
    cards = picture.discard[-len(_ANGLES) :]
    for below, face in zip(range(len(cards) - 1, -1, -1), cards, strict=True):
        scene.add(CardItem(face, x - 6 * below, y + 2 * below, TOP_HEIGHT, _ANGLES[-1 - below]))
    if picture.discarded > 1:
        _arrange_count(scene, picture.discarded, x, y + TOP_HEIGHT // 2 + 4)
    corner = x + 84, y - TOP_HEIGHT // 2 + 24
    if picture.ordered is not None:
        scene.add(IconItem("ordered", *corner, 122, picture.ordered))
    elif picture.must_cover:
        scene.add(IconItem("cover", *corner, 122))
    if picture.attack:
        box = (x + 26, y + 34, x + 142, y + 112)
        scene.add(PlateItem(box, "alarm"), TextItem(f"+{picture.attack}", x + 84, y + 72, 58, WHITE, "mm"))


def _arrange_count(scene: Scene, count: int, x: int, y: int) -> None:
    """Put the number of cards on a pile's lower edge."""
    text = str(count)
    half = max(28, round(font(NUMBER_SIZE).getlength(text)) // 2 + 14)
    scene.add(
        PlateItem((x - half, y - 21, x + half, y + 21), "count"),
        TextItem(text, x, y, NUMBER_SIZE, WHITE, "mm"),
    )


def _arrange_path(scene: Scene, start: SeatPosition, end: tuple[int, int], *, around: int) -> None:
    """Arrange the path of the last card, from its player to the pile: dots along a curve and an arrow head.

    The path goes around the stock, whose centre is at x = `around`.
    """
    (x0, y0), (x2, y2) = (start.x, start.y), end
    distance = math.hypot(x2 - x0, y2 - y0)
    if x0 < around:
        x1, y1 = float(around), y2 - 1.1 * TOP_HEIGHT
    else:
        x1, y1 = max(x0, x2) + 0.12 * distance, (y0 + y2) / 2

    def at(t: float) -> tuple[float, float]:
        return (
            (1 - t) ** 2 * x0 + 2 * t * (1 - t) * x1 + t**2 * x2,
            (1 - t) ** 2 * y0 + 2 * t * (1 - t) * y1 + t**2 * y2,
        )

    half_width, half_height = TOP_HEIGHT * RATIO / 2 + 24, TOP_HEIGHT / 2 + 24

    def is_on_pile(t: float) -> bool:
        x, y = at(t)
        return abs(x - x2) < half_width and -half_height < y - y2 < half_height + _COUNT_BELOW

    last = next(step / 200 for step in range(201) if is_on_pile(step / 200))
    steps = max(4, round(distance * last / 30))
    for step in range(steps):
        x, y = at(last * step / steps)
        scene.add(IconItem("dot", round(x), round(y), 10 + round(8 * step / steps)))
    (x, y), (next_x, next_y) = at(last), at(last + 0.03)
    heading = math.degrees(math.atan2(y - next_y, next_x - x))
    scene.add(IconItem("head", round(x), round(y), 40, angle=round(heading / 5) * 5))


# ------------------------------------------------------------------------------------------------- the seats


def _arrange_seat(scene: Scene, seat: SeatPicture, ordinal: int, place: SeatPosition) -> None:
    left, top = place.x - place.width // 2, place.y - SEAT_HEIGHT // 2
    plate_top = top + SEAT_HEIGHT - PLATE_HEIGHT
    is_in = seat.standing is Standing.IN
    if is_in:
        _arrange_fan(scene, seat.cards, place, top + HELD_HEIGHT // 2 + 4)
    arrange_plate(scene, seat, ordinal, left, plate_top, place.width)
    if is_in:
        _arrange_held(scene, seat.cards, left + 16, plate_top + LINE, ink_on(style_of(seat)))


def _arrange_held(scene: Scene, cards: int, x: int, y: int, ink: Colour) -> None:
    """Put the number of cards that a player holds; a last card is emphasized."""
    scene.add(CardItem(None, x + 13, y, 38))
    if cards == 1:
        scene.add(
            PlateItem((x + 36, y - 20, x + 98, y + 20), "alarm"),
            TextItem("1!", x + 67, y, NUMBER_SIZE, WHITE, "mm"),
        )
    else:
        scene.add(TextItem(str(cards), x + 38, y, NUMBER_SIZE, ink))


def _arrange_fan(scene: Scene, cards: int, place: SeatPosition, y: int) -> None:
    """Arrange backs in a fan, like cards in a hand."""
    shown = min(cards, MOST_HELD)
    step = min(30, (place.width - 76) // max(1, shown))
    tilt = min(5.0, 40 / max(1, shown))
    for card in range(shown):
        off = card - (shown - 1) / 2
        sunk = round(abs(off * tilt) ** 1.35 * 0.3)
        scene.add(CardItem(None, round(place.x + off * step), y + sunk, HELD_HEIGHT, round(-off * tilt)))
