"""Picture files: type, size, glyphs, and lazy loading of libraries."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

from bot.pictures import draw
from bot.pictures.cards import INK, card_sprite, colour_of, suit_mask
from bot.pictures.painting import MOST_BYTES, paint
from bot.pictures.scene import CardItem, Scene
from bot.pictures.text import fitted, fitted_together, font, writable, writable_line
from tests.bot.pictures.situations import SITUATIONS, cards, changed, table


@pytest.mark.parametrize("name", SITUATIONS)
def test_a_picture_is_a_small_file_as_wide_as_a_phone_is_sharp(name: str) -> None:
    content = draw(SITUATIONS[name])
    picture = Image.open(BytesIO(content))
    assert (picture.format, picture.width) == ("JPEG", 1000)
    assert 400 <= picture.height <= 1000
    assert len(content) < MOST_BYTES


def test_the_same_is_drawn_from_the_same() -> None:
    picture = table(5)
    assert draw(picture) == draw(replace(picture))
    assert draw(picture) != draw(replace(picture, ordered=1))


def test_the_fullest_tables_are_sharp_and_keep_to_the_size() -> None:
    full = table(10)
    full = replace(full, seats=tuple(replace(seat, cards=30, is_away=True) for seat in full.seats))
    deck = cards(" ".join(f"{rank}{suit}" for rank in ("10", *"23456789JQKA") for suit in "SHDC"))
    hands = tuple(
        replace(seat, hand=deck[place * 5 : place * 5 + 5]) for place, seat in enumerate(full.seats)
    )
    for picture in (
        replace(full, attack=12, direction=1, four_colours=True),
        replace(full, seats=hands, is_over=True),
        replace(full, seats=(replace(hands[0], hand=deck), *hands[1:]), is_over=True),
    ):
        content = draw(picture)
        assert len(content) < MOST_BYTES
        assert Image.open(BytesIO(content)).width == 1000


def test_what_is_too_much_for_a_file_is_made_smaller() -> None:
    scene = Scene(1000, 1000)
    for row in range(14):
        for column in range(20):
            scene.add(CardItem(None, 30 + 50 * column, 40 + 70 * row, 90, (row * 7 + column * 13) % 40 - 20))
    assert len(paint(scene)) < MOST_BYTES


def test_no_hand_changes_how_a_table_looks_to_others() -> None:
    """A name of strange letters cannot move anything: the picture is as large as ever."""
    plain = Image.open(BytesIO(draw(table(3))))
    for name in ("\u202eabc", "W" * 200, "\n\n\n", "", "Z" + "\u0335" * 60, "\u200b" * 50):
        strange = Image.open(BytesIO(draw(changed(table(3), 1, name=name))))
        assert strange.size == plain.size


def test_suits_differ_by_shape_and_in_four_colours_by_colour_too() -> None:
    assert len({suit_mask(suit, 40).tobytes() for suit in range(4)}) == 4
    assert [colour_of(suit, four_colours=False) for suit in (0, 3)] == [INK, INK]
    assert len({colour_of(suit, four_colours=True) for suit in range(4)}) == 4


def test_every_card_looks_different_at_the_size_of_a_hand() -> None:
    deck = cards(" ".join(f"{rank}{suit}" for rank in "23456789JQKA" for suit in "SHDC"))
    assert len({card_sprite(card, 112, 0, False).tobytes() for card in deck}) == len(deck)


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Аня", "Аня"),
        ("🌸 Лиля 🌸", "Лиля"),
        ("Żółć Đặng", "Żółć Đặng"),
        ("王小明", "№ 2"),
        ("한국 Kim", "Kim"),
        ("🦊👨‍👩‍👧", "№ 2"),
        ("\u2068Али\u2069", "Али"),
        ("a\u200bb\u202ec", "abc"),
        ("@\u2060durov", "@durov"),
        ("\u0301\u0302", "№ 2"),
        ("…", "№ 2"),
        ("", "№ 2"),
    ],
)
def test_what_has_no_glyph_is_left_out_and_who_has_none_is_numbered(name: str, written: str) -> None:
    assert writable(name, "№ 2") == written


def test_text_is_made_smaller_before_it_is_cut() -> None:
    assert fitted("Аня", 200, 38, 28) == ("Аня", 38)
    text, size = fitted("Константин", 200, 38, 28)
    assert (text, size < 38) == ("Константин", True)
    text, size = fitted("Константин Августович", 200, 38, 28)
    assert (text.endswith("…"), size) == (True, 28)
    assert font(size).getlength(text) <= 200


def test_a_name_from_right_to_left_does_not_turn_the_line_around_it() -> None:
    """Its isolates cannot be drawn: marks, which take no room, stand for them."""
    line = writable_line("✨ \u2068علي…\u2069: +42 за раунд 2", "")
    assert line == "\u200eعلي…\u200e: +42 за раунд 2"
    assert font(30).getlength(line) == font(30).getlength("علي…: +42 за раунд 2")
    assert writable_line("Побеждает \u2068علي\u2069", "") == "Побеждает \u200eعلي\u200e"
    assert writable_line("🌸 \u2068\u2069", "101") == "101"
    letters = [font(30).getmask(text).getbbox() for text in ("علي", "\u200eعلي\u200e")]
    assert letters[0] == letters[1]


def test_names_in_a_list_have_one_size_and_are_cut_only_at_the_smallest() -> None:
    assert fitted_together(["Аня", "Борис"], lambda _: [300, 300], 38, 28) == (["Аня", "Борис"], 38)
    names, size = fitted_together(["Аня", "Константин"], lambda _: [300, 200], 38, 28)
    assert (names, size) == (["Аня", "Константин"], fitted("Константин", 200, 38, 28)[1])
    names, size = fitted_together(["Аня", "Константин Августович"], lambda size: [300, 10 * size], 38, 28)
    assert (names[0], names[1][-1], size) == ("Аня", "…", 28)
    assert font(28).getlength(names[1]) <= 280
    assert fitted_together([], lambda _: [], 38, 28) == ([], 38)


def test_libraries_for_drawing_are_loaded_with_the_first_picture_and_matplotlib_not_even_then() -> None:
    """A bot whose groups want no pictures does without them: its start stays short, its memory small."""
    program = (
        "import sys; import bot.app, bot.__main__\n"
        "assert not {'PIL', 'matplotlib', 'numpy'} & set(sys.modules), 'at the start'\n"
        "from bot.pictures import draw\n"
        "from bot.screens.picture import SeatPicture, TablePicture\n"
        "assert draw(TablePicture('Round 1', (SeatPicture('Anya', 4, 0), SeatPicture('Boris', 4, 0))))\n"
        "assert 'PIL' in sys.modules\n"
        "assert 'matplotlib' not in sys.modules, 'with a table'\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
