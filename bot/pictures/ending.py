"""Draws the end of a match: the ranking, the chart of totals, the highlight."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from matplotlib.figure import Figure

from bot.pictures.chart import TITLE_SIZES, plot
from bot.pictures.figure import (
    MATPLOTLIB_LOCK,
    PALE,
    WIDTH,
    mark_room,
    new_figure,
    render,
    write,
    write_name,
)
from bot.pictures.text import display_name, fitted, fitted_together, width_of, writable, writable_line
from bot.screens.picture import EndPicture, PlaceLine

_MARGIN: Final = 60
_HEAD: Final = 108
_ROW: Final = 56
_CHART: Final = 600
_FOOT: Final = 64
_IN_A_COLUMN: Final = 5
"""The most places in one column; more are shown in two columns."""
_SIZES: Final = (36, 26)
_NOTE_SIZE: Final = 26
_MOMENT_SIZES: Final = (34, 18)
_GOLD: Final = "#f6c854"
_NUMBER: Final = 56
"""The width of the places' numbers, between a column's left edge and the names."""
_GAP: Final = 18


def draw_end(picture: EndPicture) -> bytes:
    """Return the picture as a JPEG file."""
    with MATPLOTLIB_LOCK:
        return _drawn(picture)


def _drawn(picture: EndPicture) -> bytes:
    columns = 1 if len(picture.places) <= _IN_A_COLUMN else 2
    rows = -(-len(picture.places) // columns)
    foot = _FOOT if picture.moment else 0
    height = _HEAD + rows * _ROW + _CHART + foot
    figure = new_figure(height)
    title, size = fitted(
        writable_line(with_display_names(picture.title, picture.places), "101"),
        WIDTH - 2 * _MARGIN,
        48,
        TITLE_SIZES[1],
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
            writable_line(with_display_names(picture.moment, picture.places), ""),
            WIDTH - 2 * _MARGIN,
            *_MOMENT_SIZES,
        )
        write(figure, moment, WIDTH / 2, _FOOT - 4, size, _GOLD, align="center", is_bold=True)
    return render(figure)


def with_display_names(text: str, places: Sequence[PlaceLine]) -> str:
    """Replace the names in a text by their display names, as in the ranking."""
    for place in places:
        if place.name and not writable(place.name, ""):
            text = text.replace(place.name, display_name(place.name, place.seat))
    return text


def _fitted_names(places: Sequence[PlaceLine], width: int) -> tuple[Sequence[str], int]:
    """The names, cut to fit a column of this width, and their common size."""

    def room(place: PlaceLine, size: int) -> int:
        note = _GAP + width_of(place.note, _NOTE_SIZE) if place.note else 0
        taken = mark_room(size, is_computer=place.is_computer) + _GAP + width_of(place.total, size) + note
        return width - _NUMBER - taken

    return fitted_together(
        [display_name(place.name, place.seat) for place in places],
        lambda size: [room(place, size) for place in places],
        *_SIZES,
    )


def _write_place(figure: Figure, place: PlaceLine, name: str, x: float, y: float, size: int) -> None:
    """Write a line of the ranking: «1. Аня   34  ✖ р. 5»."""
    colour = _GOLD if place.has_won else "white"
    write(figure, f"{place.number}.", x + _NUMBER - 12, y, size, colour, align="right", is_bold=True)
    end = _GAP + write_name(figure, name, x + _NUMBER, y, size, colour, is_computer=place.is_computer)
    write(figure, place.total, end, y, size, colour, is_bold=True)
    if place.note:
        write(figure, place.note, end + width_of(place.total, size) + _GAP, y, _NOTE_SIZE, PALE)
