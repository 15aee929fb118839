"""Picture values of twelve situations at a table and of a finished match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.screens.chart import chart, end_picture
from bot.screens.picture import Face, Picture, SeatPicture, Standing, TablePicture
from bot.screens.table_picture import face
from bot.tables.player import MARK, Player
from bot.tables.view import TableView, view_table
from engine import parse_card
from engine.players import Level
from tests.bot.records.finished_tables import Played, over
from tests.bot.screens.scenes import GROUP, RU

NAMES = ("Аня", "Борис", "Вера", "Гена", "Дина", "Егор", "Жанна", "Захар", "Инна", "Костя")
STRANGE = (
    "Константин-Авгу…",
    "Wolfeschlegelst…",
    "🌸 Лиля 🌸",
    "王小明",
    "محمد",
    "Żółć Đặng",
)
HELD = (4, 7, 2, 5, 9, 3, 6, 1, 8, 5)
TOTALS = (37, 88, 12, 64, 0, 95, 51, 101, 23, 70)


def cards(codes: str) -> tuple[Face, ...]:
    """Faces as a Russian reader sees them: `cards("7S QD")`."""
    return tuple(face(parse_card(code), RU) for code in codes.split())


def table(count: int, names: Sequence[str] = NAMES, *, turn: int = 0) -> TablePicture:
    """A round under way."""
    seats = tuple(
        SeatPicture(names[place], HELD[place], TOTALS[place], is_lit=place == turn) for place in range(count)
    )
    return TablePicture(
        title="Раунд 3 · до 101",
        seats=seats,
        discard=cards("10D 9D 9H KH"),
        discarded=9,
        stock=max(1, 34 - sum(HELD[:count])),
        laid_by=(turn - 1) % count,
    )


def changed(picture: TablePicture, place: int, **what: object) -> TablePicture:
    """The same but for one seat."""
    seats = list(picture.seats)
    seats[place] = replace(seats[place], **what)  # type: ignore[arg-type]
    return replace(picture, seats=tuple(seats))


def laid_open(
    names: Sequence[str], hands: Sequence[str], points: Sequence[int], totals: Sequence[int], winner: int
) -> TablePicture:
    """The end of a round."""
    seats = tuple(
        SeatPicture(
            name,
            len(hand.split()),
            total,
            standing=Standing.OUT if total > 101 else Standing.IN,
            is_lit=place == winner,
            hand=cards(hand),
            gain=f"+{added}" if added >= 0 else f"−{-added}",
        )
        for place, (name, hand, added, total) in enumerate(zip(names, hands, points, totals, strict=True))
    )
    return TablePicture("Раунд 3 · до 101", seats, is_over=True)


_TWO = replace(table(2, turn=1), discard=cards("8C 10C 6C QS"), ordered=1)
_THREE = changed(changed(table(3, turn=2), 2, cards=1), 1, name="🤖 Соня", is_computer=True)
_FOUR = replace(table(4, turn=3), direction=-1, discard=cards("JD JS AS KS"))
_SIX = replace(table(6, turn=4), discard=cards("8D 6D 7D 7S"), attack=4)
_TEN = replace(table(10, turn=5), direction=1, stock=2)

SITUATIONS: dict[str, TablePicture] = {
    "two: hearts are ordered": _TWO,
    "three: a last card, and a computer": _THREE,
    "four: the turn goes counter-clockwise": _FOUR,
    "six: an attack is open": _SIX,
    "ten of them": _TEN,
    "long names and strange ones": changed(table(6, STRANGE, turn=1), 5, cards=18),
    "four colours, a card to be covered": replace(
        table(4, turn=0), discard=cards("KC 8C 8S 8D"), must_cover=True, laid_by=0, four_colours=True
    ),
    "somebody is away, somebody is out": changed(
        changed(table(5, turn=0), 2, is_away=True), 4, standing=Standing.OUT, total=109, cards=0
    ),
    "the table sleeps": changed(
        changed(replace(table(2), is_asleep=True), 0, is_away=True), 1, is_away=True, is_lit=False
    ),
    "an empty stock, an empty pile": replace(
        table(3), discard=(), discarded=0, stock=0, laid_by=None, direction=1
    ),
    "a round is over": laid_open(
        NAMES[:4],
        ("AS 6D", "", "KH KD 10C 9S QC 7H AD", "QS JH"),
        (17, -20, 31, 43),
        (54, 68, 43, 107),
        winner=1,
    ),
    "a round of eight is over": laid_open(
        NAMES[:8],
        (
            "6S 7S 8S 9S 10S JS QS KS AS 10D JD",
            "",
            "6H 7H",
            "QD",
            "KC AC 10H",
            "8D",
            "9C 10C JC QC",
            "6C",
        ),
        (72, -40, 13, 20, 25, 8, 15, 6),
        (99, 48, 25, 84, 25, 103, 66, 107),
        winner=1,
    ),
}
"""By what is special about them."""


def _finished_match() -> TableView:
    """A match of five people and a computer player, one of whom leaves."""
    people = [Player(n, name) for n, name in enumerate(NAMES[:5], start=1)]
    players = [*people, Player(-1, f"{MARK} Соня", level=Level.NORMAL)]
    rounds = [
        Played({0: 17, 1: 24, 2: 0, 3: 41, 4: 8, 5: 13}, 2, "9D"),
        Played({0: 22, 1: 30, 2: 5, 3: 0, 4: 36, 5: 11}, 3, "6H"),
        Played({0: 12, 1: 52, 2: 31, 3: 19, 5: 0}, 5, "KC"),
        Played({0: 0, 2: 14, 3: 43, 5: 26}, 0, "7H"),
        Played({0: -20, 2: 33, 5: 27}, 0, "QH"),
        Played({0: 25, 2: 0, 5: 9}, 2, "AS"),
        Played({0: 13, 2: 20, 5: 0}, 5, "10D"),
        Played({0: 0, 5: 44}, 0, "QS"),
    ]
    return view_table(over("t", -1, players, rounds, left={4: 3}), None, GROUP)


ENDINGS: dict[str, Picture] = {
    "the chart of a match": chart(_finished_match(), RU),
    "the end of a match": end_picture(_finished_match(), RU),
}
"""Drawn by matplotlib: how a match went, and how it ended."""
