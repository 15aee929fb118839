"""The content of pictures as plain values, which `bot.pictures` draws.

Screens make them from views, so a picture for the group cannot contain a hidden hand. Text is already in the
reader's language, and names are sanitized (`Translator.name`).
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import StrEnum
from typing import Any, Final, TypeAlias

from bot.logs import without_words

DRAWING: Final = 4
"""The version of the drawing code. Raise it when pictures look different, so that uploaded ones are not
reused."""


@dataclass(frozen=True, slots=True)
class Drawable:
    """The base of everything that can be drawn."""

    @property
    def digest(self) -> str:
        """Equal for pictures that look equal."""
        return hashlib.sha256(f"{DRAWING} {self!r}".encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Face:
    """An open card: its rank ("Q"), the rank in the reader's language («Д»), its suit (0–3: ♠ ♥ ♦ ♣)."""

    rank: str
    sign: str
    suit: int


class Standing(StrEnum):
    """A seat's status in the match."""

    IN = "in"
    OUT = "out"
    LEFT = "left"

    def __repr__(self) -> str:
        """Return a Python expression, so that a picture's repr in the log can be evaluated and drawn."""
        return f"Standing.{self.name}"


@dataclass(frozen=True, slots=True)
class SeatPicture:
    """A seat at the table.

    `cards` is the number of cards held; `hand` has them face up, at the end of a round. `gain` is what the
    round added to the total, as text («+17»), and empty while it is played. `is_lit` marks the player to
    move, or the winner.
    """

    name: str
    cards: int
    total: int
    standing: Standing = Standing.IN
    is_lit: bool = False
    is_away: bool = False
    is_computer: bool = False
    hand: tuple[Face, ...] = ()
    gain: str = ""


@dataclass(frozen=True, slots=True)
class TablePicture(Drawable):
    """A table from above, in a round or at its end.

    `seats` are in seating order; `title` is shown in a corner. `discard` has the last cards of the pile, the
    top card last; `discarded` and `stock` are the sizes of the piles (`stock` is None if there is none).
    `laid_by` is the index in `seats` of the player of the top card. `direction` is +1 or -1 if the rules can
    reverse it, otherwise None. `attack` is the number of cards to take for a player who cannot answer;
    `must_cover`: the player of the top card has to cover it.
    """

    title: str
    seats: tuple[SeatPicture, ...]
    discard: tuple[Face, ...] = ()
    discarded: int = 0
    stock: int | None = None
    ordered: int | None = None
    laid_by: int | None = None
    direction: int | None = None
    attack: int = 0
    must_cover: bool = False
    is_asleep: bool = False
    is_over: bool = False
    four_colours: bool = False


@dataclass(frozen=True, slots=True)
class ChartLine:
    """One player's totals as (round, total), beginning with the initial one. Seats count from 0."""

    seat: int
    name: str
    totals: tuple[tuple[int, int], ...]
    standing: Standing = Standing.IN
    has_won: bool = False
    is_computer: bool = False


@dataclass(frozen=True, slots=True)
class ChartPicture(Drawable):
    """The totals of a match over its rounds.

    `lines` are in the order of seats. `limit` is the total above which a player is out, labelled with
    `limit_label`; `rounds_label` and `totals_label` name the horizontal and the vertical axis.
    """

    title: str
    lines: tuple[ChartLine, ...]
    rounds: int
    limit: int
    limit_label: str
    rounds_label: str
    totals_label: str


@dataclass(frozen=True, slots=True)
class PlaceLine:
    """A place in the final ranking, with a note («вылет в раунде 5»). Seats count from 0."""

    number: int
    seat: int
    name: str
    total: str
    note: str
    has_won: bool = False
    is_computer: bool = False


@dataclass(frozen=True, slots=True)
class EndPicture(Drawable):
    """The end of a match: the ranking, the chart, and the match's highlight (`moment`, empty if none).

    `title` and `moment` use the same names as `places`.
    """

    title: str
    places: tuple[PlaceLine, ...]
    chart: ChartPicture
    moment: str


Picture: TypeAlias = TablePicture | ChartPicture | EndPicture
"""Everything that can be sent; each has its branch in `bot.pictures.draw`."""

_NAMING = ("name", "title", "note", "moment")
"""Fields whose text contains names of people or groups."""


def without_names(part: Any) -> Any:
    """Return a picture that is drawn in the same way but contains no names, for the log."""
    if isinstance(part, tuple):
        return tuple(without_names(item) for item in part)
    if not is_dataclass(part) or isinstance(part, type):
        return part
    values = {field.name: getattr(part, field.name) for field in fields(part)}
    nameless = {
        name: without_words(value) if name in _NAMING else without_names(value)
        for name, value in values.items()
    }
    return replace(part, **nameless)
