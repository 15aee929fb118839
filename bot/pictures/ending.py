"""The end of a match: everybody's place, the chart of the totals, the match's moment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from matplotlib.figure import Figure

from bot.pictures.chart import TITLE_SIZES, plot
from bot.pictures.figure import (
    ONE_AT_A_TIME,
    PALE,
    WIDTH,
    mark_room,
    new_figure,
    painted,
    write,
    write_name,
)
from bot.pictures.text import called, fitted, fitted_together, width_of, writable, writable_line
from bot.screens.picture import EndPicture, PlaceLine

_MARGIN: Final = 60
_HEAD: Final = 108
_ROW: Final = 56
_CHART: Final = 600
_FOOT: Final = 64
_IN_A_COLUMN: Final = 5
"""Places one below the other; more stand in two columns."""
_SIZES: Final = (36, 26)
_NOTE_SIZE: Final = 26
_MOMENT_SIZES: Final = (34, 18)
_GOLD: Final = "#f6c854"
_NUMBER: Final = 56
"""From a column's left edge to the names, which stand behind their places' numbers."""
_GAP: Final = 18


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
        writable_line(telling(picture.title, picture.places), "101"), WIDTH - 2 * _MARGIN, 48, TITLE_SIZES[1]
    )
    write(figure, title, _MARGIN, height - 62, size, _GOLD, is_bold=True)
    width = (WIDTH - 2 * _MARGIN) // columns
    names, size = _fitted_names(picture.places, width if columns == 1 else width - _GAP)
    for n, (place, name) in enumerate(zip(picture.places, names, strict=True)):
        column, row = divmod(n, rows)
        _write_place(figure, place, name, _MARGIN + column * width, height - _HEAD - (row + 0.5) * _ROW, size)
    plot(figure, picture.chart, foot, _CHART)
    if picture.moment:
        moment, size = fitted(
            writable_line(telling(picture.moment, picture.places), ""), WIDTH - 2 * _MARGIN, *_MOMENT_SIZES
        )
        write(figure, moment, WIDTH / 2, _FOOT - 4, size, _GOLD, align="center", is_bold=True)
    return painted(figure)


def telling(text: str, places: Sequence[PlaceLine]) -> str:
    """A line of text that may name these people, in which all are called as they are below it."""
    for place in places:
        if place.name and not writable(place.name, ""):
            text = text.replace(place.name, called(place.name, place.seat))
    return text


def _fitted_names(places: Sequence[PlaceLine], width: int) -> tuple[Sequence[str], int]:
    """The names as they are written in a column that is so wide, and the size of all."""

    def room(place: PlaceLine, size: int) -> int:
        note = _GAP + width_of(place.note, _NOTE_SIZE) if place.note else 0
        taken = mark_room(size, is_computer=place.is_computer) + _GAP + width_of(place.total, size) + note
        return width - _NUMBER - taken

    return fitted_together(
        [called(place.name, place.seat) for place in places],
        lambda size: [room(place, size) for place in places],
        *_SIZES,
    )


def _write_place(figure: Figure, place: PlaceLine, name: str, x: float, y: float, size: int) -> None:
    """«1. Аня   34  ✖ р. 5»."""
    colour = _GOLD if place.has_won else "white"
    write(figure, f"{place.number}.", x + _NUMBER - 12, y, size, colour, align="right", is_bold=True)
    end = _GAP + write_name(figure, name, x + _NUMBER, y, size, colour, is_computer=place.is_computer)
    write(figure, place.total, end, y, size, colour, is_bold=True)
    if place.note:
        write(figure, place.note, end + width_of(place.total, size) + _GAP, y, _NOTE_SIZE, PALE)
