"""The chart and the picture of a match's end: contents, positions of names, file type."""

from __future__ import annotations

import itertools
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from io import BytesIO

import pytest
from matplotlib.image import FigureImage
from PIL import Image

from bot.locales import Translator
from bot.pictures import draw
from bot.pictures.chart import COLOURS, HEIGHT, LABEL_SIZES, MARKERS, labels, scale
from bot.pictures.ending import with_display_names
from bot.pictures.figure import WIDTH, mark_room, new_figure, write_name
from bot.pictures.painting import MOST_BYTES
from bot.pictures.text import display_name, width_of
from bot.screens.chart import chart, chart_screen, end_picture
from bot.screens.picture import ChartLine, ChartPicture, Picture, Standing
from bot.tables.player import MARK, Player
from bot.tables.view import TableView, view_table
from engine.players import Level
from tests.bot.records.finished_tables import Played, over
from tests.bot.screens.scenes import CATALOGUES, GROUP, LANGUAGES, RU, dealt, played_out
from tests.bot.tables.tables import ANYA, BORIS, VERA

STRANGE = (
    "Ж" * 64,
    "👩🏽‍❤️‍💋‍👨🏻",
    "محمد",
    "名前",
    "$x^2$ _a",
    "\u200b",
    "Z\u0335\u0336",
    "W" * 40,
    "{n}",
    "\\alpha",
)


def finished_match(*names: str) -> TableView:
    """A match of two rounds: the last two of these people go out together, the one before has left."""
    people = [Player(n, name) for n, name in enumerate(names, start=1)]
    seats = range(len(people))
    first = {seat: 0 if seat == 0 else 20 + seat for seat in seats}
    second = {seat: 0 if seat == 0 else 85 for seat in seats if seat != len(people) - 3}
    rounds = [Played(first, 0, "6S"), Played(second, 0, "6H")]
    return view_table(over("t", -1, people, rounds, left={len(people) - 3: 2}), None, GROUP)


def test_lines_are_the_totals_after_each_round_from_where_somebody_began() -> None:
    rounds = [Played({0: 20, 1: 0, 2: 5}, 1), Played({0: 90, 1: 0, 2: 7}, 1), Played({1: 0, 2: 95}, 1)]
    view = view_table(over("t", -1, [ANYA, BORIS, VERA], rounds), None, GROUP)
    drawn = chart(view, RU)
    assert [(line.name, line.totals, line.standing, line.has_won) for line in drawn.lines] == [
        ("Аня", ((0, 0), (1, 20), (2, 110)), Standing.OUT, False),
        ("Борис", ((0, 0), (1, 0), (2, 0), (3, 0)), Standing.IN, True),
        ("Вера", ((0, 0), (1, 5), (2, 12), (3, 107)), Standing.OUT, False),
    ]
    assert (drawn.rounds, drawn.limit) == (3, 101)


def test_who_has_played_no_round_to_its_end_has_no_line() -> None:
    view = finished_match("Аня", "Борис", "Вера", "Гена")
    assert [line.name for line in chart(view, RU).lines] == ["Аня", "Борис", "Вера", "Гена"]
    assert chart(dealt(2).seen_by(), RU).lines == ()
    left = view_table(
        over("t", -1, [ANYA, BORIS, VERA], [Played({0: 0, 1: 102}, 0)], left={2: 1}), None, GROUP
    )
    assert [line.name for line in chart(left, RU).lines] == ["Аня", "Борис"]


def test_a_picture_changes_with_what_it_shows_and_with_nothing_else() -> None:
    view = played_out(dealt(3)).seen_by()
    assert chart(view, RU).digest == chart(view, RU).digest
    assert chart(view, RU).digest != chart(view, CATALOGUES["en"]).digest
    assert chart_screen(view, RU).picture == chart(view, RU)


def test_the_end_has_everybodys_place_the_chart_and_the_moment() -> None:
    view = finished_match("Аня", "Борис", "Вера", "Гена")
    picture = end_picture(view, RU)
    assert picture.title == "Побеждает Аня"
    assert [(it.number, it.name, it.total, it.note) for it in picture.places] == [
        (1, "Аня", "0", ""),
        (2, "Вера", "107", "✖ в 2-м"),
        (3, "Гена", "108", "✖ в 2-м"),
        (4, "Борис", "21", "⇥ в 2-м"),
    ]
    assert picture.chart == chart(view, RU)
    assert picture.moment == "✨ Вера: +85 за раунд 2 — рекорд партии"


def test_whose_name_cannot_be_written_is_called_by_the_same_number_all_over_the_picture() -> None:
    view = finished_match("🦊👨‍👩‍👧", "Борис", "名前", "Гена")
    picture = end_picture(view, RU)
    assert with_display_names(picture.title, picture.places) == "Побеждает № 1"
    assert with_display_names(picture.moment, picture.places) == "✨ № 3: +85 за раунд 2 — рекорд партии"
    assert [display_name(it.name, it.seat) for it in picture.places] == ["№ 1", "№ 3", "Гена", "Борис"]
    written = labels(picture.chart.lines, scale(picture.chart), 0, 500)
    assert [label.name for label in written] == ["№ 1", "Борис", "№ 3", "Гена"]


