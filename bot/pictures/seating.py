"""Computes the positions of seats around the table, in playing order, clockwise from the lower edge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

WIDTH: Final = 1000
SEAT_HEIGHT: Final = 158
"""The height of a seat: its cards and, below them, its plate (pixels)."""
_SEAT_WIDTH: Final = 292
_SIDE_WIDTH: Final = 252
"""The width of seats on the left and on the right, which leave room for the piles between them."""
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
"""The numbers of seats at the bottom, on the left, at the top and on the right, by the total number."""
MOST_SEATS: Final = max(_SIDES)


@dataclass(frozen=True, slots=True)
class SeatPosition:
    """A seat's centre and width."""

    x: int
    y: int
    width: int


@dataclass(frozen=True, slots=True)
class Seating:
    """The height of a picture, the positions of the seats, and the middle between them."""

    height: int
    places: tuple[SeatPosition, ...]
    middle: tuple[int, int]


def seat_all(seats: int) -> Seating:
    """Place this many seats, at most `MOST_SEATS`, without overlap."""
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
    """Positions from left to right; one or two leave the corners free."""
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
    """Positions from top to bottom, evenly spaced."""
    return [upper + (lower - upper) * (2 * place + 1) // (2 * count) for place in range(count)]
