"""Where the seats of a table are: around it in playing order, clockwise from the lower edge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

WIDTH: Final = 1000
SEAT_HEIGHT: Final = 158
"""A seat's place: its cards above, its plate below (pixels)."""
_SEAT_WIDTH: Final = 292
_SIDE_WIDTH: Final = 252
"""On the left and on the right, where the piles need room between."""
_MARGIN: Final = 24

_SIDES: Final = {
    1: (1, 0, 0, 0),
    2: (1, 0, 1, 0),
    3: (1, 1, 0, 1),
    4: (1, 1, 1, 1),
    5: (2, 1, 1, 1),
    6: (2, 1, 2, 1),
    7: (3, 1, 2, 1),
    8: (3, 1, 3, 1),
    9: (3, 2, 2, 2),
    10: (3, 2, 3, 2),
}
"""How many sit below, on the left, above and on the right."""
MOST_SEATS: Final = max(_SIDES)


@dataclass(frozen=True, slots=True)
class SeatPosition:
    """A seat's place: its centre and its width."""

    x: int
    y: int
    width: int


@dataclass(frozen=True, slots=True)
class Seating:
    """The size of a picture, each seat's place, and the middle of the cloth between them."""

    height: int
    places: tuple[SeatPosition, ...]
    middle: tuple[int, int]


def seat_all(seats: int) -> Seating:
    """Places for so many seats, at most `MOST_SEATS`. They never overlap."""
    below, left, above, right = _SIDES[seats]
    height = 1000 if left > 1 else 800
    top, bottom = _MARGIN + SEAT_HEIGHT // 2, height - _MARGIN - SEAT_HEIGHT // 2
    upper = top + SEAT_HEIGHT // 2 if above else _MARGIN
    lower = bottom - SEAT_HEIGHT // 2
    left_x, right_x = _MARGIN + _SIDE_WIDTH // 2, WIDTH - _MARGIN - _SIDE_WIDTH // 2
    places = (
        *(SeatPosition(x, bottom, _SEAT_WIDTH) for x in reversed(_along_edge(below))),
        *(SeatPosition(left_x, y, _SIDE_WIDTH) for y in reversed(_along_side(left, upper, lower))),
        *(SeatPosition(x, top, _SEAT_WIDTH) for x in _along_edge(above)),
        *(SeatPosition(right_x, y, _SIDE_WIDTH) for y in _along_side(right, upper, lower)),
    )
    return Seating(height, places, (WIDTH // 2, (upper + lower) // 2))


def _along_edge(count: int) -> list[int]:
    """So many places from left to right; one or two leave the corners free."""
    first, last = _MARGIN + _SEAT_WIDTH // 2, WIDTH - _MARGIN - _SEAT_WIDTH // 2
    match count:
        case 0:
            return []
        case 1:
            return [WIDTH // 2]
        case 2:
            return [first + 96, last - 96]
        case _:
            return [first + (last - first) * place // (count - 1) for place in range(count)]


def _along_side(count: int, upper: int, lower: int) -> list[int]:
    """So many places from top to bottom, evenly."""
    return [upper + (lower - upper) * (2 * place + 1) // (2 * count) for place in range(count)]
