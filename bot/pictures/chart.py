"""Draws the chart of a match: everybody's totals over its rounds.

Lines differ in their markers and have names at their ends, so colour is not needed to distinguish them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke
from matplotlib.ticker import MaxNLocator

from bot.pictures.figure import (
    DPI,
    MATPLOTLIB_LOCK,
    PALE,
    WIDTH,
    mark_room,
    new_figure,
    render,
    write,
    write_name,
)
from bot.pictures.text import display_name, fitted, fitted_together, width_of, writable_line
from bot.screens.picture import ChartLine, ChartPicture, Standing

HEIGHT: Final = 760
_HEAD: Final = 44

LABEL_SIZES: Final = (34, 26)
"""Font sizes (pixels) of the names at the lines' ends: the largest, and the smallest before names are cut."""
TITLE_SIZES: Final = (40, 24)
_TICKS: Final = 29
_LIMIT_SIZE: Final = 40
_LABEL_ROOM: Final = 276
_LABEL_GAP: Final = 1.28
"""The distance between two labels, in text heights."""
_LEFT, _RIGHT, _TOP, _BOTTOM = 108, 636, 84, 92
"""The edges of the axes in pixels: the first two from the left, then from the top and from the bottom."""
_MOST_MARKERS: Final = 12

COLOURS: Final = (
    "#ffd166",
    "#ffffff",
    "#ff9eb5",
    "#7fd8ff",
    "#ffa94d",
    "#c7f464",
    "#d0bfff",
    "#ff7b72",
    "#66ffe0",
    "#e3cfa4",
)
"""By seat; all of them light, since the felt is dark."""
MARKERS: Final = ("o", "s", "^", "D", "v", "P", "*", "X", "<", "p")
_SIGNS: Final = {Standing.IN: "", Standing.OUT: "✖", Standing.LEFT: "⇥"}
_ALARM: Final = "#ff5c5c"
_SHADE: Final = "#06231a"


@dataclass(frozen=True, slots=True)
class Label:
    """The label at a line's end.

    `size` is in pixels; `end` is the height of the line's end and `at` that of the label, in pixels from the
    lower edge.
    """

    name: str
    total: str
    size: int
    end: float
    at: float


def draw_chart(picture: ChartPicture) -> bytes:
    """Return the chart as a JPEG file."""
    with MATPLOTLIB_LOCK:
        figure = new_figure(HEIGHT)
        title, size = fitted(writable_line(picture.title, "101"), WIDTH - 120, *TITLE_SIZES)
        write(figure, title, 60, HEIGHT - 56, size, "white", is_bold=True)
        plot(figure, picture, 0, HEIGHT - _HEAD)
        return render(figure)


def plot(figure: Figure, picture: ChartPicture, bottom: int, height: int) -> None:
    """Draw the chart into the part of a figure that begins at `bottom` and is `height` pixels high."""
    whole = figure.get_figheight() * DPI
    low, high = bottom + _BOTTOM, bottom + height - _TOP
    axes = figure.add_axes(
        (_LEFT / WIDTH, low / whole, (_RIGHT - _LEFT) / WIDTH, (high - low) / whole), facecolor="none"
    )
    _style_axes(axes, picture)
    for number, line in enumerate(picture.lines):
        _draw_line(axes, line, number, picture.rounds)
    for number, label in enumerate(labels(picture.lines, scale(picture), low, high)):
        _draw_label(figure, axes, picture.lines[number], label, number)


def scale(picture: ChartPicture) -> tuple[float, float]:
    """The lowest and the highest total on the vertical axis."""
    totals = [total for line in picture.lines for _, total in line.totals]
    lowest, highest = min([0, *totals]), max([picture.limit, *totals])
    room = 0.06 * (highest - lowest)
    return lowest - (room if lowest < 0 else room / 2), highest + room


def labels(
    lines: Sequence[ChartLine], totals: tuple[float, float], low: float, high: float
) -> tuple[Label, ...]:
    """The labels at the lines' ends, one for each line, far enough apart to be readable.

    `totals` are the totals at the heights `low` and `high` (pixels).
    """
    total_texts = [total_text(line) for line in lines]

    def rooms(size: int) -> list[int]:
        return [
            _LABEL_ROOM - mark_room(size, is_computer=line.is_computer) - width_of(told, size)
            for line, told in zip(lines, total_texts, strict=True)
        ]

    names, size = fitted_together([display_name(line.name, line.seat) for line in lines], rooms, *LABEL_SIZES)
    gap = min(_LABEL_GAP * size, (high - low) / max(1, len(lines) - 1))
    bottom, top = totals
    ends = [low + (line.totals[-1][1] - bottom) / (top - bottom) * (high - low) for line in lines]
    written = dict(zip(_from_below(lines, ends), _spread(sorted(ends), gap, low, high), strict=True))
    return tuple(
        Label(name, told, size, end, written[number])
        for number, (name, told, end) in enumerate(zip(names, total_texts, ends, strict=True))
    )


def total_text(line: ChartLine) -> str:
    """The last total with a symbol for the player's status: « 104 ✖»."""
    sign = "★" if line.has_won else _SIGNS[line.standing]
    return f" {line.totals[-1][1]} {sign}".replace("-", "−").rstrip()


