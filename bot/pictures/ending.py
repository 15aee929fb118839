"""The end of a match: everybody's place, the chart of the totals, the match's moment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from matplotlib.figure import Figure

from bot.pictures.chart import (
    ONE_AT_A_TIME,
    PALE,
    TITLE_SIZES,
    WIDTH,
    new_figure,
    painted,
    plot,
    width_of,
    write,
)
from bot.pictures.lettering import called, fitted, writable
from bot.screens.picture import EndPicture, PlaceLine

_MARGIN: Final = 60
_HEAD: Final = 108
_ROW: Final = 56
_CHART: Final = 600
_FOOT: Final = 64
_IN_A_COLUMN: Final = 5
"""Places one below the other; more stand in two columns."""
_SIZES: Final = (36, 26)
_NOTE_SIZE: Final = 27
_MOMENT_SIZES: Final = (34, 18)
_GOLD: Final = "#f6c854"
_GAP: Final = 20


def draw_end(picture: EndPicture) -> bytes:
    """The picture as a file."""
    with ONE_AT_A_TIME:
        return _drawn(picture)


def _drawn(picture: EndPicture) -> bytes:
    columns = 1 if len(picture.places) <= _IN_A_COLUMN else 2
    rows = -(-len(picture.places) // columns)
    foot = _FOOT if picture.moment else 0
    height = _HEAD + rows * _ROW + _CHART + foot
    figure = new_figure(height)
    title, size = fitted(
        writable(telling(picture.title, picture.places), "101"), WIDTH - 2 * _MARGIN, 48, TITLE_SIZES[1]
    )
    write(figure, title, _MARGIN, height - 62, size, _GOLD, is_bold=True)
    width = (WIDTH - 2 * _MARGIN) // columns
    for n, place in enumerate(picture.places):
        column, row = divmod(n, rows)
        _write_place(figure, place, _MARGIN + column * width, height - _HEAD - (row + 0.5) * _ROW, width)
    plot(figure, picture.chart, foot, _CHART)
    if picture.moment:
        moment, size = fitted(
            writable(telling(picture.moment, picture.places), ""), WIDTH - 2 * _MARGIN, *_MOMENT_SIZES
        )
        write(figure, moment, WIDTH / 2, _FOOT - 4, size, _GOLD, align="center", is_bold=True)
    return painted(figure)


def telling(text: str, places: Sequence[PlaceLine]) -> str:
    """A line of text that may name these people, in which all are called as they are below it."""
    for place in places:
        if place.name and not writable(place.name, ""):
            text = text.replace(place.name, called(place.name, place.seat))
    return text


def _write_place(figure: Figure, place: PlaceLine, x: float, y: float, width: int) -> None:
    """«1. Аня   34  вылет в раунде 5», in a column that is so wide."""
    colour = _GOLD if place.has_won else "white"
    room = width - 2 * _GAP
    number = f"{place.number}."
    taken = 56 + 2 * _GAP + width_of(place.total, _SIZES[0]) + width_of(place.note, _NOTE_SIZE)
    name, size = fitted(called(place.name, place.seat), room - taken, *_SIZES)
    write(figure, number, x + 44, y, _SIZES[0], colour, align="right", is_bold=True)
    write(figure, name, x + 56, y, size, colour, is_bold=True)
    end = x + 56 + width_of(name, size) + _GAP
    write(figure, place.total, end, y, _SIZES[0], colour, is_bold=True)
    if place.note:
        write(figure, place.note, end + width_of(place.total, _SIZES[0]) + _GAP, y, _NOTE_SIZE, PALE)
