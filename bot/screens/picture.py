"""What a picture shows, as plain values; `bot.pictures` draws them.

Screens make them from views, so a picture for the group has no hand in it that could be seen. All text in
them is in the reader's language already; names are tidy (`Translator.name`).
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import StrEnum
from typing import Any, Final, TypeAlias

from bot.logs import without_words

DRAWING: Final = 4
"""Which way of drawing this is. Raise it when what is drawn looks different: pictures that were sent before
are then not taken for these."""


@dataclass(frozen=True, slots=True)
class Drawable:
    """Something that can be drawn."""

    @property
    def digest(self) -> str:
        """Equal for pictures that look equal."""
        return hashlib.sha256(f"{DRAWING} {self!r}".encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Face:
    """An open card: its rank ("Q"), that as the reader writes it («Д»), and its suit (0–3: ♠ ♥ ♦ ♣)."""

    rank: str
    sign: str
    suit: int


class Standing(StrEnum):
    """What has become of a seat in the match."""

    IN = "in"
    OUT = "out"
    LEFT = "left"

    def __repr__(self) -> str:
        """As one writes it in code: a picture in the log can be taken from there and drawn."""
        return f"Standing.{self.name}"


@dataclass(frozen=True, slots=True)
class SeatPicture:
    """A seat of the table.

    `cards` are those it holds; `hand` the same laid open, at a round's end. `gain` is what the round has
    added to the total, as text («+17»), empty while it is played. `is_lit`: it is his turn, or he has won.
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

    `seats` are in the order of their places; `title` stands in a corner. `discard` are the last cards of the
    pile, the top card last; `discarded` and `stock` count the piles (`stock` is None where there is none).
    `laid_by` is who has just laid the top card. `direction` is +1 or -1 where the turn can change its
    direction, else None. `attack` are the cards owed by who cannot answer; `must_cover`: the top card waits
    to be covered by who laid it.
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
    """One player's totals, as (round, total); the first point is where he began. Seats count from 0."""

    seat: int
    name: str
    totals: tuple[tuple[int, int], ...]
    standing: Standing = Standing.IN
    has_won: bool = False
    is_computer: bool = False


@dataclass(frozen=True, slots=True)
class ChartPicture(Drawable):
    """The totals of a match over its rounds.

    `lines` are by seat. `limit` is the total above which one is out, told as `limit_label`; `rounds_label`
    and `totals_label` say what goes to the right, and up.
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
    """A place at a match's end, with what is to be said of it («вылет в раунде 5»). Seats count from 0."""

    number: int
    seat: int
    name: str
    total: str
    note: str
    has_won: bool = False
    is_computer: bool = False


@dataclass(frozen=True, slots=True)
class EndPicture(Drawable):
    """The end of a match: everybody's place, the chart, and the match's moment (empty: there was none).

    Title and moment name people as the places do.
    """

    title: str
    places: tuple[PlaceLine, ...]
    chart: ChartPicture
    moment: str


Picture: TypeAlias = TablePicture | ChartPicture | EndPicture

_NAMING = ("name", "title", "note", "moment")
"""Fields in whose text people and groups are named."""


def without_names(part: Any) -> Any:
    """A picture that is drawn alike, but tells nobody's name."""
    if isinstance(part, tuple):
        return tuple(without_names(item) for item in part)
    if not is_dataclass(part) or isinstance(part, type):
        return part
    values = {field.name: getattr(part, field.name) for field in fields(part)}
    told = {
        name: without_words(value) if name in _NAMING else without_names(value)
        for name, value in values.items()
    }
    return replace(part, **told)


"""Whatever can be drawn. Each has its branch in `bot.pictures.draw`."""