def _from_below(lines: Sequence[ChartLine], ends: Sequence[float]) -> list[int]:
    """The indices of the lines by the heights of their ends; at equal heights, players still in come last."""
    return sorted(range(len(ends)), key=lambda it: (ends[it], lines[it].standing is Standing.IN))


def _spread(heights: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Move ascending heights as little as needed to be `gap` apart and between `low` and `high`."""
    placed: list[float] = []
    for height in heights:
        placed.append(max(height, low if not placed else placed[-1] + gap))
    ceiling = high
    for place in reversed(range(len(placed))):
        placed[place] = min(placed[place], ceiling)
        ceiling = placed[place] - gap
    return placed


def _style_axes(axes: Axes, picture: ChartPicture) -> None:
    axes.set_xlim(-0.25, max(1, picture.rounds) + 0.25)
    axes.set_ylim(*scale(picture))
    axes.xaxis.set_major_locator(MaxNLocator(nbins=10, integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(nbins=6, integer=True))
    axes.tick_params(colors=PALE, labelsize=_TICKS * 72 / DPI, length=0, pad=8)
    axes.grid(visible=True, color="white", alpha=0.13, linewidth=1.2)
    axes.set_axisbelow(True)
    for side in axes.spines.values():
        side.set_visible(False)
    size = _TICKS * 72 / DPI
    axes.set_xlabel(picture.rounds_label, color=PALE, fontsize=size, labelpad=6)
    axes.annotate(
        picture.totals_label,
        (0.0, 1.0),
        xycoords="axes fraction",
        xytext=(-8, 6),
        textcoords="offset pixels",
        color=PALE,
        fontsize=size,
        ha="right",
        parse_math=False,
    )
    axes.axhline(picture.limit, color=_ALARM, linewidth=3, linestyle=(0, (6, 4)), zorder=2)
    axes.annotate(
        picture.limit_label,
        (0.0, picture.limit),
        xycoords=("axes fraction", "data"),
        xytext=(8, -7),
        textcoords="offset pixels",
        color="#ffd2d2",
        fontsize=_LIMIT_SIZE * 72 / DPI,
        fontweight="bold",
        va="top",
        zorder=7,
        path_effects=[withStroke(linewidth=4, foreground=_SHADE)],
        parse_math=False,
    )


def _draw_line(axes: Axes, line: ChartLine, number: int, rounds: int) -> None:
    colour = COLOURS[number % len(COLOURS)]
    across, up = zip(*line.totals, strict=True)
    axes.plot(
        across,
        up,
        color=_SHADE,
        alpha=0.55,
        linewidth=8 if line.has_won else 6.5,
        solid_capstyle="round",
        solid_joinstyle="round",
        clip_on=False,
        zorder=3,
    )
    axes.plot(
        across,
        up,
        color=colour,
        linewidth=5 if line.has_won else 3.2,
        linestyle="-" if number < len(MARKERS) / 2 else (0, (4, 1.4)),
        marker=MARKERS[number % len(MARKERS)],
        markersize=13,
        markeredgecolor=_SHADE,
        markeredgewidth=1.4,
        markevery=max(1, -(-rounds // _MOST_MARKERS)),
        solid_joinstyle="round",
        clip_on=False,
        zorder=5 if line.has_won else 4,
    )
    if line.standing is Standing.OUT:
        axes.plot(
            across[-1],
            up[-1],
            marker="x",
            markersize=20,
            markeredgewidth=5,
            color=_ALARM,
            clip_on=False,
            zorder=6,
        )
    elif line.standing is Standing.LEFT:
        axes.plot(
            across[-1],
            up[-1],
            marker="o",
            markersize=22,
            markeredgewidth=3,
            markerfacecolor="none",
            color=PALE,
            clip_on=False,
            zorder=6,
        )


def _draw_label(figure: Figure, axes: Axes, line: ChartLine, label: Label, number: int) -> None:
    """Draw a label after its line's marker, and a thin connection from the line's end."""
    colour = COLOURS[number % len(COLOURS)]
    whole = figure.get_figheight() * DPI
    last, _ = line.totals[-1]
    x, _ = axes.transData.transform((last, 0))
    start, bend = x / WIDTH, (_RIGHT + 10) / WIDTH
    figure.add_artist(
        Line2D(
            (start, bend, bend + 14 / WIDTH),
            (label.end / whole, label.end / whole, label.at / whole),
            color=colour,
            alpha=0.6,
            linewidth=1.6,
            linestyle=(0, (1, 2)),
        )
    )
    figure.add_artist(
        Line2D(
            ((_RIGHT + 40) / WIDTH,),
            (label.at / whole,),
            color=colour,
            marker=MARKERS[number % len(MARKERS)],
            markersize=12,
            markeredgecolor=_SHADE,
        )
    )
    end = write_name(
        figure, label.name, _RIGHT + 58, label.at, label.size, colour, is_computer=line.is_computer
    )
    write(figure, label.total, end, label.at, label.size, colour, is_bold=True)
