"""What stands on buttons can be read on a phone: no label of a row is cut off.

Measured in a wide font at the size in which Telegram writes on buttons, on a phone of 390 pixels: narrower
fonts have room to spare. In a group the faces beside the messages take some of the width.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
import regex
from PIL import ImageFont

from bot.locales import Translator
from bot.pictures.text import _folder
from bot.screens.screen import Button, Rows, Screen
from engine import PRESETS, SETTINGS, SettingKind
from tests.bot.screens.gallery import PARTS
from tests.bot.screens.gallery_settings import group_with
from tests.bot.screens.scenes import CATALOGUES, LANGUAGES
from tests.bot.screens.test_settings import pages_from

IN_GROUP, IN_PRIVATE = 306, 347
"""Pixels that a keyboard is wide."""
GAP, PADDING = 3, 12
"""Between two buttons of a row; beside a label, both sides together."""
SIZE = 14.5
EMOJI = 1.3 * SIZE

PRIVATE = {
    "The private chat: the hand",
    "A card put aside, and table talk",
    "Alone against computers",
    "One’s own settings",
    "The tutorial",
}
"""Parts of the gallery with screens that are seen in private alone, but for some with few buttons."""

WITH_BUTTONS = [
    pytest.param(
        screen.rows,
        IN_PRIVATE if part in PRIVATE else IN_GROUP,
        id=f"{part}, {exhibit.title}, {code}",
    )
    for part, exhibits in PARTS
    for exhibit in exhibits
    for code, tr in CATALOGUES.items()
    if isinstance(screen := exhibit.draw(tr), Screen) and screen.rows
]


@cache
def width(label: str) -> float:
    """Return a label's width in pixels."""
    font = ImageFont.truetype(_folder() / "DejaVuSans.ttf", 100)
    return sum(
        EMOJI if regex.match(r"\p{Extended_Pictographic}|.\ufe0f", it) else font.getlength(it) * SIZE / 100
        for it in regex.findall(r"\X", label)
    )


def cut_off(rows: Rows, keyboard: int) -> Iterator[str]:
    """The labels for which there is not room enough."""
    for row in rows:
        room = (keyboard - GAP * (len(row) - 1)) / len(row) - PADDING
        yield from (button.text for button in row if width(button.text) > room)


@pytest.mark.parametrize(("rows", "keyboard"), WITH_BUTTONS)
def test_every_label_can_be_read_on_a_phone(rows: Rows, keyboard: int) -> None:
    assert list(cut_off(rows, keyboard)) == []


def test_a_label_that_is_too_long_is_found() -> None:
    short, long = Button("Ход", "x"), Button("Очень длинная надпись", "y")
    assert list(cut_off(((short, long),), IN_GROUP)) == [long.text]


def test_the_parts_that_are_seen_in_private_are_parts_of_the_gallery() -> None:
    assert {part for part, _ in PARTS} >= PRIVATE


@LANGUAGES
@pytest.mark.parametrize("preset", PRESETS)
def test_so_can_every_label_of_the_settings_under_every_preset(preset: str, tr: Translator) -> None:
    for name, screen in pages_from(group_with(preset=preset), tr):
        assert list(cut_off(screen.rows, IN_GROUP)) == [], name


@LANGUAGES
@pytest.mark.parametrize("name", [n for n, it in SETTINGS.items() if it.kind is SettingKind.CHOICE])
def test_so_can_every_answer_where_it_is_the_one_chosen(name: str, tr: Translator) -> None:
    for value in SETTINGS[name].values:
        for page, screen in pages_from(group_with(**{name: value}), tr):
            assert list(cut_off(screen.rows, IN_GROUP)) == [], page
