"""Where the seats of a table are: around it in playing order, clockwise from the lower edge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

WIDTH: Final = 1000
SEAT_WIDTH, SEAT_HEIGHT = 288, 158
"""A seat's place: its cards above, its plate below (pixels)."""
PLATE_HEIGHT: Final = 92
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
class Seating:
    """The size of a picture, each seat's centre, and the middle of the cloth between them."""

    height: int
    centres: tuple[tuple[int, int], ...]
    middle: tuple[int, int]


def seat_all(seats: int) -> Seating:
    """Places for so many seats, at most `MOST_SEATS`. They never overlap."""
    below, left, above, right = _SIDES[seats]
    tall = max(left, right)
    height = 780 if tall < 2 else 980
    if not tall:
        height = 720
    top, bottom = _MARGIN + SEAT_HEIGHT // 2, height - _MARGIN - SEAT_HEIGHT // 2
    left_x, right_x = _MARGIN + SEAT_WIDTH // 2, WIDTH - _MARGIN - SEAT_WIDTH // 2
    upper = top + SEAT_HEIGHT // 2 if above else _MARGIN
    lower = bottom - SEAT_HEIGHT // 2
    centres = [
        *((x, bottom) for x in reversed(_spread(below, left_x, right_x))),
        *((left_x, y) for y in reversed(_between(left, upper, lower))),
        *((x, top) for x in _spread(above, left_x, right_x)),
        *((right_x, y) for y in _between(right, upper, lower)),
    ]
    return Seating(height, tuple(centres), (WIDTH // 2, (upper + lower) // 2))


def _spread(count: int, first: int, last: int) -> list[int]:
    """So many places along an edge; two leave its corners free."""
    if count == 1:
        return [(first + last) // 2]
    if count == 2:
        inset = (last - first) // 8
        return [first + inset, last - inset]
    return [first + (last - first) * place // max(1, count - 1) for place in range(count)]


def _between(count: int, upper: int, lower: int) -> list[int]:
    """So many places along a side, evenly."""
    return [upper + (lower - upper) * (2 * place + 1) // (2 * count) for place in range(count)]
