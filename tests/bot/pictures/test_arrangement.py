"""The layout of a picture: the scene before it is painted."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from bot.pictures.scene import Box, CardItem, IconItem, Item, PlateItem, Scene, TextItem
from bot.pictures.seating import MOST_SEATS, SEAT_HEIGHT, seat_all
from bot.pictures.table import TOP_HEIGHT, arrange
from bot.pictures.text import font
from bot.screens.picture import Standing, TablePicture
from tests.bot.pictures.situations import HELD, NAMES, SITUATIONS, TOTALS, cards, changed, laid_open, table

SEATS = pytest.mark.parametrize("count", range(2, 11))


def texts(scene: Scene) -> list[str]:
    return [item.text for item in scene.items if isinstance(item, TextItem)]


def signs(scene: Scene) -> list[str]:
    return [item.name for item in scene.items if isinstance(item, IconItem)]


def plates(scene: Scene, *styles: str) -> list[Box]:
    return [item.box for item in scene.items if isinstance(item, PlateItem) and item.style in styles]


def text(scene: Scene, words: str) -> TextItem:
    return next(item for item in scene.items if isinstance(item, TextItem) and item.text == words)


def extent(item: Item) -> Box:
    match item:
        case CardItem():
            return item.box
        case PlateItem():
            return item.box
        case IconItem():
            half = item.size // 2
            return item.x - half, item.y - half, item.x + half, item.y + half
        case TextItem():
            width = round(font(item.size).getlength(item.text))
            left = {"l": item.x, "m": item.x - width // 2, "r": item.x - width}[item.anchor[0]]
            return left, item.y - item.size // 2, left + width, item.y + item.size // 2


def overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def is_within(inner: Box, outer: Box) -> bool:
    return inner[0] >= outer[0] and inner[1] >= outer[1] and inner[2] <= outer[2] and inner[3] <= outer[3]


@pytest.mark.parametrize("name", SITUATIONS)
def test_everything_is_within_the_picture(name: str) -> None:
    scene = arrange(SITUATIONS[name])
    for item in scene.items:
        assert is_within(extent(item), (0, 0, scene.width, scene.height)), item


@SEATS
def test_everybody_has_a_place_with_his_name_his_cards_and_his_total(count: int) -> None:
    scene = arrange(table(count, turn=1))
    there = plates(scene, "seat", "lit")
    assert len(there) == count
    for name, held, total in zip(NAMES, HELD[:count], TOTALS, strict=False):
        (box,) = [box for box in there if is_within(extent(text(scene, name)), box)]
        written = [it.text for it in scene.items if isinstance(it, TextItem) and is_within(extent(it), box)]
        assert sorted(written) == sorted([name, "1!" if held == 1 else str(held), str(total)])


@SEATS
def test_nobody_sits_on_another_or_on_the_piles(count: int) -> None:
    seating = seat_all(count)
    places = [
        (it.x - it.width // 2, it.y - SEAT_HEIGHT // 2, it.x + it.width // 2, it.y + SEAT_HEIGHT // 2)
        for it in seating.places
    ]
    assert not any(overlap(one, other) for one, other in combinations(places, 2))
    middle = [it for it in arrange(table(count)).items if isinstance(it, CardItem) and it.height > 150]
    assert middle
    assert not any(overlap(card.box, place) for card in middle for place in places)


@SEATS
def test_seats_go_round_clockwise_from_the_lower_edge(count: int) -> None:
    seating = seat_all(count)
    x, y = seating.middle
    assert seating.places[0].y > y + 100
    turns = []
    for one, other in zip(seating.places, (*seating.places[1:], seating.places[0]), strict=True):
        (ax, ay), (bx, by) = (one.x - x, one.y - y), (other.x - x, other.y - y)
        turns.append(ax * by - ay * bx)  # >= 0: clockwise, since y grows downwards
    assert all(turn >= 0 for turn in turns)


def test_who_is_to_move_is_lit_and_nobody_else() -> None:
    for turn in range(4):
        scene = arrange(table(4, turn=turn))
        (box,) = plates(scene, "lit")
        assert is_within(extent(text(scene, NAMES[turn])), box)


def test_backs_are_as_many_as_the_cards_up_to_what_can_be_told_apart() -> None:
    for held, shown in ((0, 0), (1, 1), (5, 5), (10, 10), (30, 10)):
        scene = arrange(changed(table(2, turn=1), 0, cards=held))
        backs = [it for it in scene.items if isinstance(it, CardItem) and it.height == 90 and it.y > 500]
        assert len(backs) == shown
        assert str(held) in texts(scene) or held == 1


def test_a_last_card_is_cried_out() -> None:
    scene = arrange(changed(table(3), 1, cards=1))
    assert "1!" in texts(scene)
    assert len(plates(scene, "alarm")) == 1
    assert plates(arrange(table(3)), "alarm") == []


def test_the_top_card_is_the_largest_and_lies_on_top() -> None:
    picture = replace(table(4), discard=cards("6S 7S 8S 9S 10S QH"))
    faces = [item for item in arrange(picture).items if isinstance(item, CardItem) and item.face is not None]
    assert [item.face for item in faces] == list(cards("9S 10S QH"))
    assert (faces[-1].angle, faces[-1].height) == (0, TOP_HEIGHT)


def test_an_ordered_suit_is_a_badge_and_an_attack_a_number() -> None:
    scene = arrange(replace(table(4), ordered=2))
    (badge,) = [it for it in scene.items if isinstance(it, IconItem) and it.name == "ordered"]
    assert badge.suit == 2
    assert "+3" in texts(arrange(replace(table(4), attack=3)))
    assert "cover" in signs(arrange(replace(table(4), must_cover=True)))
    assert not {"ordered", "cover"} & set(signs(arrange(table(4))))


def test_the_direction_is_shown_only_where_it_can_turn() -> None:
    assert "clockwise" in signs(arrange(replace(table(4), direction=1)))
    assert "counter" in signs(arrange(replace(table(4), direction=-1)))
    assert not {"clockwise", "counter"} & set(signs(arrange(table(4))))


@SEATS
def test_the_last_card_comes_from_who_has_laid_it(count: int) -> None:
    for place in range(count):
        scene = arrange(replace(table(count), laid_by=place))
        dots = [item for item in scene.items if isinstance(item, IconItem) and item.name == "dot"]
        seat = seat_all(count).places[place]
        assert (dots[0].x, dots[0].y) == (seat.x, seat.y)
        assert "head" in signs(scene)
    assert "dot" not in signs(arrange(replace(table(count), laid_by=None)))


@SEATS
def test_the_cards_way_ends_before_the_number_of_the_pile(count: int) -> None:
    for place in range(count):
        scene = arrange(replace(table(count), laid_by=place))
        (head,) = [item for item in scene.items if isinstance(item, IconItem) and item.name == "head"]
        assert not any(overlap(extent(head), box) for box in plates(scene, "count"))


@SEATS
@pytest.mark.parametrize("title", ["Раунд 3 · до 101", "Round 12 · to 101"])
def test_the_title_is_in_nobodys_place_and_not_in_the_way_from_below(count: int, title: str) -> None:
    x, _ = seat_all(count).middle
    for place, seat in enumerate(seat_all(count).places):
        scene = arrange(replace(table(count), title=title, laid_by=place))
        written = extent(text(scene, title))
        others = [*plates(scene, "seat", "lit", "count")]
        others += [item.box for item in scene.items if isinstance(item, CardItem)]
        if seat.x == x:
            others += [
                extent(item) for item in scene.items if isinstance(item, IconItem) and item.name == "dot"
            ]
        assert not any(overlap(written, box) for box in others)


def test_who_is_away_has_a_moon_and_who_is_out_a_cross_and_no_cards() -> None:
    away = arrange(changed(table(3, turn=0), 1, is_away=True))
    assert signs(away).count("moon") == 1
    out = arrange(changed(table(3, turn=0), 1, standing=Standing.OUT, is_away=True))
    assert signs(out).count("cross") == 1
    assert signs(out).count("moon") == 0
    assert len(plates(out, "out")) == 1
    assert str(HELD[1]) not in texts(out)


def test_a_computer_has_a_robots_head_before_its_name() -> None:
    scene = arrange(changed(table(3), 1, name="🤖 Соня", is_computer=True))
    assert signs(scene).count("robot") == 1
    (head,) = [item for item in scene.items if isinstance(item, IconItem) and item.name == "robot"]
    assert not overlap(extent(head), extent(text(scene, "Соня")))
    over = arrange(changed(laid_open(NAMES[:2], ("", "6S"), (0, 6), (1, 7), winner=1), 1, is_computer=True))
    crown, robot = [extent(item) for item in over.items if isinstance(item, IconItem)]
    assert {"robot", "crown"} == set(signs(over))
    assert not overlap(crown, robot)
    assert not overlap(robot, extent(text(over, NAMES[1])))


@SEATS
def test_the_title_is_no_smaller_than_the_numbers_and_lies_on_nothing(count: int) -> None:
    scene = arrange(table(count))
    title = text(scene, table(count).title)
    written = [item for item in scene.items if isinstance(item, TextItem) and item != title]
    assert title.size >= max(item.size for item in written if item.text.isdecimal())
    assert not any(overlap(extent(title), extent(item)) for item in written)
    assert not any(overlap(extent(title), box) for box in plates(scene, "seat", "lit", "count"))


@pytest.mark.parametrize("count", [2, 3, 4, 7, 10])
def test_the_title_is_beside_the_way_of_a_card_from_below(count: int) -> None:
    seating = seat_all(count)
    for thrower, place in enumerate(seating.places):
        if place.x == seating.middle[0] and place.y > seating.middle[1]:
            scene = arrange(replace(table(count), laid_by=thrower))
            title = text(scene, table(count).title)
            dots = [item for item in scene.items if isinstance(item, IconItem) and item.name == "dot"]
            assert dots
            assert not any(overlap(extent(title), extent(dot)) for dot in dots)


def test_a_table_that_sleeps_has_a_moon_and_no_card_on_its_way() -> None:
    scene = arrange(replace(table(3), is_asleep=True))
    assert signs(scene).count("moon") == 1
    assert "dot" not in signs(scene)


def test_counts_of_the_piles_are_written_at_them_and_what_is_empty_is_an_outline() -> None:
    scene = arrange(replace(table(3), stock=17, discarded=28))
    assert {"17", "28"} <= set(texts(scene))
    assert signs(arrange(replace(table(3), stock=0, discard=(), discarded=0))).count("slot") == 2


@pytest.mark.parametrize("count", range(1, 11))
def test_at_a_rounds_end_every_card_of_every_hand_lies_open_next_to_its_player(count: int) -> None:
    hands = ["", *["6S 9H QD KC"] * (count - 2), "6S 7S 8S 9S 10S JS QS KS AS 6H 7H 8H 9H 10H JH QH"][:count]
    picture = laid_open(NAMES[:count], hands, [9] * count, TOTALS[:count], winner=0)
    scene = arrange(picture)
    faces = [item.face for item in scene.items if isinstance(item, CardItem)]
    assert faces == [face for seat in picture.seats for face in seat.hand]
    assert texts(scene).count("+9") == count
    assert signs(scene).count("crown") == 1
    names = [text(scene, name) for name in NAMES[:count]]
    assert len({(name.x, name.y) for name in names}) == count


def test_more_seats_than_there_is_room_for_are_left_out_not_laid_over_others() -> None:
    picture = table(10)
    crowded = replace(picture, seats=(*picture.seats, *picture.seats[:2]), laid_by=11)
    assert len(plates(arrange(crowded), "seat", "lit")) == MOST_SEATS


def test_long_names_are_made_smaller_then_cut_and_stay_on_their_plates() -> None:
    scene = arrange(SITUATIONS["long names and strange ones"])
    for box in plates(scene, "seat", "lit"):
        inside = [it for it in scene.items if isinstance(it, TextItem) and overlap(extent(it), box)]
        assert all(is_within(extent(item), box) for item in inside)
    assert min(item.size for item in scene.items if isinstance(item, TextItem)) >= 28


def test_a_picture_is_made_of_everybodys_view_and_can_hold_no_hand() -> None:
    """But at a round's end, when all hands are laid open."""
    for picture in SITUATIONS.values():
        assert isinstance(picture, TablePicture)
        if not picture.is_over:
            assert all(seat.hand == () for seat in picture.seats)
