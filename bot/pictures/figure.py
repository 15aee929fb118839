"""Matplotlib figures on the felt, with text and names placed in pixels.

Only matplotlib's object interface is used; `pyplot`, which keeps figures in memory, is never loaded.
"""

from __future__ import annotations

from threading import Lock
from typing import Final

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from bot.pictures.icons import felt, icon
from bot.pictures.painting import jpeg
from bot.pictures.text import width_of

MATPLOTLIB_LOCK: Final = Lock()
"""Matplotlib is not thread-safe (https://matplotlib.org/3.3.2/faq/howto_faq.html#working-with-threads)."""

WIDTH: Final = 1000
DPI: Final = 100
PALE: Final = "#c4decc"
_HEAD_OF_NAME, _GAP_OF_NAME = 1.2, 0.25
"""The width of the robot icon before a computer player's name and of the gap after it, in text heights."""


def new_figure(height: int) -> Figure:
    """Return an empty, transparent figure, `height` pixels high."""
    figure = Figure(figsize=(WIDTH / DPI, height / DPI), dpi=DPI)
    figure.patch.set_alpha(0.0)
    FigureCanvasAgg(figure)
    return figure


def render(figure: Figure) -> bytes:
    """Render the figure on the felt and return it as a JPEG file."""
    canvas = figure.canvas
    assert isinstance(canvas, FigureCanvasAgg)
    canvas.draw()  # type: ignore[no-untyped-call]
    pixels = bytes(canvas.buffer_rgba())  # type: ignore[no-untyped-call]
    drawn = Image.frombuffer("RGBA", canvas.get_width_height(), pixels)
    table = felt(*drawn.size).convert("RGBA")
    table.alpha_composite(drawn)
    return jpeg(table.convert("RGB"))


def write(
    figure: Figure,
    text: str,
    x: float,
    y: float,
    size: int,
    colour: str,
    *,
    align: str = "left",
    is_bold: bool = False,
) -> None:
    """Write a line of text, vertically centred; x, y (from the lower left corner) and size are in pixels."""
    figure.text(
        x / WIDTH,
        y / (figure.get_figheight() * DPI),
        text,
        fontsize=size * 72 / DPI,
        color=colour,
        ha=align,
        va="center_baseline",
        family="DejaVu Sans",
        weight="bold" if is_bold else "normal",
        parse_math=False,
    )


def mark_room(size: int, *, is_computer: bool) -> int:
    """The width (pixels) of the robot icon before a computer player's name; 0 for a person."""
    return round((_HEAD_OF_NAME + _GAP_OF_NAME) * size) if is_computer else 0


def write_name(
    figure: Figure, name: str, x: float, y: float, size: int, colour: str, *, is_computer: bool
) -> float:
    """Write a name in bold, after a robot icon for a computer player; return where it ends (pixels)."""
    if is_computer:
        head = round(_HEAD_OF_NAME * size)
        robot = icon("robot", head, 0, 0, False)
        figure.figimage(robot, round(x), round(y - head / 2))  # type: ignore[arg-type]  # takes Pillow's too
    x += mark_room(size, is_computer=is_computer)
    write(figure, name, x, y, size, colour, is_bold=True)
    return x + width_of(name, size)