def test_a_computer_player_is_marked_as_one_in_the_chart_and_among_the_places() -> None:
    people = [ANYA, Player(-1, f"{MARK} Соня", level=Level.EASY), Player(3, f"{MARK} Вера")]
    rounds = [Played({0: 0, 1: 40, 2: 60}, 0), Played({0: 102, 1: 0, 2: 70}, 1)]
    picture = end_picture(view_table(over("t", -1, people, rounds), None, GROUP), RU)
    assert [line.is_computer for line in picture.chart.lines] == [False, True, False]
    assert {place.name: place.is_computer for place in picture.places} == {
        "Аня": False,
        "🤖 Соня": True,
        "🤖 Вера": False,  # who calls himself so is none
    }
    chart_of_people = replace(
        picture.chart, lines=tuple(replace(line, is_computer=False) for line in picture.chart.lines)
    )
    assert draw(picture.chart) != draw(chart_of_people)
    places_of_people = tuple(replace(place, is_computer=False) for place in picture.places)
    assert draw(picture) != draw(replace(picture, places=places_of_people))


def test_a_robots_head_stands_before_a_name_and_moves_it_to_the_right() -> None:
    figure = new_figure(HEIGHT)
    end = write_name(figure, "Соня", 100, 300, 30, "white", is_computer=False)
    assert figure.images == []
    assert write_name(figure, "Соня", 100, 200, 30, "white", is_computer=True) > end + 30
    (head,) = figure.images
    assert isinstance(head, FigureImage)
    assert (head.ox, head.oy) == (100, 182)
    assert head.get_size() == (36, 36)


def test_a_name_leaves_room_for_its_mark() -> None:
    person = ChartLine(0, "W" * 40, ((0, 0), (1, 5)))
    computer = replace(person, seat=1, is_computer=True)
    mine, its = labels([person, computer], (0.0, 10.0), 0, 500)
    assert len(its.name) < len(mine.name)
    mark = mark_room(its.size, is_computer=True)
    assert mark + width_of(its.name, its.size) <= width_of(mine.name, mine.size) + its.size


def test_a_line_of_who_came_later_has_the_number_of_his_seat() -> None:
    (label,) = labels([ChartLine(3, "名前", ((0, 0), (1, 5)))], (0.0, 10.0), 0, 500)
    assert label.name == "№ 4"


def lines_ending_at(*totals: int) -> tuple[ChartLine, ...]:
    return tuple(ChartLine(n, f"N{n}", ((0, 0), (1, total))) for n, total in enumerate(totals))


@pytest.mark.parametrize("totals", [(101,) * 10, tuple(range(10)), (0, 1, 2, 100, 101, 102), (-80, 50), (7,)])
def test_names_at_the_lines_ends_are_apart_in_the_order_of_the_totals_and_inside(
    totals: tuple[int, ...],
) -> None:
    lines = lines_ending_at(*totals)
    drawn = ChartPicture("", lines, 1, 101, "", "", "")
    found = labels(lines, scale(drawn), 100, 600)
    assert len(found) == len(lines)
    from_below = sorted(found, key=lambda label: label.at)
    assert all(upper.at - lower.at >= upper.size for lower, upper in itertools.pairwise(from_below))
    assert [label.end for label in from_below] == sorted(label.end for label in found)
    assert all(100 <= label.at <= 600 for label in found)


def test_a_long_name_is_cut_but_not_its_total() -> None:
    lines = (
        ChartLine(0, "W" * 40, ((0, 0), (1, 1234)), Standing.OUT),
        ChartLine(1, "Аня", ((0, 0), (1, -5)), has_won=True),
    )
    first, second = labels(lines, (-10.0, 1300.0), 0, 500)
    assert first.name.endswith("…")
    assert first.total == " 1234 ✖"
    assert second.total == " −5 ★"
    assert first.size == second.size == LABEL_SIZES[1]
    assert width_of(first.name + first.total, first.size) < WIDTH * 0.3


def test_ten_lines_are_told_apart_by_more_than_colour() -> None:
    assert len(set(MARKERS)) == len(MARKERS) == len(set(COLOURS)) == 10


@LANGUAGES
@pytest.mark.parametrize("names", [STRANGE, STRANGE[:4]], ids=["ten", "four"])
def test_names_of_any_kind_are_drawn_without_a_complaint(names: tuple[str, ...], tr: Translator) -> None:
    view = finished_match(*names)
    for picture in (chart(view, tr), end_picture(view, tr)):
        content = draw(picture)
        assert len(content) < MOST_BYTES
        with Image.open(BytesIO(content)) as image:
            assert image.format == "JPEG"
            assert image.width == WIDTH
            assert image.height >= HEIGHT - 40


def test_several_threads_draw_what_one_does() -> None:
    view = finished_match("Аня", "Борис", "Вера", "Гена")
    pictures: list[Picture] = [chart(view, RU), end_picture(view, RU)]
    alone = [draw(picture) for picture in pictures]
    with ThreadPoolExecutor(4) as threads:
        together = list(threads.map(draw, pictures * 3))
    assert together == alone * 3


def test_pyplot_which_keeps_what_it_draws_is_not_loaded() -> None:
    draw(chart(played_out(dealt(2)).seen_by(), RU))
    assert "matplotlib" in sys.modules
    assert "matplotlib.pyplot" not in sys.modules
